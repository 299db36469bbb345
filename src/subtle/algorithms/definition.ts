/**
 * The operations that an algorithm registers (Web Cryptography API, section 18.4.4). Each is given the parameters that its
 * row lists (src/crypto/subtle/table.ts), and returns the function that does the work. A missing operation makes
 * `subtle` reject with NotSupportedError.
 */
import type { Hash } from '../../crypto/contracts.ts';
import type { Awaitable, Encapsulated } from '../../engine/contract.ts';
import type { SubtleKey, SubtleKeyPair, Usage } from '../key.ts';
import type { Dictionary } from '../../crypto/subtle/row.ts';
import type { ALGORITHMS, SubtleName } from '../../crypto/subtle/table.ts';
import type { ParamsOf } from '../webidl/members.ts';
import type { Runtime } from '../runtime.ts';

/** One message for a cipher. */
export interface CipherWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
  readonly data: Uint8Array;
  readonly into?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}
/** Encrypts, decrypts, wraps or unwraps one message. */
export type RunCipher = (work: CipherWork) => Promise<Uint8Array>;

/** One message for a MAC or a signature. */
export interface SignWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
  readonly data: Uint8Array;
}
/** @returns the signature or tag */
export type RunSign = (work: SignWork) => Promise<Uint8Array>;
/** @returns whether the signature or tag is right */
export type RunVerify = (work: SignWork & { readonly signature: Uint8Array }) => Promise<boolean>;

/** @returns the digest */
export type RunDigest = (
  runtime: Runtime,
  data: Uint8Array,
  signal?: AbortSignal,
) => Promise<Uint8Array>;
/** Begins a digest whose message comes in pieces. @throws OperationError (DOMException), NoEngineError */
export type RunCreateHash = (runtime: Runtime) => Hash;

/** One derivation from a key. */
export interface DeriveWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
  /** null: the length is the algorithm's choice. */
  readonly lengthBits: number | null;
}
/** @returns the derived bits, which the caller wipes */
export type RunDerive = (work: DeriveWork) => Promise<Uint8Array>;

/** A public key to encapsulate for. */
export interface EncapsulateWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
}
/** @returns the shared key, which the caller wipes, and its ciphertext */
export type RunEncapsulate = (work: EncapsulateWork) => Promise<Encapsulated>;
/** @returns the shared key, which the caller wipes */
export type RunDecapsulate = (
  work: EncapsulateWork & { readonly ciphertext: Uint8Array },
) => Promise<Uint8Array>;

/** The arguments of a new key. */
export interface RequestedKey {
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}
/** Generates a key or a key pair. */
export type RunGenerate = (
  runtime: Runtime,
  requested: RequestedKey,
) => Awaitable<SubtleKey | SubtleKeyPair>;

/** KeyFormat of the WICG draft. */
export const FORMATS = [
  'raw',
  'raw-public',
  'raw-private',
  'raw-seed',
  'raw-secret',
  'jwk',
  'pkcs8',
  'spki',
] as const;
/** One of `FORMATS`. */
export type Format = (typeof FORMATS)[number];

/** Key data with their format. The importer may keep the bytes. */
export type KeyMaterial =
  | { readonly format: Exclude<Format, 'jwk'>; readonly bytes: Uint8Array }
  | { readonly format: 'jwk'; readonly jwk: JsonWebKey };
/** Imports a key. */
export type RunImport = (
  material: KeyMaterial,
  requested: RequestedKey,
  runtime: Runtime,
) => Awaitable<SubtleKey>;

/** What the operations of an algorithm do with parameters that have been read. */
export interface Runs {
  readonly encrypt: RunCipher;
  readonly decrypt: RunCipher;
  readonly wrapKey: RunCipher;
  readonly unwrapKey: RunCipher;
  readonly sign: RunSign;
  readonly verify: RunVerify;
  readonly digest: RunDigest;
  readonly deriveBits: RunDerive;
  readonly encapsulate: RunEncapsulate;
  readonly decapsulate: RunDecapsulate;
  readonly generateKey: RunGenerate;
  readonly importKey: RunImport;
  /** Length in bits of a key that deriveKey makes; null: the whole output. */
  readonly getKeyLength: () => number | null;
  /** Not in the standard. Its parameters are those of `digest`. */
  readonly createHash: RunCreateHash;
}
/** An operation that reads parameters. */
export type Operation = keyof Runs;

/** The operations that read a key alone. */
export interface KeyReaders {
  /** Called for extractable keys only. */
  readonly exportKey?: (
    format: Format,
    key: SubtleKey,
    runtime: Runtime,
  ) => Awaitable<Uint8Array | JsonWebKey>;
  /** The public key of a private one. */
  readonly getPublicKey?: (
    key: SubtleKey,
    usages: readonly Usage[],
    runtime: Runtime,
  ) => Awaitable<SubtleKey>;
}

interface Named<N extends string> extends KeyReaders {
  readonly name: N;
  /** What to use in place of the members that its row refuses. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** One algorithm: its name and its operations. */
export type Definition = Named<string> & { readonly [O in Operation]?: (params: never) => Runs[O] };

type Operations<A extends SubtleName> = (typeof ALGORITHMS)[A]['operations'];
type Params<A extends SubtleName, O> = O extends keyof Operations<A>
  ? Operations<A>[O] extends infer D extends Dictionary
    ? ParamsOf<D>
    : never
  : never;

/** The definition of one algorithm: the operations that its row registers, over the members that it lists. */
export type DefinitionOf<A extends SubtleName> = Named<A> & {
  readonly [O in Operation & keyof Operations<A>]: (params: Params<A, O>) => Runs[O];
} & { readonly createHash?: (params: Params<A, 'digest'>) => RunCreateHash };

/** What one operation of an algorithm is given. */
export type ParamsFor<A extends SubtleName, O extends keyof Operations<A>> = Params<A, O>;
/** An operation over parameters. */
export type Reads<O extends Operation, P = object> = (params: P) => Runs[O];
