import type { KeyRing } from '../../keys/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { argumentChecked } from '../errors.ts';
import type { Grants } from '../grants.ts';
import { surfaceKey, surfaceKeys } from '../surface-views.ts';

interface Parts {
  readonly keyRing: KeyRing;
  readonly grants: Grants;
}

type KeyMethods = 'ui.keys' | 'ui.createKey' | 'ui.relabelKey';

export function surfaceKeyMethods({ keyRing, grants }: Parts): Pick<Implementations, KeyMethods> {
  return {
    'ui.keys': () => surfaceKeys(keyRing, grants),
    async 'ui.createKey'({ label }) {
      return surfaceKey(await argumentChecked(keyRing.createSealingKey(label)), 0);
    },
    async 'ui.relabelKey'({ ref, label }) {
      await argumentChecked(keyRing.relabel(ref, label));
      return {};
    },
  };
}
