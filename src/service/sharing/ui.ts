import type { Json } from '../../keys/json.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import type { SurfaceContact } from '../../rpc/methods/ui-contacts.ts';
import { verificationOfText, type Contact, type Contacts } from './contacts.ts';
import { callIdOf, onceIn, OWN_PAGES } from '../calls/journal.ts';
import type { Sharing } from './sharing.ts';
import type { Signatures } from '../signing/signatures.ts';
import { shownPublicKey } from '../signing/public-key.ts';

interface Parts {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly contacts: Contacts;
  readonly sharing: Sharing;
  readonly signatures: Signatures;
  readonly now: () => number;
}

type ContactMethods =
  'ui.contacts' | 'ui.ownSharingKeys' | 'ui.addContact' | 'ui.changeContact' | 'ui.removeContact';

export function surfaceContactMethods(parts: Parts): Pick<Implementations, ContactMethods> {
  const { contacts, keyRing } = parts;
  return {
    'ui.contacts': async () => (await contacts.all()).map(shown),
    async 'ui.ownSharingKeys'() {
      const keys = (await keyRing.list()).filter(({ kind }) => kind === 'sharing');
      return Promise.all(
        keys.map(async ({ ref, label }) => {
          const publicKey = await shownPublicKey(ref, parts);
          return { ref, label, publicKey, ...copied(verificationOfText(publicKey)) };
        }),
      );
    },
    async 'ui.addContact'({ name, publicKey }, call) {
      const id = await once((draft) => contacts.addIn(draft, name, publicKey), call, parts);
      return shown((await contacts.all()).find((contact) => contact.id === id)!);
    },
    async 'ui.changeContact'({ id, ...change }, call) {
      await once((draft) => contacts.changeIn(draft, id, change).then(() => null), call, parts);
      return {};
    },
    async 'ui.removeContact'({ id }, call) {
      await once((draft) => contacts.removeIn(draft, id).then(() => null), call, parts);
      return {};
    },
  };
}

function shown({ verification, ...contact }: Contact): SurfaceContact {
  return { ...contact, ...copied(verification) };
}

function copied({ digest, words, digits }: Contact['verification']) {
  return { digest, words: [...words], digits: [...digits] };
}

/** Once for each call, however often it is replayed. */
function once<T extends Json>(
  change: (draft: VaultDraft) => Promise<T>,
  call: Call,
  { vault, now }: Parts,
): Promise<T> {
  const entry = { call: callIdOf(call), at: now() };
  return vault.commit((draft) => onceIn(draft, OWN_PAGES, entry, () => change(draft)));
}
