import type { Json } from '../../keys/json.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Vault, VaultDraft } from '../../keys/vault.ts';
import type { Call, Implementations } from '../../rpc/call.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants.ts';
import { callIdOf } from '../journal.ts';
import { onceIn, OWN_PAGES } from '../journal-record.ts';
import type { Sharing } from '../sharing.ts';
import type { Signatures } from '../signatures.ts';
import { surfaceKeys } from '../surface-views.ts';
import { shownPublicKey } from './public-key.ts';

interface Parts {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly grants: Grants;
  readonly signatures: Signatures;
  readonly sharing: Sharing;
  readonly now: () => number;
}

type KeyMethods = 'ui.keys' | 'ui.createKey' | 'ui.publicKey' | 'ui.relabelKey';

export function surfaceKeyMethods(parts: Parts): Pick<Implementations, KeyMethods> {
  const { keyRing, grants } = parts;
  return {
    'ui.keys': () => surfaceKeys(keyRing, grants),
    async 'ui.createKey'({ kind = 'sealing', label }, call) {
      const create = (draft: VaultDraft) => keyRing.addKey(draft, { kind, label }).ref;
      const ref = await once(create, call, parts);
      const keys = await surfaceKeys(keyRing, grants);
      return keys.find((key) => key.ref === ref)!;
    },
    async 'ui.publicKey'({ ref }) {
      return { text: await argumentChecked(shownPublicKey(ref, parts)) };
    },
    async 'ui.relabelKey'({ ref, label }, call) {
      const relabel = (draft: VaultDraft) => keyRing.relabelIn(draft, ref, label);
      await once((draft) => relabel(draft).then(() => null), call, parts);
      return {};
    },
  };
}

/** Once for each call, however often it is replayed. */
function once<T extends Json>(
  change: (draft: VaultDraft) => T | Promise<T>,
  call: Call,
  { vault, now }: Parts,
): Promise<T> {
  const entry = { call: callIdOf(call), at: now() };
  const changed = vault.commit((draft) => onceIn(draft, OWN_PAGES, entry, () => change(draft)));
  return argumentChecked(changed);
}
