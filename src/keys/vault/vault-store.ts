import { equal } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { RandomSource } from '../../random/contract.ts';
import { commitGeneration } from '../storage/commit.ts';
import { VaultError } from './errors.ts';
import { encodeHead, readHeads, sameHead } from '../storage/heads.ts';
import type { Candidate, Head, Heads } from '../storage/heads.ts';
import { hashOf, openManifest, sealManifest } from './manifest.ts';
import type { Manifest, StoredValue } from './manifest.ts';
import { openRecord, SCHEMA } from './record.ts';
import type { VaultRecord } from './record.ts';
import type { Replicas } from '../storage/replicas.ts';
import { encodeSlot, nameOfSlot } from '../unlock/slots.ts';
import type { Slot } from '../unlock/slots.ts';
import { encodeVaultMarker } from '../storage/checksummed-value.ts';
import {
  EXISTS,
  headName,
  HEADS,
  isVaultValue,
  manifestGeneration,
  manifestName,
  recordName,
} from './value-names.ts';
import type { SealingKey } from './vault-seal.ts';

/** One generation of the vault, opened. */
export interface Generation {
  readonly head: Head;
  readonly manifest: Manifest;
}

/** A generation as read from the stores, with the heads that were found. */
export interface LoadedGeneration extends Generation {
  readonly heads: Heads;
}

/** What one commit writes. */
export interface NewGeneration {
  readonly manifest: Manifest;
  /** Sealed records by stored name. */
  readonly values: ReadonlyMap<string, Uint8Array>;
  readonly removes: readonly string[];
}

/**
 * Reads the newest generation that verifies from two stores, and writes the next. It gets the vault
 * key with each call and keeps nothing. Call `create` and `commit` under the vault's lock.
 */
export class VaultStore {
  readonly #replicas: Replicas;
  readonly #random: RandomSource;

  constructor(replicas: Replicas, random: RandomSource) {
    this.#replicas = replicas;
    this.#random = random;
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
    const heads = await readHeads(this.#replicas, key);
    const { candidates, whole, newer } = heads;
    const isClaimAlone = newer === 'claimed' && candidates.length === 0;
    if (newer === 'certain' || isClaimAlone) throw new VaultError('NEWER');
    const found = whole ? await this.#firstOf(key, candidates, known) : 'unsure';
    if (found === 'none') throw new VaultError(newer === 'claimed' ? 'NEWER' : 'CORRUPT');
    if (found !== 'unsure') return { ...found, heads };
    return { ...(await this.#search(key, oldestOf(candidates))), heads };
  }

  /** The newest candidate that verifies; 'unsure' where a store may have lost a newer head. */
  async #firstOf(
    key: SealingKey,
    candidates: readonly Candidate[],
    known: Generation | undefined,
  ): Promise<Generation | 'none' | 'unsure'> {
    for (const [index, candidate] of candidates.entries()) {
      const { head } = candidate;
      if (index > 0 && !candidate.isSound) return 'unsure';
      if (known !== undefined && sameHead(known.head, head)) return known;
      const isDisputed = !candidate.isAuthentic && candidates.length > 1;
      const manifest = await this.#manifestOf(key, head, isDisputed);
      if (manifest !== undefined) return { head, manifest };
    }
    return 'none';
  }

  /** Opens one record. @throws VaultError CORRUPT where neither copy verifies */
  async readRecord(key: SealingKey, stored: StoredValue): Promise<VaultRecord> {
    const name = recordName(stored.name, stored.generation);
    const found = await this.#replicas.find(name, (bytes) =>
      hashOf(bytes) === stored.hash ? openRecord(key, stored, bytes) : undefined,
    );
    if (found === undefined) throw new VaultError('CORRUPT');
    return found.value;
  }

  /**
   * Writes the first generation of a new vault, with its slot and the vault marker.
   *
   * @throws VaultError QUOTA or UNAVAILABLE; then there is no vault
   */
  async create(key: SealingKey, slot: Slot): Promise<Generation> {
    const { vaultId, created } = slot;
    const name = nameOfSlot(slot);
    const bytes = encodeSlot(slot);
    const slots = [{ name, hash: hashOf(bytes) }];
    const manifest = { generation: 1, created, slots, records: [], retired: [] };
    const values = new Map([
      [EXISTS, encodeVaultMarker({ vaultId, created })],
      [name, bytes],
    ]);
    return this.#write(key, { manifest, values, removes: [] }, undefined);
  }

  /**
   * Writes the next generation; resolves when both stores have returned what was written.
   *
   * @param heads of the loaded generation
   * @throws VaultError QUOTA or UNAVAILABLE; the old generation then counts
   */
  commit(key: SealingKey, next: NewGeneration, heads: Heads): Promise<Generation> {
    return this.#write(key, next, heads);
  }

  /**
   * Where an earlier version has opened the vault of this one, all heads are without a MAC.
   *
   * @param isDisputed whether the head is without a MAC and another store holds another head: then
   *   it does not name a generation whose head had one
   */
  async #manifestOf(key: SealingKey, { generation, manifestHash }: Head, isDisputed: boolean) {
    const found = await this.#replicas.find(manifestName(generation), async (bytes) => {
      if (!equal(sha256(bytes), manifestHash)) return undefined;
      const manifest = await openManifest(key, generation, bytes);
      return isDisputed && manifest?.heads !== undefined ? undefined : manifest;
    });
    return found?.value;
  }

  /** For damaged heads: the newest manifest that opens and whose records are all present. */
  async #search(key: SealingKey, atLeast: number): Promise<Generation> {
    const { names } = await this.#replicas.inventory(isVaultValue);
    const generations = [...names]
      .map((name) => manifestGeneration(name) ?? 0)
      .filter((generation) => generation >= atLeast)
      .sort((a, b) => b - a);
    for (const generation of generations) {
      const found = await this.#replicas.find(manifestName(generation), (bytes) =>
        openManifest(key, generation, bytes),
      );
      if (found !== undefined && (await this.#isComplete(found.value))) {
        const head = { schema: SCHEMA, generation, manifestHash: sha256(found.bytes) };
        return { head, manifest: found.value };
      }
    }
    throw new VaultError('CORRUPT');
  }

  async #isComplete({ records }: Manifest): Promise<boolean> {
    for (const { name, generation, hash } of records) {
      const accept = (bytes: Uint8Array) => hashOf(bytes) === hash || undefined;
      const found = await this.#replicas.find(recordName(name, generation), accept);
      if (found === undefined) return false;
    }
    return true;
  }

  async #write(
    key: SealingKey,
    { manifest: listed, values, removes }: NewGeneration,
    heads: Heads | undefined,
  ): Promise<Generation> {
    const manifest: Manifest = { ...listed, heads: 'authentic' };
    const { generation } = manifest;
    const sealed = await sealManifest(key, manifest, this.#random);
    const head = { schema: SCHEMA, generation, manifestHash: sha256(sealed) };
    // A new vault gets both head slots, so that an empty slot always means damage.
    const slots = heads === undefined ? HEADS : [headName(generation)];
    await commitGeneration(this.#replicas, {
      puts: new Map([...values, [manifestName(generation), sealed]]),
      removes,
      heads: new Map(slots.map((name) => [name, encodeHead(key, name, head)])),
      headsBefore: new Map(slots.map((name) => [name, encoded(key, name, heads?.slots.get(name))])),
      opens: opener(key, manifest),
    });
    return { head, manifest };
  }
}

/** The oldest generation that may be the newest: a head that is not authentic proves none. */
function oldestOf(candidates: readonly Candidate[]): number {
  const authentic = candidates.filter(({ isAuthentic }) => isAuthentic);
  const proving = authentic.length > 0 ? authentic : candidates;
  return Math.max(1, ...proving.map(({ head }) => head.generation));
}

function encoded(key: SealingKey, name: string, head: Head | undefined): Uint8Array | undefined {
  return head && encodeHead(key, name, head);
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
