import { equal } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { RandomSource } from '../../random/contract.ts';
import { commitGeneration } from '../storage/commit.ts';
import { VaultError } from '../values/errors.ts';
import { encodeHead, readHeads, sameHead } from '../storage/heads.ts';
import type { Candidate, Head, Heads } from '../storage/heads.ts';
import { nothingYet, type Changes } from './contents.ts';
import { joinedLines, type Line, type LineMerge } from './joined-lines.ts';
import { forkOf, lineageOf, lineageOfJoined, type Fork, type Lineage } from './lineage.ts';
import { nextGeneration } from './next-generation.ts';
import { hashOf, openManifest, sealManifest } from '../values/manifest.ts';
import type { Generation, Manifest, NewGeneration, StoredValue } from '../values/manifest.ts';
import { openRecord, SCHEMA } from '../values/record.ts';
import type { VaultRecord } from '../values/record.ts';
import type { Accept, Replicas } from '../storage/replicas.ts';
import type { Slot } from '../unlock/slots.ts';
import { encodeVaultMarker } from '../values/checksummed-value.ts';
import {
  EXISTS,
  headName,
  HEADS,
  isVaultValue,
  manifestGeneration,
  manifestName,
  recordName,
} from '../values/value-names.ts';
import type { SealingKey } from '../values/vault-seal.ts';

/** A generation as read from the stores, with the heads that were found. */
export interface LoadedGeneration extends Generation {
  readonly heads: Heads;
  /** Over the stores whose heads were read. */
  readonly replicas: Replicas;
  /** Where the stores hold two lines: the other one, to be joined before anything is repaired or written. */
  readonly fork?: Fork;
}

/**
 * Reads the newest generation that verifies from two stores, and writes the next. It gets the vault
 * key with each call and keeps nothing. Call `create` and `commit` under the vault's lock.
 */
export class VaultStore {
  readonly #replicas: Replicas;
  readonly #random: RandomSource;
  readonly #lines: LineMerge;
  readonly #now: () => number;

  /** @param now ms since the epoch */
  constructor(replicas: Replicas, random: RandomSource, lines: LineMerge, now: () => number) {
    this.#replicas = replicas;
    this.#random = random;
    this.#lines = lines;
    this.#now = now;
  }

  /**
   * The newest generation that verifies in either store. The newest head of a store counts where
   * its manifest verifies. Else the newest head of the other store does, unless both are the same:
   * a store that others have written to must not take the vault away.
   *
   * @param known returned, without reading a manifest, where it is still the newest
   * @throws VaultError CORRUPT where neither copy of a manifest verifies that both stores name: an
   *   older generation is never used instead; NEWER where a later version wrote it
   */
  async load(key: SealingKey, known?: Generation): Promise<LoadedGeneration> {
    const replicas = await this.#replicas.presentOnly();
    const heads = await readHeads(replicas, key);
    const { candidates, whole, newer } = heads;
    const isClaimAlone = newer === 'claimed' && candidates.length === 0;
    if (newer === 'certain' || isClaimAlone) throw new VaultError('NEWER');
    const lines = whole ? await this.#twoLines(replicas, key, candidates) : undefined;
    if (lines !== undefined) return { ...lines, heads, replicas };
    const found = whole ? await this.#firstOf(replicas, key, candidates, known) : 'unsure';
    if (found === 'none') throw new VaultError(newer === 'claimed' ? 'NEWER' : 'CORRUPT');
    if (found !== 'unsure') return { ...found, heads, replicas };
    return { ...(await this.#search(replicas, key, oldestOf(candidates))), heads, replicas };
  }

  /**
   * As `load`. Joins two lines into one generation, which both stores get. Call under the vault's lock.
   *
   * @throws VaultError as `load` does; QUOTA or UNAVAILABLE: then both lines are as they were
   */
  async loadOneLine(key: SealingKey, known?: Generation): Promise<LoadedGeneration> {
    const loaded = await this.load(key, known);
    if (loaded.fork === undefined) return loaded;
    await this.#join(key, loaded, loaded.fork);
    return this.load(key);
  }

  async #join(key: SealingKey, loaded: LoadedGeneration, fork: Fork): Promise<void> {
    const { replicas } = loaded;
    const own = await openLine(replicas, key, loaded);
    const opened = { ...fork, own, other: await openLine(replicas, key, fork.other) };
    const next = await joinedLines(key, opened, this.#lines, this.#random);
    const carried = new Map<string, Uint8Array>();
    const { slots, records, retired } = next.manifest;
    const places = [...records, ...retired].map(({ name, generation, hash }) => ({
      name: recordName(name, generation),
      hash,
    }));
    for (const { name, hash } of [...slots, ...places]) {
      if (next.values.has(name)) continue;
      const found = await replicas.peek(name, (b) => hashOf(b) === hash || undefined);
      if (found) carried.set(name, found.bytes);
    }
    const lineage = lineageOfJoined(next.manifest, own, fork);
    await this.#write(replicas, key, { ...next, carried }, () => lineage);
  }

  /** Two lines, where both stores have an authentic head whose manifest verifies, and neither follows the other. */
  async #twoLines(
    replicas: Replicas,
    key: SealingKey,
    candidates: readonly Candidate[],
  ): Promise<(Generation & { readonly fork: Fork }) | undefined> {
    const authentic = candidates.filter(({ isAuthentic }) => isAuthentic);
    if (authentic.length < 2) return undefined;
    const opened = await Promise.all(
      authentic.map(async ({ head }) => {
        const name = manifestName(head.generation);
        const found = await replicas.peek(name, acceptedManifest(key, head));
        return found && { head, manifest: found.value };
      }),
    );
    const [newer, other] = opened;
    const fork = newer && other && forkOf(newer, other);
    return fork && { ...newer, fork };
  }

  /** The newest candidate that verifies; 'unsure' where a store may have lost a newer head. */
  async #firstOf(
    replicas: Replicas,
    key: SealingKey,
    candidates: readonly Candidate[],
    known: Generation | undefined,
  ): Promise<Generation | 'none' | 'unsure'> {
    for (const [index, candidate] of candidates.entries()) {
      const { head } = candidate;
      if (index > 0 && !candidate.isSound) return 'unsure';
      if (known !== undefined && sameHead(known.head, head)) return known;
      const isDisputed = !candidate.isAuthentic && candidates.length > 1;
      const manifest = await this.#manifestOf(replicas, key, head, isDisputed);
      if (manifest !== undefined) return { head, manifest };
    }
    return 'none';
  }

  /** Opens one record. @throws VaultError CORRUPT where neither copy verifies */
  async readRecord(key: SealingKey, stored: StoredValue): Promise<VaultRecord> {
    const name = recordName(stored.name, stored.generation);
    const found = await this.#replicas.find(name, acceptedRecord(key, stored));
    if (found === undefined) throw new VaultError('CORRUPT');
    return found.value;
  }

  /**
   * Writes the first generation of a new vault, with its slot and the vault marker.
   *
   * @param first the records that it holds from its beginning
   * @throws VaultError QUOTA or UNAVAILABLE; then there is no vault
   */
  async create(key: SealingKey, slot: Slot, first: Changes): Promise<Generation> {
    const { vaultId, created } = slot;
    const { manifest } = nothingYet(created);
    const slots = { added: [slot], removed: new Set<string>() };
    const next = await nextGeneration(key, manifest, first, slots, this.#random);
    const values = new Map([[EXISTS, encodeVaultMarker({ vaultId, created })], ...next.values]);
    return this.#write(this.#replicas, key, { ...next, values }, undefined);
  }

  /**
   * Writes the next generation; resolves when all stores have returned what was written.
   *
   * @param parent the loaded generation
   * @param replicas over the stores whose heads were read for it
   * @throws VaultError QUOTA or UNAVAILABLE; the old generation then counts
   */
  commit(
    key: SealingKey,
    next: NewGeneration,
    parent: Generation,
    replicas: Replicas,
  ): Promise<Generation> {
    const at = Math.trunc(this.#now());
    return this.#write(replicas, key, next, (isInAll) =>
      lineageOf(next.manifest, parent, isInAll, at),
    );
  }

  /**
   * Where an earlier version has opened the vault of this one, all heads are without a MAC.
   *
   * @param isDisputed whether the head is without a MAC and another store holds another head: then
   *   it does not name a generation whose head had one
   */
  async #manifestOf(replicas: Replicas, key: SealingKey, head: Head, isDisputed: boolean) {
    const accept = acceptedManifest(key, head);
    const found = await replicas.find(manifestName(head.generation), async (bytes) => {
      const manifest = await accept(bytes);
      return isDisputed && manifest?.heads !== undefined ? undefined : manifest;
    });
    return found?.value;
  }

  /** For damaged heads: the newest manifest that opens and whose records are all present. */
  async #search(replicas: Replicas, key: SealingKey, atLeast: number): Promise<Generation> {
    const { names } = await replicas.inventory(isVaultValue);
    const generations = [...names]
      .map((name) => manifestGeneration(name) ?? 0)
      .filter((generation) => generation >= atLeast)
      .sort((a, b) => b - a);
    for (const generation of generations) {
      const found = await replicas.find(manifestName(generation), (bytes) =>
        openManifest(key, generation, bytes),
      );
      if (found !== undefined && (await isComplete(replicas, found.value))) {
        const head = headOf(found.value, found.bytes);
        return { head, manifest: found.value };
      }
    }
    throw new VaultError('CORRUPT');
  }

  async #write(
    replicas: Replicas,
    key: SealingKey,
    { manifest: listed, values, carried, removes }: NewGeneration,
    lineage: ((isInAll: boolean) => Lineage) | undefined,
  ): Promise<Generation> {
    const stores = await replicas.presentOnly();
    const isInAll = await stores.isComplete();
    const manifest: Manifest = { ...listed, ...lineage?.(isInAll), heads: 'authentic' };
    const { generation } = manifest;
    const sealed = await sealManifest(key, manifest, this.#random);
    const head = headOf(manifest, sealed);
    // A new vault gets both head slots, so that an empty slot always means damage.
    const slots = lineage === undefined ? HEADS : [headName(generation)];
    await commitGeneration(stores, {
      puts: new Map([...values, [manifestName(generation), sealed]]),
      ...(carried && { carried }),
      removes,
      heads: new Map(slots.map((name) => [name, encodeHead(key, name, head)])),
      opens: opener(key, manifest),
    });
    return { head, manifest };
  }
}

async function isComplete(replicas: Replicas, { records }: Manifest): Promise<boolean> {
  for (const { name, generation, hash } of records) {
    const accept = (bytes: Uint8Array) => hashOf(bytes) === hash || undefined;
    const found = await replicas.find(recordName(name, generation), accept);
    if (found === undefined) return false;
  }
  return true;
}

async function openLine(
  replicas: Replicas,
  key: SealingKey,
  { head, manifest }: Generation,
): Promise<Line> {
  const records = new Map<string, VaultRecord>();
  for (const entry of manifest.records) {
    const name = recordName(entry.name, entry.generation);
    const found = await replicas.peek(name, acceptedRecord(key, entry));
    if (found) records.set(entry.name, found.value);
  }
  return { head, manifest, records };
}

function headOf({ schema = SCHEMA, generation }: Manifest, sealed: Uint8Array): Head {
  return { schema, generation, manifestHash: sha256(sealed) };
}

/** The oldest generation that may be the newest: a head that is not authentic proves none. */
function oldestOf(candidates: readonly Candidate[]): number {
  const authentic = candidates.filter(({ isAuthentic }) => isAuthentic);
  const proving = authentic.length > 0 ? authentic : candidates;
  return Math.max(1, ...proving.map(({ head }) => head.generation));
}

function acceptedManifest(key: SealingKey, { generation, manifestHash }: Head): Accept<Manifest> {
  return (bytes) =>
    equal(sha256(bytes), manifestHash) ? openManifest(key, generation, bytes) : undefined;
}

function acceptedRecord(key: SealingKey, stored: StoredValue): Accept<VaultRecord> {
  return (bytes) => (hashOf(bytes) === stored.hash ? openRecord(key, stored, bytes) : undefined);
}

/**
 * Checks that a value of this generation, as read back, opens. Slots were opened when they were
 * made.
 */
function opener(key: SealingKey, { generation, records }: Manifest) {
  const places = new Map(records.map((entry) => [recordName(entry.name, entry.generation), entry]));
  return async (name: string, bytes: Uint8Array): Promise<boolean> => {
    const place = places.get(name);
    if (place !== undefined) return (await openRecord(key, place, bytes)) !== undefined;
    if (name !== manifestName(generation)) return true;
    return (await openManifest(key, generation, bytes)) !== undefined;
  };
}
