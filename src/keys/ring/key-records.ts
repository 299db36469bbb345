import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Json } from '../json.ts';
import type { VaultRecord } from '../vault/record.ts';

/**
 * The records under a key ring: the root of app keys, and what each site has of each key. The keys
 * that people pick are records of their own (picked-key.ts). All bytes are base64url. A record was
 * written by these functions and is authentic, so its shape is taken as given.
 */

/** One per vault: what every app key and every pairwise id is derived from. */
export interface KeyRoot {
  /** 32 random bytes. */
  readonly appRoot: string;
  /** 32 random bytes. */
  readonly pairwiseSecret: string;
  readonly created: number;
  readonly label: string;
}

/** What one origin has of one key. */
export interface KeyUse {
  readonly ref: string;
  readonly origin: string;
  /** The newest generation of this origin's app key; for picked keys see their own record. */
  readonly generation: number;
  /** 32 random bytes, part of the derivation of app keys. */
  readonly salt: string;
  /** 16 random bytes for each generation that has sealed here. */
  readonly headerKeyIds: readonly { readonly generation: number; readonly id: string }[];
  /**
   * Keys that came from a backup of a vault that had grown apart, each with the header key id of the
   * messages that it opens. They seal nothing.
   */
  readonly kept?: readonly {
    readonly generation: number;
    readonly id: string;
    /** 32 bytes. */
    readonly key: string;
  }[];
}

export const APP = 'app';
/** Until the user gives it another; the surface shows its own words for it. */
export const APP_LABEL = 'App key';
export const KEY_ROOT = 'key-root';
export const KEY_USE = 'key-use';

export const useId = (ref: string, origin: string): string => `${KEY_USE} ${ref} ${origin}`;

export const keyRootOf = (record: VaultRecord): KeyRoot => record.value as unknown as KeyRoot;
export const keyUseOf = (record: VaultRecord): KeyUse => record.value as unknown as KeyUse;

export function keyRootRecord(value: KeyRoot): VaultRecord {
  return { id: KEY_ROOT, type: KEY_ROOT, value: value as unknown as Json };
}

export function keyUseRecord(value: KeyUse): VaultRecord {
  return { id: useId(value.ref, value.origin), type: KEY_USE, value: value as unknown as Json };
}

export function newKeyRoot(random: RandomSource, created: number): KeyRoot {
  const [appRoot, pairwiseSecret] = [drawn(random, 32), drawn(random, 32)];
  return { appRoot, pairwiseSecret, created, label: APP_LABEL };
}

export function newKeyUse(random: RandomSource, ref: string, origin: string): KeyUse {
  return { ref, origin, generation: 1, salt: drawn(random, 32), headerKeyIds: [] };
}

/** The use with a header key id for that generation; the same object where it has one. */
export function withHeaderKeyId(use: KeyUse, generation: number, random: RandomSource): KeyUse {
  if (headerKeyId(use, generation) !== undefined) return use;
  const added = { generation, id: drawn(random, 16) };
  return { ...use, headerKeyIds: [...use.headerKeyIds, added] };
}

export function headerKeyId(use: KeyUse, generation: number): Uint8Array | undefined {
  const found = use.headerKeyIds.find((entry) => entry.generation === generation);
  return found && fromBase64url(found.id);
}

function drawn(random: RandomSource, bytes: number): string {
  return toBase64url(random.bytes(bytes));
}
