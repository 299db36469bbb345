/**
 * What an algorithm is to `subtle`: the operations that it registers (Web Cryptography API, section
 * 18.4.4), each of which reads its parameters and returns what to do. An operation that is not
 * there rejects with NotSupportedError.
 */
import type { Awaitable } from '../../engine/contract.ts';
import type { SubtleKey, SubtleKeyPair, Usage } from '../key.ts';
import type { Members } from '../webidl/members.ts';
import type { Runtime } from '../runtime.ts';

/** One message for a cipher. */
export interface CipherWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
  readonly data: Uint8Array;
  readonly into?: Uint8Array | undefined;
}
export type RunCipher = (work: CipherWork) => Promise<Uint8Array>;

export interface SignWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
  readonly data: Uint8Array;
}
export type RunSign = (work: SignWork) => Promise<Uint8Array>;
export type RunVerify = (work: SignWork & { readonly signature: Uint8Array }) => Promise<boolean>;

export type RunDigest = (runtime: Runtime, data: Uint8Array) => Promise<Uint8Array>;

export interface DeriveWork {
  readonly runtime: Runtime;
  readonly key: SubtleKey;
  /** null: as long as the algorithm likes. */
  readonly lengthBits: number | null;
}
export type RunDerive = (work: DeriveWork) => Promise<Uint8Array>;

/** What the holder of a new key wants of it. */
export interface KeyWish {
  readonly extractable: boolean;
  readonly usages: readonly Usage[];
}
export type RunGenerate = (runtime: Runtime, wish: KeyWish) => Awaitable<SubtleKey | SubtleKeyPair>;

export const FORMATS = ['raw', 'raw-secret', 'jwk', 'pkcs8', 'spki'] as const;
export type Format = (typeof FORMATS)[number];

/** Key data with their format; bytes are the importer's to keep. */
export type KeyMaterial =
  | { readonly format: Exclude<Format, 'jwk'>; readonly bytes: Uint8Array }
  | { readonly format: 'jwk'; readonly jwk: JsonWebKey };
export type RunImport = (
  material: KeyMaterial,
  wish: KeyWish,
  runtime: Runtime,
) => Awaitable<SubtleKey>;

type Read<T> = (members: Members) => T;

export interface Definition {
  readonly name: string;
  readonly encrypt?: Read<RunCipher>;
  readonly decrypt?: Read<RunCipher>;
  readonly wrapKey?: Read<RunCipher>;
  readonly unwrapKey?: Read<RunCipher>;
  readonly sign?: Read<RunSign>;
  readonly verify?: Read<RunVerify>;
  readonly digest?: Read<RunDigest>;
  readonly deriveBits?: Read<RunDerive>;
  readonly generateKey?: Read<RunGenerate>;
  readonly importKey?: Read<RunImport>;
  /** Bits of a key that deriveKey makes; null: whatever comes. */
  readonly getKeyLength?: Read<() => number | null>;
  /** No parameters: it goes by the key. Called for extractable keys only. */
  readonly exportKey?: (
    format: Format,
    key: SubtleKey,
    runtime: Runtime,
  ) => Awaitable<Uint8Array | JsonWebKey>;
}
export type Operation = Exclude<keyof Definition, 'name' | 'exportKey'>;
