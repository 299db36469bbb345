import type { KeyRing } from '../../keys/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { pageCall } from '../callers.ts';
import { notGranted } from '../errors.ts';
import type { Grants } from '../grants.ts';

interface Parts {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
}

/** The keys that the user has granted to this origin, and no word about others. */
export function keyMethods({ grants, keyRing }: Parts): Pick<Implementations, 'keys'> {
  return {
    async keys(_params, call) {
      const { scope, origin } = pageCall(call);
      const refs = new Set((await grants.live(scope)).map(({ ref }) => ref));
      if (refs.size === 0) throw notGranted('NOT_GRANTED');
      const granted = (await keyRing.list()).filter(({ ref }) => refs.has(ref));
      return Promise.all(
        granted.map(async ({ ref, kind, label, created, generation }) => {
          const id = await keyRing.pairwiseId(ref, origin);
          return { id, kind, label, created, generation };
        }),
      );
    },
  };
}
