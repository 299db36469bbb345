import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { NEW_KEY_PAIR } from '../../format/recipients/table.ts';
import type { KeyPairName } from '../../format/recipients/table.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Json } from '../json.ts';
import type { VaultRecord } from '../vault/record.ts';

/**
 * Keys that a person makes or imports, and picks when a site asks. Each is one record, whose type
 * says the kind and whose id is the ref: 16 random bytes. All bytes are base64url.
 */
export type PickedKind = 'sealing' | 'signing' | 'sharing' | 'sync' | 'age';

export type SigningAlgorithm = 'Ed25519' | 'DSA' | 'RSASSA-PKCS1-v1_5' | 'RSA-PSS';
/** What sharing keys compute: the recipient types with a key pair. */
export type SharingAlgorithm = KeyPairName;
/** How records look: ours, or those of the service that the key came from. Fixed with the key. */
export type SyncFormat = 'sealwright' | 'weave-5' | 'kinto' | 'notes';
export type KeyAlgorithm = SigningAlgorithm | SharingAlgorithm | SyncFormat;

export interface PickedKeyValue {
  readonly label: string;
  readonly created: number;
  /** What the key computes. A sealing key has none: it is for everything that has 32-byte keys. */
  readonly algorithm?: KeyAlgorithm;
  /** Oldest first; rotation adds one, and none is ever removed while anything may need it. */
  readonly generations: readonly PickedGeneration[];
  /**
   * Generations out of a backup of a vault that had grown apart. They check and open; nothing new
   * is made with them. (A sealing key's stand with the messages that need them: KeyUse.kept.)
   */
  readonly kept?: readonly PickedGeneration[];
  /** What a sync key is called where it came from: X-Client-State, or the `kid` of a scoped key. */
  readonly foreignId?: string;
  /** Of a sync key of Weave: what it has opened or made, the newest first. */
  readonly collectionKeys?: readonly StoredCollectionKeys[];
}

export interface PickedGeneration {
  readonly generation: number;
  /** 32 random bytes; of an imported key its PKCS #8, its identity, or its service's secret. */
  readonly key: string;
  readonly created: number;
  /** SubjectPublicKeyInfo, or age's recipient, of an imported key: others can be computed. */
  readonly publicKey?: string;
}

/** Bundles of a Weave account's collections: 64 bytes each, base64url as all bytes here. */
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

/** The types of records, by kind. */
export const PICKED_TYPES: Readonly<Record<PickedKind, string>> = {
  sealing: 'sealing-key',
  signing: 'signing-key',
  sharing: 'sharing-key',
  sync: 'sync-key',
  age: 'age-key',
};

export const PICKED_KINDS = Object.keys(PICKED_TYPES) as readonly PickedKind[];

/** The kinds that are drawn here: age's come from elsewhere. */
export type DrawnKind = Exclude<PickedKind, 'age'>;

/** What a new key of a kind computes; undefined where the kind says it all. */
const NEW_ALGORITHM: Readonly<Record<DrawnKind, KeyAlgorithm | undefined>> = {
  sealing: undefined,
  signing: 'Ed25519',
  sharing: NEW_KEY_PAIR,
  sync: 'sealwright',
};

/** @returns undefined for a record that is no picked key */
export function pickedKindOf({ type }: Pick<VaultRecord, 'type'>): PickedKind | undefined {
  return PICKED_KINDS.find((kind) => PICKED_TYPES[kind] === type);
}

export const pickedKeyOf = (record: VaultRecord): PickedKeyValue =>
  record.value as unknown as PickedKeyValue;

export function pickedKeyRecord(kind: PickedKind, ref: string, value: PickedKeyValue): VaultRecord {
  return { id: ref, type: PICKED_TYPES[kind], value: value as unknown as Json };
}

export function newPickedKey(
  random: RandomSource,
  created: number,
  { kind, label }: { readonly kind: DrawnKind; readonly label: string },
): PickedKeyValue {
  const algorithm = NEW_ALGORITHM[kind];
  const generations = [{ generation: 1, key: drawnKey(random), created }];
  return { label, created, ...(algorithm && { algorithm }), generations };
}

export function importedPickedKey(
  { algorithm, privateKey, publicKey }: ImportedKey,
  created: number,
  label: string,
): PickedKeyValue {
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

/** Whether a new generation can be drawn: an imported key is what it is. */
export function isRotatable({ algorithm, generations }: PickedKeyValue): boolean {
  const isOurs = generations.every(({ publicKey }) => publicKey === undefined);
  return isOurs && !FOREIGN_FORMATS.has(algorithm);
}

/** @returns the key with one generation more, which is what new things are made with */
export function withNewGeneration(
  value: PickedKeyValue,
  random: RandomSource,
  created: number,
): PickedKeyValue {
  const generation = newestGeneration(value) + 1;
  const added = { generation, key: drawnKey(random), created };
  return { ...value, generations: [...value.generations, added] };
}

export function newestGeneration(value: PickedKeyValue): number {
  return value.generations.at(-1)!.generation;
}

/** One generation with its bytes, which the caller wipes. */
export interface GenerationKey {
  readonly generation: number;
  /** 32 bytes; of an imported key its PKCS #8, its identity, or its service's secret. */
  readonly key: Uint8Array;
  /** SubjectPublicKeyInfo, or age's recipient, of an imported key. */
  readonly publicKey?: Uint8Array;
}

/** Newest first, the kept ones last. */
export function generationKeys({ generations, kept = [] }: PickedKeyValue): GenerationKey[] {
  return [...generations.toReversed(), ...kept].map(({ generation, key, publicKey }) => ({
    generation,
    key: fromBase64url(key),
    ...(publicKey !== undefined && { publicKey: fromBase64url(publicKey) }),
  }));
}

function drawnKey(random: RandomSource): string {
  return toBase64url(random.bytes(32));
}
