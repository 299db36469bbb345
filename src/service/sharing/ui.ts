import type { Json } from '../../keys/values/json.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { UiContact } from '../../rpc/methods/ui-contacts.ts';
import { verificationOfText, type Contact, type Contacts } from './contacts.ts';
import { callIdOf, onceIn, OWN_PAGES } from '../calls/journal.ts';
import type { Sharing } from './sharing.ts';
import type { Signatures } from '../signing/signatures.ts';
import { shownPublicKey } from '../signing/public-key.ts';

interface Deps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly contacts: Contacts;
  readonly sharing: Sharing;
  readonly signatures: Signatures;
  readonly now: () => number;
}

type ContactMethods =
  'ui.contacts' | 'ui.ownSharingKeys' | 'ui.addContact' | 'ui.changeContact' | 'ui.removeContact';

/** The ui methods for contacts and public keys. */
export function uiContactMethods(deps: Deps): Pick<Implementations, ContactMethods> {
  const { contacts } = deps;
  return {
    'ui.contacts': async () => (await contacts.all()).map(shown),
    async 'ui.ownSharingKeys'() {
      const keys = await deps.sharing.keysInUse();
      return Promise.all(
        keys.map(async ({ ref, label }) => {
          const publicKey = await shownPublicKey(ref, deps);
          return { ref, label, publicKey, ...copied(verificationOfText(publicKey)) };
        }),
      );
    },
    async 'ui.addContact'({ name, publicKey }, call) {
      const id = await once((draft) => contacts.addIn(draft, name, publicKey), call, deps);
      return shown((await contacts.all()).find((contact) => contact.id === id)!);
    },
    async 'ui.changeContact'({ id, ...change }, call) {
      await once((draft) => contacts.changeIn(draft, id, change).then(() => null), call, deps);
      return {};
    },
    async 'ui.removeContact'({ id }, call) {
      await once((draft) => contacts.removeIn(draft, id).then(() => null), call, deps);
      return {};
    },
  };
}

function shown({ verification, ...contact }: Contact): UiContact {
  return { ...contact, ...copied(verification) };
}

function copied({ digest, words, digits }: Contact['verification']) {
  return { digest, words: [...words], digits: [...digits] };
}

/** Applies the change once for each call, also if the call is repeated. */
function once<T extends Json>(
  change: (draft: VaultDraft) => Promise<T>,
  call: Call,
  { vault, now }: Deps,
): Promise<T> {
  const entry = { call: callIdOf(call), at: now() };
  return vault.commit((draft) => onceIn(draft, OWN_PAGES, entry, () => change(draft)));
}
