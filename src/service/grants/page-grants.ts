import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Grant as PageGrant } from '../../rpc/methods/methods.ts';
import type { Grant } from './grant-rules.ts';

/** A grant as its origin may see it: the key's name in the ring becomes the origin's own id for it. */
export async function pageGrants(
  grants: readonly Grant[],
  origin: string,
  keyRing: KeyRing,
): Promise<PageGrant[]> {
  return Promise.all(
    grants.map(async ({ id, ref, capabilities, expiresAt, usesLeft, maxPerHour }) => {
      const keyId = await keyRing.pairwiseId(ref, origin);
      return { id, keyId, capabilities: [...capabilities], expiresAt, usesLeft, maxPerHour };
    }),
  );
}
