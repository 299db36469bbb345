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

/** A key as an origin may see it. @param ofGeneration of another than the newest */
export async function keyInfo(
  ref: string,
  origin: string,
  keyRing: KeyRing,
  ofGeneration?: number,
): Promise<KeyInfo> {
  const { kind, label, created, ...described } = await keyRing.describe(ref, origin);
  const generation = ofGeneration ?? described.generation;
  if (!isSiteKind(kind)) throw notGranted({ capability: 'seal' });
  const id = await keyRing.pairwiseId(ref, origin);
  const headerKeyId = SEALING_KINDS.includes(kind)
    ? await keyRing.headerKeyIdOf(ref, origin, generation)
    : null;
  return { id, kind, label, created, generation, headerKeyId };
}

/** Those whose own key seals: messages to public keys name no key. */
const SEALING_KINDS: readonly string[] = ['app', 'sealing'];
