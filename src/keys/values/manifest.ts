import { sha256 } from '../../crypto/hash/sha256.ts';
import { toBase64url, u16be, u64be, utf8, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Head } from '../storage/heads.ts';
import { parseFrozen } from './json.ts';
import type { RecordPlace } from './record.ts';
import { SCHEMA } from './record.ts';
import { openValue, sealValue } from './vault-seal.ts';
import type { SealingKey, VaultContext } from './vault-seal.ts';

/** A record's stored value. */
export interface StoredValue extends RecordPlace {
  /** SHA-256 of the sealed record, base64url. */
  readonly hash: string;
}

/** A record as of one generation. */
export interface ManifestEntry extends StoredValue {
  readonly type: string;
}

/** A replaced value of a record, still needed by the generations before `until`. */
export interface RetiredValue extends StoredValue {
  readonly until: number;
}

/** A generation, and the hash of its sealed manifest. */
export interface ManifestId {
  readonly generation: number;
  readonly hash: string;
}

/**
 * The list of everything that belongs to one generation of the vault, with hashes: it shows a record
 * that is missing, old or swapped. A slot that it does not name is refused.
 */
export interface Manifest {
  readonly generation: number;
  /** The schema of its head, which never goes back; absent: SCHEMA. A head that was lost is made from it. */
  readonly schema?: number;
  /** Its head has a MAC. Absent where an earlier version wrote the generation. */
  readonly heads?: 'authentic';
  /** When the vault was created, ms since the epoch. */
  readonly created: number;
  readonly slots: readonly { readonly name: string; readonly hash: string }[];
  readonly records: readonly ManifestEntry[];
  readonly retired: readonly RetiredValue[];
  /** The generation that this one follows, and that of the other line where two were joined (lineage.ts). */
  readonly parents?: readonly ManifestId[];
  /**
   * Where a store was missing at this commit, or two lines were joined: the newest generation that all stores
   * held, and those of this line since, as far as they are kept.
   */
  readonly line?: readonly ManifestId[];
  /** Stored names of the records and slots that were removed since the first of `line`, or by this commit. */
  readonly removed?: readonly string[];
  /** SHA-256 of the sealed records that were replaced or removed in the same time: versions that this line has seen. */
  readonly replaced?: readonly string[];
  /** When the records that were written in the same time were, by stored name, in ms since the epoch. */
  readonly written?: Readonly<Record<string, number>>;
}

/** One generation of the vault, opened. */
export interface Generation {
  readonly head: Head;
  readonly manifest: Manifest;
}

/** What one commit writes. */
export interface NewGeneration {
  readonly manifest: Manifest;
  /** Sealed records by stored name. */
  readonly values: ReadonlyMap<string, Uint8Array>;
  readonly removes: readonly string[];
  /** Values of another line that this generation takes as they are (commit.ts). */
  readonly carried?: ReadonlyMap<string, Uint8Array>;
}

/** SHA-256, base64url. */
export const hashOf = (value: Uint8Array): string => toBase64url(sha256(value));

/** Seals a manifest under the vault key. */
export async function sealManifest(
  key: SealingKey,
  manifest: Manifest,
  random: RandomSource,
): Promise<Uint8Array> {
  const plaintext = utf8(JSON.stringify(manifest));
  try {
    return await sealValue(key, contextOf(key, manifest.generation), plaintext, random);
  } finally {
    wipe(plaintext);
  }
}

/** Undefined where the value is not this vault's manifest of that generation. */
export async function openManifest(
  key: SealingKey,
  generation: number,
  sealed: Uint8Array,
): Promise<Manifest | undefined> {
  const plaintext = await openValue(key, contextOf(key, generation), sealed);
  if (plaintext === undefined) return undefined;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(plaintext);
  wipe(plaintext);
  // The value is authentic, so its shape is that of sealManifest.
  return parseFrozen(text) as unknown as Manifest;
}

function contextOf(key: SealingKey, generation: number): VaultContext {
  return { what: 'manifest', fields: [key.keyId, u64be(generation), u16be(SCHEMA)] };
}
