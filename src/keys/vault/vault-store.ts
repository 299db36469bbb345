import { equal } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { RandomSource } from '../../random/contract.ts';
import { commitGeneration } from '../storage/commit.ts';
import { VaultError } from './errors.ts';
import { encodeHead, readHeads, sameHead, type Head, type Heads } from '../storage/heads.ts';
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
   * The newest generation that verifies in either store.
   *
   * @param known returned, without reading a manifest, where it is still the newest
   * @throws VaultError CORRUPT where neither copy of its manifest verifies: an older generation is
   *   never used instead; NEWER where a later version wrote it
   */
  async load(key: SealingKey, known?: Generation): Promise<LoadedGeneration> {
    const heads = await readHeads(this.#replicas);
    const { best, whole } = heads;
    if (best !== undefined && best.schema > SCHEMA) throw new VaultError('NEWER');
    if (best === undefined || !whole) return { ...(await this.#search(key, best)), heads };
    if (known !== undefined && sameHead(known.head, best)) return { ...known, heads };
    const found = await this.#replicas.find(manifestName(best.generation), (bytes) => {
      const isOurs = equal(sha256(bytes), best.manifestHash);
      return isOurs ? openManifest(key, best.generation, bytes) : undefined;
    });
    if (found === undefined) throw new VaultError('CORRUPT');
    return { head: best, manifest: found.value, heads };
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

  /** For damaged heads: the newest manifest that opens and whose records are all present. */
  async #search(key: SealingKey, atLeast: Head | undefined): Promise<Generation> {
    const { names } = await this.#replicas.inventory(isVaultValue);
    const generations = [...names]
      .map((name) => manifestGeneration(name) ?? 0)
      .filter((generation) => generation >= (atLeast?.generation ?? 1))
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
    { manifest, values, removes }: NewGeneration,
    heads: Heads | undefined,
  ): Promise<Generation> {
    const { generation } = manifest;
    const sealed = await sealManifest(key, manifest, this.#random);
    const head = { schema: SCHEMA, generation, manifestHash: sha256(sealed) };
    // A new vault gets both head slots, so that an empty slot always means damage.
    const slots = heads === undefined ? HEADS : [headName(generation)];
    await commitGeneration(this.#replicas, {
      puts: new Map([...values, [manifestName(generation), sealed]]),
      removes,
      heads: new Map(slots.map((name) => [name, encodeHead(name, head)])),
      headsBefore: new Map(slots.map((name) => [name, encoded(name, heads?.slots.get(name))])),
      opens: opener(key, manifest),
    });
    return { head, manifest };
  }
}

function encoded(name: string, head: Head | undefined): Uint8Array | undefined {
  return head && encodeHead(name, head);
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
