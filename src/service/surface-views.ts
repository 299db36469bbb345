import type { KeyDescription } from '../keys/key-description.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { SurfaceGrant, SurfaceKey } from '../rpc/methods.ts';
import type { Grant } from './grant-decisions.ts';
import type { Grants } from './grants.ts';

/* What the extension's own pages show of grants and keys. */

export async function surfaceGrants(
  grants: readonly Grant[],
  keyRing: KeyRing,
): Promise<SurfaceGrant[]> {
  const keys = await keyRing.list();
  return grants.map((grant) => {
    const key = keys.find(({ ref }) => ref === grant.ref);
    return {
      id: grant.id,
      origin: grant.scope.origin,
      keyLabel: key?.label ?? '',
      keyKind: key?.kind ?? grant.asked.key.kind,
      capabilities: [...grant.capabilities],
      created: grant.created,
      expiresAt: grant.expiresAt,
      usesLeft: grant.usesLeft,
      lastUsed: grant.lastUsed,
    };
  });
}

export async function surfaceKeys(keyRing: KeyRing, grants: Grants): Promise<SurfaceKey[]> {
  const all = await grants.all();
  const count = (ref: string): number => all.filter((grant) => grant.ref === ref).length;
  return (await keyRing.list()).map((key) => surfaceKey(key, count(key.ref)));
}

function surfaceKey(key: KeyDescription, grants: number): SurfaceKey {
  const { ref, kind, algorithm, label, created, generation } = key;
  return { ref, kind, algorithm, label, created, generation, grants };
}
