import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/** A key that a site made and has the vault keep for it, by a random reference (src/service/subtle/persistent-keys.ts). */
export interface PersistentKeyValue {
  /** Where it is found: an origin, under a top-level origin, in a cookie container. */
  readonly scope: {
    readonly origin: string;
    readonly topOrigin: string;
    readonly container: string | null;
  };
  /** As src/subtle/stored-key.ts describes it. */
  readonly key: {
    readonly type: string;
    readonly extractable: boolean;
    readonly algorithm: object;
    readonly usages: readonly string[];
    readonly format: string;
    /** base64url */
    readonly content: string;
  };
  /** ms since the epoch */
  readonly created: number;
  /** When the last permission for it was taken back, ms since the epoch; absent: it has one, or waits for its first here. */
  readonly archived?: number;
}

/** Persistent keys by the ids of their records. */
export type PersistentKeyValues = ReadonlyMap<string, PersistentKeyValue>;

/** The type of their records. */
export const PERSISTENT_KEY = 'persistent-key';
/** Length of a reference in bytes. */
export const REFERENCE_BYTES = 32;

/** How long a key whose permission was taken back is kept, ms. */
export const PERSISTENT_KEY_ARCHIVE_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Characters of these records in one vault, as JSON, at most. Sealed, that is as much as Chromium's storage.local holds;
 * and a backup with them and with the user's own keys stays below its bound (backup-file.ts).
 */
export const PERSISTENT_KEYS_MAX_CHARACTERS = 10 * 2 ** 20;

/** @param reference 32 bytes, base64url */
export const persistentKeyId = (reference: string): string => `${PERSISTENT_KEY} ${reference}`;

/** The key in a record of this type. */
export const persistentKeyOf = ({ value }: VaultRecord): PersistentKeyValue =>
  value as unknown as PersistentKeyValue;

/** The record that holds it. */
export function persistentKeyRecord(id: string, value: PersistentKeyValue): VaultRecord {
  return { id, type: PERSISTENT_KEY, value: value as unknown as Json };
}

/** The persistent keys among these records; records of other types are ignored. */
export function persistentKeysOf(records: readonly VaultRecord[]): PersistentKeyValues {
  const own = records.filter(({ type }) => type === PERSISTENT_KEY);
  return new Map(own.map((record) => [record.id, persistentKeyOf(record)]));
}

/** Whether it has been in the archive for as long as it is kept there. @param at ms since the epoch */
export function isPastArchive({ archived }: PersistentKeyValue, at: number): boolean {
  return archived !== undefined && at - archived >= PERSISTENT_KEY_ARCHIVE_MS;
}

/** Characters of the records of these keys, as PERSISTENT_KEYS_MAX_CHARACTERS counts them. */
export function charactersOf(keys: PersistentKeyValues): number {
  let characters = 0;
  for (const [id, value] of keys) {
    characters += JSON.stringify(persistentKeyRecord(id, value)).length;
  }
  return characters;
}

/**
 * Adds the persistent keys of a backup of one's own to those of the vault, up to PERSISTENT_KEYS_MAX_CHARACTERS. Of a
 * key that both have, the vault's state counts. Those that come wait until their site is allowed.
 *
 * @param at ms since the epoch
 */
export function mergePersistentKeys(
  own: PersistentKeyValues,
  other: PersistentKeyValues,
  at: number,
): PersistentKeyValues {
  const merged = new Map(own);
  let characters = charactersOf(own);
  for (const [id, value] of other) {
    if (merged.has(id) || isPastArchive(value, at)) continue;
    characters += charactersOf(new Map([[id, value]]));
    if (characters > PERSISTENT_KEYS_MAX_CHARACTERS) break;
    merged.set(id, value);
  }
  return merged;
}
