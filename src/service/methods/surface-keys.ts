import type { KeyRing } from '../../keys/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
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
      return surfaceKey(await keyRing.createSealingKey(label), 0);
    },
    async 'ui.relabelKey'({ ref, label }) {
      const known = (await keyRing.list()).some((key) => key.ref === ref && key.kind !== 'app');
      if (!known) throw new SealwrightError('INVALID_ARGUMENT', 'ref: no key of this name');
      await keyRing.relabel(ref, label);
      return {};
    },
  };
}
