import type { StoredAlgorithm, StoredKey } from '../../subtle/stored-key.ts';
import type { Usage } from '../../subtle/key.ts';
import { ownerOf } from '../calls/frame-policy.ts';

/** A key that the user owns, under the name that the origin has for it; it has no bytes here. */
export type NamedKey = NamedSecretKey | NamedPrivateKey;

/** What is kept of each. */
export interface NamedKeyInfo {
  readonly extractable: false;
  readonly algorithm: StoredAlgorithm;
  readonly usages: readonly Usage[];
  readonly keyId: string;
  readonly generation: number;
}

/** A key of a symmetric algorithm, derived from a key that seals. */
export interface NamedSecretKey extends NamedKeyInfo {
  readonly type: 'secret';
  /** Of the key that is derived. */
  readonly bits: number;
}

/** The private key of an algorithm of JOSE (named/jose-keys.ts). */
export interface NamedPrivateKey extends NamedKeyInfo {
  readonly type: 'private';
}

/** A key in the vault that the page has a reference of; it has no bytes here (persistent-keys.ts). */
export interface PersistentKey {
  readonly type: StoredKey['type'];
  readonly extractable: boolean;
  readonly algorithm: StoredAlgorithm;
  readonly usages: readonly Usage[];
  /** 32 bytes as base64url. */
  readonly reference: string;
}

/** A shared key that `encapsulateKey` made, and its ciphertext as base64url. */
export interface EncapsulatedRecord extends StoredKey {
  readonly ciphertext: string;
}

/** What is kept of a key of `subtle`. JSON. */
export type KeyRecord = StoredKey | EncapsulatedRecord | NamedKey | PersistentKey;

/** What a call does with a key of its own or of the vault, and what ends it: the call itself, or its grant. */
export type WithStored<T> = (key: StoredKey, ended: { readonly signal: AbortSignal }) => Promise<T>;

/** Whether a record is a key of the user, without bytes. */
export function isNamed(record: KeyRecord): record is NamedKey {
  return 'keyId' in record;
}

/** Whether a record is a key in the vault, without bytes. */
export function isPersistent(record: KeyRecord): record is PersistentKey {
  return 'reference' in record;
}

/** A key as it is stored, without what a record has beside it. */
export function storedPart(record: StoredKey): StoredKey {
  const { type, extractable, algorithm, usages, format, content } = record;
  return { type, extractable, algorithm, usages, format, content };
}

/** How many bytes of keys are stored. */
export interface KeyRoom {
  /** In all. */
  readonly bytes: number;
  /** Of each owner of sites: no other takes them. */
  readonly shareBytes: number;
  /** What all have in common beyond their shares. */
  readonly commonBytes: number;
}

/** The same for keys of both kinds of life: of the document, and by reference. */
export const KEY_SHARES = {
  commonBytes: 4 * 1024 * 1024,
  /** 256 symmetric keys. */
  shareBytes: 64 * 1024,
} as const satisfies Partial<KeyRoom>;

/** Bytes of an origin. */
export interface StoredBytes {
  readonly origin: string;
  readonly bytes: number;
}

/** Whether a room holds all that would be stored, of which some is added for this origin. */
export function hasRoom(
  stored: readonly StoredBytes[],
  added: Pick<StoredBytes, 'origin'>,
  { bytes: limit, shareBytes, commonBytes }: KeyRoom,
): boolean {
  const owned = new Map<string, number>();
  for (const { origin, bytes } of stored) {
    const owner = ownerOf(origin);
    owned.set(owner, (owned.get(owner) ?? 0) + bytes);
  }
  let [total, beyond] = [0, 0];
  for (const bytes of owned.values()) {
    total += bytes;
    beyond += Math.max(0, bytes - shareBytes);
  }
  const isInShare = (owned.get(ownerOf(added.origin)) ?? 0) <= shareBytes;
  return total <= limit && (isInShare || beyond <= commonBytes);
}
