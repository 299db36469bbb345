/** Hashes: one function for each algorithm. */
import { equal, fromHex, utf8 } from '../crypto/bytes.ts';
import type { Hash, HashAlgorithm, HashName, Sha3Name, ShaName } from '../crypto/contracts.ts';
import { Blake3Algorithm } from '../engine/wasm/hash/blake3.ts';
import { blake2bAlgorithm, loadBlakeInstance } from '../engine/wasm/hash/blake.ts';
import type { BlakeInstance } from '../engine/wasm/hash/blake.ts';
import { loadKeccak } from '../engine/wasm/hash/keccak.ts';
import { loadSha } from '../engine/wasm/hash/sha.ts';
import type { ShaModule } from '../engine/wasm/hash/sha.ts';
import { loadWasmAt } from '../engine/wasm/library-loader.ts';
import { BLAKE_MODULES, KECCAK_MODULES, SHA_MODULES } from '../engine/wasm/module-scripts.ts';
import { assertRight, loadAlgorithm, once } from './load.ts';
import type { AlgorithmOptions, Folder } from './load.ts';

/** A hash of a message that comes in pieces. */
export interface RunningHash {
  /** The length of the digest in bytes. */
  readonly digestBytes: number;
  /** Appends to the message, any length. @throws TypeError for other types; Error after `digest` */
  update(data: Uint8Array): this;
  /** Ends the message. @returns digestBytes bytes. @throws Error when called twice */
  digest(): Uint8Array<ArrayBuffer>;
  /** A second one in the same state, so that a common beginning is hashed once. */
  clone(): RunningHash;
  /** Overwrites the state. */
  wipe(): void;
}

/** A hash function. Its methods are synchronous, on the calling thread. */
export interface HashFunction<N extends HashName = HashName> {
  /** As docs/library.md names it. */
  readonly name: N;
  /** The length of the digest in bytes. */
  readonly digestBytes: number;
  /** The length of a block in bytes: the usual length of a key of HMAC. */
  readonly blockBytes: number;
  /** @param data any length @returns digestBytes bytes @throws TypeError for other types */
  digest(data: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Begins a message that comes in pieces. */
  create(): RunningHash;
}

/** Loads a hash function: one of those below. `hmac`, `hkdf` and `pbkdf2` take it. */
export type LoadHash<N extends HashName = HashName> = (
  options?: AlgorithmOptions,
) => Promise<HashFunction<N>>;

/**
 * SHA-1 (FIPS 180-4), 20 bytes, for existing protocols: collisions are known.
 *
 *     const digest = (await sha256()).digest(data);
 *
 * All hashes reject with TypeError for unknown options, and with NotSupportedError (DOMException) and the reason where
 * their WebAssembly does not load or gives a wrong answer.
 */
export function sha1(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA-1'>> {
  return sha('SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d', options);
}

/** SHA-256 (FIPS 180-4), 32 bytes. */
export function sha256(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA-256'>> {
  return sha(
    'SHA-256',
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    options,
  );
}

/** SHA-384 (FIPS 180-4), 48 bytes. */
export function sha384(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA-384'>> {
  return sha(
    'SHA-384',
    'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
    options,
  );
}

/** SHA-512 (FIPS 180-4), 64 bytes. */
export function sha512(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA-512'>> {
  return sha(
    'SHA-512',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    options,
  );
}

/** SHA3-256 (FIPS 202), 32 bytes. */
export function sha3_256(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA3-256'>> {
  return sha3(
    'SHA3-256',
    '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
    options,
  );
}

/** SHA3-384 (FIPS 202), 48 bytes. */
export function sha3_384(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA3-384'>> {
  return sha3(
    'SHA3-384',
    'ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25',
    options,
  );
}

/** SHA3-512 (FIPS 202), 64 bytes. */
export function sha3_512(options: AlgorithmOptions = {}): Promise<HashFunction<'SHA3-512'>> {
  return sha3(
    'SHA3-512',
    'b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0',
    options,
  );
}

/** BLAKE2b (RFC 7693), 64 bytes. */
export function blake2b(options: AlgorithmOptions = {}): Promise<HashFunction<'BLAKE2b'>> {
  const load = async (folder: Folder) =>
    tested(
      blake2bAlgorithm(await blakeInstance(folder)),
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    );
  return loadAlgorithm('BLAKE2b', options, load);
}

/** BLAKE3 (the paper of 2020), 32 bytes. */
export function blake3(options: AlgorithmOptions = {}): Promise<HashFunction<'BLAKE3'>> {
  const load = async (folder: Folder) => {
    const { functions, instance } = await blakeInstance(folder);
    return tested(
      new Blake3Algorithm(functions, instance),
      'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444',
      Uint8Array.from({ length: 1025 }, (_, i) => i % 251),
    );
  };
  return loadAlgorithm('BLAKE3', options, load);
}

/** The hash itself, for constructions over it. @throws TypeError if it is not SHA or SHA-3 of this file */
export async function hashForMac<N extends ShaName | Sha3Name>(
  hash: LoadHash<N>,
  options: AlgorithmOptions,
): Promise<HashAlgorithm<N>> {
  const loaded = typeof hash === 'function' ? await hash(options) : undefined;
  const algorithm = LoadedHash.algorithmOf(loaded);
  if (!algorithm?.name.startsWith('SHA')) {
    throw new TypeError(
      'hash must be a function such as sha256; BLAKE2b and BLAKE3 have modes of their own',
    );
  }
  return algorithm as HashAlgorithm<N>;
}

/** The module of SHA-1 and SHA-2. */
export function shaModule(folder: Folder): Promise<ShaModule> {
  return once('sha.wasm', folder, () => loadSha(loadWasmAt(SHA_MODULES, folder)));
}

function blakeInstance(folder: Folder): Promise<BlakeInstance> {
  return once('blake.wasm', folder, () => loadBlakeInstance(loadWasmAt(BLAKE_MODULES, folder)));
}

function sha<N extends ShaName>(
  name: N,
  digest: string,
  options: AlgorithmOptions,
): Promise<HashFunction<N>> {
  const load = async (folder: Folder) => tested((await shaModule(folder)).hashes[name], digest);
  return loadAlgorithm(name, options, load);
}

function sha3<N extends Sha3Name>(
  name: N,
  digest: string,
  options: AlgorithmOptions,
): Promise<HashFunction<N>> {
  const load = async (folder: Folder) => {
    const { hashes } = await once('keccak.wasm', folder, () =>
      loadKeccak(loadWasmAt(KECCAK_MODULES, folder)),
    );
    return tested<N>(hashes[name] as Whole<Sha3Name> as Whole<N>, digest);
  };
  return loadAlgorithm(name, options, load);
}

/** Digests whole messages too. */
interface Whole<N extends HashName> extends HashAlgorithm<N> {
  digest(data: Uint8Array): Uint8Array;
}

/** @param digest of the message, which is "abc" in all standards but that of BLAKE3 */
function tested<N extends HashName>(
  algorithm: Whole<N>,
  digest: string,
  message: Uint8Array = utf8('abc'),
): HashFunction<N> {
  const expected = fromHex(digest);
  const inPieces = algorithm.create().update(message.subarray(0, 1)).update(message.subarray(1));
  const isRight = equal(algorithm.digest(message), expected) && equal(inPieces.digest(), expected);
  assertRight(isRight);
  return new LoadedHash(algorithm);
}

class LoadedHash<N extends HashName> implements HashFunction<N> {
  readonly name: N;
  readonly digestBytes: number;
  readonly blockBytes: number;
  readonly #algorithm: Whole<N>;

  constructor(algorithm: Whole<N>) {
    this.name = algorithm.name;
    this.digestBytes = algorithm.digestBytes;
    this.blockBytes = algorithm.blockBytes;
    this.#algorithm = algorithm;
  }

  static algorithmOf(value: unknown): HashAlgorithm | undefined {
    const isOne = typeof value === 'object' && value !== null && #algorithm in value;
    return isOne ? value.#algorithm : undefined;
  }

  digest(data: Uint8Array): Uint8Array<ArrayBuffer> {
    return this.#algorithm.digest(data) as Uint8Array<ArrayBuffer>;
  }

  create(): RunningHash {
    const hash: Hash = this.#algorithm.create();
    return hash as RunningHash;
  }
}
