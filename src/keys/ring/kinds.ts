/*
 * The kinds of user key: how the keys of each are made, stored, backed up and merged. What calls may do with them is in
 * src/rpc/key-kinds.ts.
 */
import { KEY_PAIR_NAMES, NEW_KEY_PAIR } from '../../format/wire/recipient-table.ts';

/** Keys that are made here. Each generation is 32 random bytes; rotation adds one. */
interface DrawnKeys<A> {
  /** All that backups may hold. */
  readonly algorithms: readonly A[];
  /** The one of a new key. */
  readonly forNew: A;
}

/** Keys that were made elsewhere. They are not rotated. */
interface ImportedKeys<A> {
  readonly algorithms: readonly A[];
  /** Length of the key; absent: any encoded key, and its public half beside it. */
  readonly keyBytes?: 32 | 64;
  /** Key bundles of collections and an id at a service may be stored with it (sync-key.ts). */
  readonly hasCollectionKeys?: true;
}

/** Algorithms are undefined where the kind has a single one, which its keys do not name. */
interface KindRow<A> {
  /** The type of its records. */
  readonly recordType: string;
  /** What its keys are for, in the error where a key of another kind is given. */
  readonly purpose: string;
  /** The first format of backups that holds it (backup-contents.ts). */
  readonly backupFormat: number;
  readonly drawn?: DrawnKeys<A>;
  readonly imported?: readonly ImportedKeys<A>[];
  /** Each key serves one site, whose origin is stored with it. */
  readonly isForOneSite?: true;
  /** Messages name the generation: merged vaults need not try each (`kept`). */
  readonly namesGenerations?: true;
}

const NO_ALGORITHM = { algorithms: [undefined], forNew: undefined } as const;

const ROWS = {
  sealing: {
    recordType: 'sealing-key',
    purpose: 'sealing',
    backupFormat: 1,
    drawn: NO_ALGORITHM,
    namesGenerations: true,
  },
  signing: {
    recordType: 'signing-key',
    purpose: 'signing',
    backupFormat: 2,
    drawn: { algorithms: ['Ed25519'], forNew: 'Ed25519' },
    imported: [{ algorithms: ['DSA', 'RSASSA-PKCS1-v1_5', 'RSA-PSS'] }],
  },
  sharing: {
    recordType: 'sharing-key',
    purpose: 'sharing',
    backupFormat: 2,
    drawn: { algorithms: KEY_PAIR_NAMES, forNew: NEW_KEY_PAIR },
  },
  sync: {
    recordType: 'sync-key',
    purpose: 'sync',
    backupFormat: 3,
    drawn: { algorithms: ['sealwright'], forNew: 'sealwright' },
    imported: [
      { algorithms: ['weave-5', 'kinto'], keyBytes: 64, hasCollectionKeys: true },
      { algorithms: ['notes'], keyBytes: 32, hasCollectionKeys: true },
    ],
  },
  age: {
    recordType: 'age-key',
    purpose: 'age',
    backupFormat: 4,
    imported: [{ algorithms: [undefined] }],
  },
  jose: {
    recordType: 'jose-key',
    purpose: 'tokens',
    backupFormat: 6,
    drawn: NO_ALGORITHM,
    isForOneSite: true,
  },
} as const satisfies Readonly<Record<string, KindRow<string | undefined>>>;

type Rows = typeof ROWS;
/** What a user key is for. */
export type UserKeyKind = keyof Rows;
/** The kinds that can be made here. */
export type NewKeyKind = {
  [K in UserKeyKind]: Rows[K] extends { readonly drawn: object } ? K : never;
}[UserKeyKind];

type AlgorithmOf<K extends UserKeyKind> = Rows[K] extends KindRow<infer A> ? A : never;

/** What signing keys compute. */
export type SigningAlgorithm = AlgorithmOf<'signing'>;
/** What sharing keys compute: the recipient types with a key pair. */
export type SharingAlgorithm = AlgorithmOf<'sharing'>;
/** The format of synchronised records: Sealwright's, or that of the service which the key came from. */
export type SyncFormat = AlgorithmOf<'sync'>;
/** The algorithm or record format of a user key. */
export type KeyAlgorithm = NonNullable<AlgorithmOf<UserKeyKind>>;

/** The kinds with their rows. */
export const USER_KEYS: Readonly<Record<UserKeyKind, KindRow<KeyAlgorithm | undefined>>> = ROWS;
/** The names of all kinds. */
export const USER_KEY_KINDS = Object.keys(ROWS) as readonly UserKeyKind[];
/** The types of their records. */
export const USER_KEY_TYPES = USER_KEY_KINDS.map((kind) => USER_KEYS[kind].recordType);
