import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Json } from '../values/json.ts';
import { USER_KEY_KINDS, USER_KEYS } from './kinds.ts';
import type { KeyAlgorithm, NewKeyKind, UserKeyKind } from './kinds.ts';
import type { VaultRecord } from '../values/record.ts';

/*
 * User keys: keys that the user makes or imports, and selects when a site asks. Each is one record,
 * whose type gives the kind and whose id is the ref: 16 random bytes. All bytes are base64url.
 */

/** The value of a user key's record. */
export interface UserKeyValue {
  readonly label: string;
  readonly created: number;
  /** What the key computes. Sealing keys, keys of age and of JOSE have none. */
  readonly algorithm?: KeyAlgorithm;
  /** Oldest first. Rotation adds one; none is ever removed. */
  readonly generations: readonly UserKeyGeneration[];
  /**
   * Generations restored from a backup of a vault that had diverged, or made on another device at once. They verify
   * and open, and are used for nothing new. Messages find those of sealing keys in `KeyUse.kept`.
   */
  readonly kept?: readonly UserKeyGeneration[];
  /** The only site that a key of JOSE serves. */
  readonly origin?: string;
  /** The id of a sync key at its service: X-Client-State, or the `kid` of a scoped key. */
  readonly foreignId?: string;
  /** Of a sync key of Weave: its collection keys, newest first. */
  readonly collectionKeys?: readonly StoredCollectionKeys[];
  /**
   * A key of a foreign backup that the user has not taken over. It is archived, does nothing for sites, and
   * opens only what the user opens alone.
   */
  readonly guest?: true;
}

/** One generation of a user key. */
export interface UserKeyGeneration {
  readonly generation: number;
  /** 32 random bytes; of an imported key PKCS #8, an age identity, or the service's secret. */
  readonly key: string;
  readonly created: number;
  /** Of an imported key: SubjectPublicKeyInfo or age recipient. Others are computed from the key. */
  readonly publicKey?: string;
}

/** Key bundles of the collections of a Weave account, 64 bytes each. */
export interface StoredCollectionKeys {
  readonly created: number;
  readonly default: string;
  readonly collections: readonly { readonly name: string; readonly bundle: string }[];
}

/** A user key and its kind. */
export interface UserKey {
  readonly kind: UserKeyKind;
  readonly value: UserKeyValue;
}

/** A key to make. */
export interface NewKey {
  readonly kind: NewKeyKind;
  readonly label: string;
  /** The site, for kinds whose keys serve one; others do not store it. */
  readonly origin?: string;
}

/** A key that was made elsewhere. */
export interface ImportedKey {
  readonly kind: UserKeyKind;
  readonly algorithm?: KeyAlgorithm;
  /** Oldest first. */
  readonly keys: readonly Omit<GenerationKey, 'generation'>[];
  readonly foreignId?: string | undefined;
}

/** The kind of the user key in a record; undefined for records of other types. */
export function userKeyKindOf({ type }: Pick<VaultRecord, 'type'>): UserKeyKind | undefined {
  return USER_KEY_KINDS.find((kind) => USER_KEYS[kind].recordType === type);
}

/** The user key in a record of such a type. */
export const userKeyOf = (record: VaultRecord): UserKeyValue =>
  record.value as unknown as UserKeyValue;

/** A guest as one of the user's own keys. @param at ms since the epoch: the vault has it from now on */
export function takenOver(value: UserKeyValue, at: number): UserKeyValue {
  const members = Object.entries(value).filter(([name]) => name !== 'guest');
  return { ...(Object.fromEntries(members) as unknown as UserKeyValue), created: at };
}

/** The record that holds it. */
export function userKeyRecord(kind: UserKeyKind, ref: string, value: UserKeyValue): VaultRecord {
  return { id: ref, type: USER_KEYS[kind].recordType, value: value as unknown as Json };
}

/** Draws a new key with one generation. @param created ms since the epoch */
export function newUserKey(
  random: RandomSource,
  created: number,
  { kind, label, origin }: NewKey,
): UserKeyValue {
  const { drawn, isForOneSite } = USER_KEYS[kind];
  const algorithm = drawn?.forNew;
  const generations = [{ generation: 1, key: drawKey(random), created }];
  return {
    label,
    created,
    ...(algorithm && { algorithm }),
    ...(isForOneSite && origin !== undefined && { origin }),
    generations,
  };
}

/** An imported key as a user key. @param created ms since the epoch */
export function importedUserKey(
  { algorithm, keys, foreignId }: Omit<ImportedKey, 'kind'>,
  created: number,
  label: string,
): UserKeyValue {
  const generations = keys.map(({ key, publicKey }, place) => ({
    generation: place + 1,
    key: toBase64url(key),
    created,
    ...(publicKey && { publicKey: toBase64url(publicKey) }),
  }));
  return {
    label,
    created,
    ...(algorithm && { algorithm }),
    generations,
    ...(foreignId !== undefined && { foreignId }),
  };
}

/** Whether a new generation can be made: not of imported keys. */
export function isRotatable({ kind, value }: UserKey): boolean {
  return USER_KEYS[kind].drawn?.algorithms.includes(value.algorithm) === true;
}

/** The key with one generation more, from now on the newest. @param created ms since the epoch */
export function withNewGeneration(
  value: UserKeyValue,
  random: RandomSource,
  created: number,
): UserKeyValue {
  const generation = newestGeneration(value) + 1;
  const added = { generation, key: drawKey(random), created };
  return { ...value, generations: [...value.generations, added] };
}

/** The number of the newest generation. */
export function newestGeneration(value: UserKeyValue): number {
  return value.generations.at(-1)!.generation;
}

/** One generation with its bytes, which the caller wipes. */
export interface GenerationKey {
  readonly generation: number;
  /** 32 bytes; of an imported key PKCS #8, an age identity, or the service's secret. */
  readonly key: Uint8Array;
  /** SubjectPublicKeyInfo, or age's recipient, of an imported key. */
  readonly publicKey?: Uint8Array;
}

/**
 * One generation of a key that a site uses outside messages; undefined where there is no such generation. The caller
 * wipes the key.
 *
 * @param wanted absent: the newest
 * @throws RangeError for the key of another site
 */
export function generationFor(
  { kind, value }: UserKey,
  origin: string,
  wanted: number = newestGeneration(value),
): Pick<GenerationKey, 'generation' | 'key'> | undefined {
  if (USER_KEYS[kind].isForOneSite && value.origin !== origin) {
    throw new RangeError('ref: the key is for another site');
  }
  const found = value.generations.find(({ generation }) => generation === wanted);
  return found && { generation: wanted, key: fromBase64url(found.key) };
}

/** All generations, newest first; those of `kept` last. The caller wipes the keys. */
export function generationKeys({ generations, kept = [] }: UserKeyValue): GenerationKey[] {
  return [...generations.toReversed(), ...kept].map(({ generation, key, publicKey }) => ({
    generation,
    key: fromBase64url(key),
    ...(publicKey !== undefined && { publicKey: fromBase64url(publicKey) }),
  }));
}

function drawKey(random: RandomSource): string {
  return toBase64url(random.bytes(32));
}
