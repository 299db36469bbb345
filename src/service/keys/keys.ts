import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { isSiteKind } from '../../rpc/key-kinds.ts';
import type { KeyInfo } from '../../rpc/methods/methods.ts';
import { pageCall } from '../calls/caller.ts';
import { notGranted } from '../errors.ts';
import type { Grants } from '../grants/grants.ts';

interface Deps {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
}

/** The keys that the user has granted to this origin, and no word about others. */
export function keyMethods({ grants, keyRing }: Deps): Pick<Implementations, 'keys'> {
  return {
    async keys(_params, call) {
      const { scope, origin } = pageCall(call);
      const refs = new Set((await grants.live(scope)).map(({ ref }) => ref));
      if (refs.size === 0) throw notGranted({ capability: 'seal' });
      return Promise.all([...refs].map((ref) => keyInfo(ref, origin, keyRing)));
    },
  };
}

/** A key as an origin may see it. */
export async function keyInfo(ref: string, origin: string, keyRing: KeyRing): Promise<KeyInfo> {
  const { kind, label, created, generation } = await keyRing.describe(ref, origin);
  if (!isSiteKind(kind)) throw notGranted({ capability: 'seal' });
  return { id: await keyRing.pairwiseId(ref, origin), kind, label, created, generation };
}
