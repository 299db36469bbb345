import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { NEW_KEY_PAIR } from '../../format/wire/recipient-table.ts';
import type { KeyPairName } from '../../format/wire/recipient-table.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/*
 * User keys: keys that the user makes or imports, and selects when a site asks. Each is one record,
 * whose type gives the kind and whose id is the ref: 16 random bytes. All bytes are base64url.
 */

/** What a user key is for. */
export type UserKeyKind = 'sealing' | 'signing' | 'sharing' | 'sync' | 'age' | 'jose';

/** What signing keys compute. */
export type SigningAlgorithm = 'Ed25519' | 'DSA' | 'RSASSA-PKCS1-v1_5' | 'RSA-PSS';
/** What sharing keys compute: the recipient types with a key pair. */
export type SharingAlgorithm = KeyPairName;
/**
 * The format of synchronised records: Sealwright's, or that of the service which the key came from.
 */
export type SyncFormat = 'sealwright' | 'weave-5' | 'kinto' | 'notes';
/** The algorithm or record format of a user key. */
export type KeyAlgorithm = SigningAlgorithm | SharingAlgorithm | SyncFormat;

/** The value of a user key's record. */
export interface UserKeyValue {
  readonly label: string;
  readonly created: number;
  /** What the key computes. Sealing keys, keys of age and of JOSE have none. */
  readonly algorithm?: KeyAlgorithm;
  /** Oldest first. Rotation adds one; none is ever removed. */
  readonly generations: readonly UserKeyGeneration[];
  /**
   * Generations restored from a backup of a vault that had diverged. They verify and open, and are
   * used for nothing new. Those of sealing keys are in `KeyUse.kept`.
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

/** A signing key that was made elsewhere. */
export interface ImportedKey {
  readonly algorithm: SigningAlgorithm;
  /** PKCS #8. */
  readonly privateKey: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
}

/** The record types, by kind. */
export const USER_KEY_TYPES: Readonly<Record<UserKeyKind, string>> = {
  sealing: 'sealing-key',
  signing: 'signing-key',
  sharing: 'sharing-key',
  sync: 'sync-key',
  age: 'age-key',
  jose: 'jose-key',
};

/** All kinds. */
export const USER_KEY_KINDS = Object.keys(USER_KEY_TYPES) as readonly UserKeyKind[];

/** The kinds that can be generated here. Keys of age are only imported. */
export type NewKeyKind = Exclude<UserKeyKind, 'age'>;

/** A key to make. Keys of JOSE are made for one site. */
export type NewKey =
  | { readonly kind: Exclude<NewKeyKind, 'jose'>; readonly label: string }
  | { readonly kind: 'jose'; readonly label: string; readonly origin: string };

/** The algorithm of a new key, by kind; undefined where the kind has none. */
const NEW_ALGORITHM: Readonly<Record<NewKeyKind, KeyAlgorithm | undefined>> = {
  sealing: undefined,
  signing: 'Ed25519',
  sharing: NEW_KEY_PAIR,
  sync: 'sealwright',
  jose: undefined,
};

/** The kind of the user key in a record; undefined for records of other types. */
export function userKeyKindOf({ type }: Pick<VaultRecord, 'type'>): UserKeyKind | undefined {
  return USER_KEY_KINDS.find((kind) => USER_KEY_TYPES[kind] === type);
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
  return { id: ref, type: USER_KEY_TYPES[kind], value: value as unknown as Json };
}

/** Draws a new key with one generation. @param created ms since the epoch */
export function newUserKey(random: RandomSource, created: number, wanted: NewKey): UserKeyValue {
  const algorithm = NEW_ALGORITHM[wanted.kind];
  const origin = wanted.kind === 'jose' && { origin: wanted.origin };
  const generations = [{ generation: 1, key: drawKey(random), created }];
  return { label: wanted.label, created, ...(algorithm && { algorithm }), ...origin, generations };
}

/** An imported signing key as a user key. @param created ms since the epoch */
export function importedUserKey(
  { algorithm, privateKey, publicKey }: ImportedKey,
  created: number,
  label: string,
): UserKeyValue {
  const [key, spki] = [toBase64url(privateKey), toBase64url(publicKey)];
  const generations = [{ generation: 1, key, created, publicKey: spki }];
  return { label, created, algorithm, generations };
}

/** The formats of keys that were made elsewhere. */
const FOREIGN_FORMATS: ReadonlySet<KeyAlgorithm | undefined> = new Set<SyncFormat>([
  'weave-5',
  'kinto',
  'notes',
]);

/** Whether a new generation can be made: not of imported keys. */
export function isRotatable({ algorithm, generations }: UserKeyValue): boolean {
  const isOurs = generations.every(({ publicKey }) => publicKey === undefined);
  return isOurs && !FOREIGN_FORMATS.has(algorithm);
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
