import { toBase64url } from '../../crypto/bytes.ts';
import { slotsFor } from './heads.ts';
import { hashOf, openManifest } from '../values/manifest.ts';
import type { Generation, Manifest } from '../values/manifest.ts';
import type { Replicas } from './replicas.ts';
import { encodeVaultMarker } from '../values/checksummed-value.ts';
import {
  EXISTS,
  FRESH,
  HEADS,
  isVaultValue,
  KEPT_GENERATIONS,
  manifestName,
  recordName,
} from '../values/value-names.ts';
import type { SealingKey } from '../values/vault-seal.ts';
import type { LoadedGeneration } from '../vault/vault-store.ts';

type IsGood = (bytes: Uint8Array) => boolean;

/**
 * Checks every value that a generation needs, in all stores whose heads were read. Repairs damaged copies, makes the heads
 * of both stores equal and removes values that nothing refers to, such as those of a commit that was
 * cut off.
 * Call under the vault's lock.
 *
 * @returns whether every copy that could be repaired from a good one is repaired
 */
export async function scrub(
  key: SealingKey,
  { head, manifest, heads, replicas }: LoadedGeneration,
): Promise<boolean> {
  const checks = checksOf(manifest);
  await examineAll(replicas, checks);
  await examineManifests(replicas, key, { head, manifest });
  const vaultMarker = { vaultId: key.keyId, created: manifest.created };
  await replicas.expect(EXISTS, encodeVaultMarker(vaultMarker));
  const valuesWhole = await replicas.mend();
  // Heads last: a head never points to what its store does not hold.
  for (const [name, bytes] of slotsFor(key, head, heads)) {
    await replicas.expect(name, bytes);
  }
  const headsWhole = await replicas.mend();
  const manifests = keptGenerations(manifest).map(manifestName);
  const wanted = new Set([...HEADS, EXISTS, ...checks.keys(), ...manifests]);
  const isOurs = (name: string) => isVaultValue(name) || name === FRESH;
  await replicas.collect((name) => isOurs(name) && !wanted.has(name));
  return valuesWhole && headsWhole;
}

async function examineAll(replicas: Replicas, checks: ReadonlyMap<string, IsGood>): Promise<void> {
  for (const [name, isGood] of checks) {
    const accept = (bytes: Uint8Array) => isGood(bytes) || undefined;
    if ((await replicas.examine(name, accept)) === undefined) replicas.noteLoss(name);
  }
}

/**
 * A commit that failed may have left a manifest of the same number in a store that went away meanwhile. So each
 * manifest is known by its hash: the newest from its head, the others from those that follow them.
 */
async function examineManifests(
  replicas: Replicas,
  key: SealingKey,
  { head, manifest: newest }: Generation,
): Promise<void> {
  const hashes = new Map([[head.generation, new Set([toBase64url(head.manifestHash)])]]);
  for (const generation of keptGenerations(newest)) {
    const known = hashes.get(generation); // undefined: what follows it is of a version that named none
    const name = manifestName(generation);
    const found = await replicas.examine(name, (bytes) =>
      known?.has(hashOf(bytes)) === false ? undefined : openManifest(key, generation, bytes),
    );
    if (found === undefined) replicas.noteLoss(name);
    const { parents = [], line = [] } = found?.value ?? {};
    for (const id of [...parents, ...line]) {
      hashes.set(id.generation, (hashes.get(id.generation) ?? new Set()).add(id.hash));
    }
  }
}

/** The newest first. */
function keptGenerations({ generation }: Manifest): number[] {
  const length = Math.min(generation, KEPT_GENERATIONS + 1);
  return Array.from({ length }, (_, back) => generation - back);
}

/** Every slot and record of the kept generations, and how to tell that a copy of it is good. */
function checksOf(manifest: Manifest): Map<string, IsGood> {
  const checks = new Map<string, IsGood>();
  const byHash = (name: string, hash: string) => checks.set(name, (b) => hashOf(b) === hash);
  for (const { name, hash } of manifest.slots) byHash(name, hash);
  for (const { name, generation, hash } of [...manifest.records, ...manifest.retired]) {
    byHash(recordName(name, generation), hash);
  }
  return checks;
}
