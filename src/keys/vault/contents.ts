import { concat, toHex, utf8, wipe } from '../../crypto/bytes.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import type { ManifestEntry, Generation } from '../values/manifest.ts';
import { SCHEMA } from '../values/record.ts';
import type { VaultRecord } from '../values/record.ts';

/** The changes of one commit, by stored name: the new record, or null for one that is removed. */
export type Changes = ReadonlyMap<string, VaultRecord | null>;

/**
 * The stored name of a record: 32 hex digits, derived under the vault key, so that without the key
 * they say nothing about the id.
 */
export function nameOfRecord(vaultKey: Uint8Array, id: string): string {
  const name = hkdfExpand(SHA512, vaultKey, concat(utf8('SWM1 vault name'), utf8(id)), 16);
  const hex = toHex(name);
  wipe(name);
  return hex;
}

/** What a vault holds before its first generation. @param created ms since the epoch */
export function nothingYet(created: number): Generation {
  const head = { schema: SCHEMA, generation: 0, manifestHash: new Uint8Array(32) };
  return { head, manifest: { generation: 0, created, slots: [], records: [], retired: [] } };
}

/** One generation with the records that have been opened so far. */
export class Contents {
  readonly generation: Generation;
  readonly #entries: ReadonlyMap<string, ManifestEntry>;
  readonly #records: Map<string, VaultRecord>;
  readonly #names = new Map<string, string>();

  constructor(generation: Generation, records: ReadonlyMap<string, VaultRecord> = new Map()) {
    this.generation = generation;
    this.#entries = new Map(generation.manifest.records.map((entry) => [entry.name, entry]));
    this.#records = new Map(records);
  }

  /** `nameOfRecord`, cached for records that exist. */
  nameOf(vaultKey: Uint8Array, id: string): string {
    const name = this.#names.get(id) ?? nameOfRecord(vaultKey, id);
    if (this.#entries.has(name)) this.#names.set(id, name);
    return name;
  }

  /** @param name stored name */
  entry(name: string): ManifestEntry | undefined {
    return this.#entries.get(name);
  }

  /** All records of the generation, in no order. */
  entries(): ManifestEntry[] {
    return [...this.#entries.values()];
  }

  /** The record where it has been opened. @param name stored name */
  opened(name: string): VaultRecord | undefined {
    return this.#records.get(name);
  }

  /** Caches an opened record. */
  remember(name: string, record: VaultRecord): void {
    this.#records.set(name, record);
  }

  /** The contents after a commit; opened records stay cached. */
  followedBy(generation: Generation, changes: Changes): Contents {
    const records = new Map(this.#records);
    for (const [name, record] of changes) {
      if (record === null) records.delete(name);
      else records.set(name, record);
    }
    return new Contents(generation, records);
  }
}
