import { slotsFor } from './heads.ts';
import { hashOf, openManifest } from '../values/manifest.ts';
import type { Manifest } from '../values/manifest.ts';
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

type IsGood = (bytes: Uint8Array) => boolean | Promise<boolean>;

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
  const checks = checksOf(key, manifest);
  await examineAll(replicas, checks);
  const vaultMarker = { vaultId: key.keyId, created: manifest.created };
  await replicas.expect(EXISTS, encodeVaultMarker(vaultMarker));
  const valuesWhole = await replicas.mend();
  // Heads last: a head never points to what its store does not hold.
  for (const [name, bytes] of slotsFor(key, head, heads)) {
    await replicas.expect(name, bytes);
  }
  const headsWhole = await replicas.mend();
  const wanted = new Set([...HEADS, EXISTS, ...checks.keys()]);
  const isOurs = (name: string) => isVaultValue(name) || name === FRESH;
  await replicas.collect((name) => isOurs(name) && !wanted.has(name));
  return valuesWhole && headsWhole;
}

async function examineAll(replicas: Replicas, checks: ReadonlyMap<string, IsGood>): Promise<void> {
  for (const [name, isGood] of checks) {
    const accept = async (bytes: Uint8Array) => (await isGood(bytes)) || undefined;
    if ((await replicas.examine(name, accept)) === undefined) replicas.noteLoss(name);
  }
}

/** Every value of the kept generations, and how to tell that a copy of it is good. */
function checksOf(key: SealingKey, manifest: Manifest): Map<string, IsGood> {
  const checks = new Map<string, IsGood>();
  const byHash = (name: string, hash: string) => checks.set(name, (b) => hashOf(b) === hash);
  for (const { name, hash } of manifest.slots) byHash(name, hash);
  for (const { name, generation, hash } of [...manifest.records, ...manifest.retired]) {
    byHash(recordName(name, generation), hash);
  }
  const oldest = Math.max(1, manifest.generation - KEPT_GENERATIONS);
  for (let g = manifest.generation; g >= oldest; g--) {
    checks.set(manifestName(g), async (b) => (await openManifest(key, g, b)) !== undefined);
  }
  return checks;
}
