/** Key derivation: one function for each algorithm. */
import { equal, fromHex, utf8 } from '../crypto/bytes.ts';
import type { HashAlgorithm, ShaName } from '../crypto/contracts.ts';
import { checkBytes, checkInteger, checkOptions } from '../crypto/errors.ts';
import type { NamesOf } from '../crypto/errors.ts';
import { hkdf as hkdfOver } from '../crypto/kdf/hkdf.ts';
import { pbkdf2 as pbkdf2Over } from '../crypto/kdf/pbkdf2.ts';
import type { Awaitable, MacHashName } from '../engine/contract.ts';
import { loadArgon2 } from '../engine/wasm/hash/argon2.ts';
import { pbkdf2 as shaPbkdf2 } from '../engine/wasm/hash/pbkdf2.ts';
import { loadScrypt } from '../engine/wasm/hash/scrypt.ts';
import { loadWasmAt } from '../engine/wasm/library-loader.ts';
import { ARGON2_MODULES, SCRYPT_MODULES } from '../engine/wasm/module-scripts.ts';
import { hashForMac, shaModule } from './hash.ts';
import type { LoadHash } from './hash.ts';
import { assertRight, loadAlgorithm } from './load.ts';
import type { AlgorithmOptions, Folder } from './load.ts';

/** A key derivation. Most of its work blocks the calling thread: let a worker do what takes long. */
export interface KeyDerivation<P> {
  /**
   * @param secret any length, 0 included; each function says whether it is for passwords
   * @param params each function says which
   * @param lengthBytes of the result
   * @throws TypeError for wrong types and unknown parameters; RangeError for wrong lengths and values
   */
  derive(secret: Uint8Array, params: P, lengthBytes: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** The parameters of HKDF. */
export interface HkdfParams {
  /** Any length; as many zeros as the digest has bytes if empty. */
  readonly salt: Uint8Array;
  /** The purpose of the derived key; any length. */
  readonly info: Uint8Array;
}

/** The parameters of PBKDF2. */
export interface Pbkdf2Params {
  /** 16 random bytes are usual. */
  readonly salt: Uint8Array;
  /** 1 and more. */
  readonly iterations: number;
}

/** The parameters of scrypt, which takes 128 · N · r bytes of memory. */
export interface ScryptParams {
  /** 16 random bytes are usual. */
  readonly salt: Uint8Array;
  /** Cost: a power of two, 2 and more, below 2^(16 r). */
  readonly N: number;
  /** Block size; r · p below 2^30. */
  readonly r: number;
  /** Blocks that are mixed, one after the other. */
  readonly p: number;
}

/** The parameters of Argon2id. */
export interface Argon2idParams {
  /** The salt: 8 bytes and more. */
  readonly nonce: Uint8Array;
  /** In KiB: 8 · parallelism to 2^20. */
  readonly memory: number;
  /** 1 to 16. */
  readonly passes: number;
  /** Lanes, one after the other: 1 to 16. */
  readonly parallelism: number;
  /** A key; any length, none if absent. */
  readonly secretValue?: Uint8Array;
  /** Any length, empty if absent. */
  readonly associatedData?: Uint8Array;
}

/**
 * HKDF (RFC 5869) in constant time: keys from a strong secret. Passwords need `argon2id` or `pbkdf2`.
 *
 *     const kdf = await hkdf(sha256);
 *     const key = await kdf.derive(secret, { salt, info }, 32);
 *
 * Results: 0 to 255 times the digest's length.
 *
 * @param hash `sha1`, `sha256`, `sha384`, `sha512`, `sha3_256`, `sha3_384` or `sha3_512`
 * @throws TypeError for the arguments; NotSupportedError (DOMException) as the hash
 */
export async function hkdf(
  hash: LoadHash<MacHashName>,
  options: AlgorithmOptions = {},
): Promise<KeyDerivation<HkdfParams>> {
  const over = await hashForMac(hash, options);
  const name = `HKDF with ${over.name}`;
  const load = () =>
    tested<HkdfParams>(
      HKDF_PARAMS,
      (secret, { salt, info }, lengthBytes) => {
        checkBytes('secret', secret);
        return hkdfOver(over, secret, salt, info, lengthBytes);
      },
      HKDF_ANSWERS[over.name],
    );
  return loadAlgorithm(name, options, load);
}

/**
 * PBKDF2 (RFC 8018) with HMAC, in constant time: keys from passwords, at a cost that `iterations` sets. `argon2id`
 * costs an attacker more.
 *
 * @param hash as `hkdf`
 * @throws as `hkdf`
 */
export async function pbkdf2(
  hash: LoadHash<MacHashName>,
  options: AlgorithmOptions = {},
): Promise<KeyDerivation<Pbkdf2Params>> {
  const over = await hashForMac(hash, options);
  const name = `PBKDF2 with ${over.name}`;
  const load = async (folder: Folder) => {
    const run = await pbkdf2With(folder, over);
    return tested<Pbkdf2Params>(
      PBKDF2_PARAMS,
      (secret, { salt, iterations }, lengthBytes) => {
        checkBytes('secret', secret);
        return run(secret, salt, iterations, lengthBytes);
      },
      PBKDF2_ANSWERS[over.name],
    );
  };
  return loadAlgorithm(name, options, load);
}

/**
 * scrypt (RFC 7914): keys from passwords, at a cost in memory. It reads memory at addresses that depend on the
 * password, by design: an attacker who observes the cache learns about it.
 *
 * @throws TypeError for the options; NotSupportedError (DOMException) with the reason where its WebAssembly does not
 *   load or gives a wrong answer
 */
export function scrypt(options: AlgorithmOptions = {}): Promise<KeyDerivation<ScryptParams>> {
  const load = async (folder: Folder) => {
    const module = await loadScrypt(loadWasmAt(SCRYPT_MODULES, folder), await shaModule(folder));
    return tested<ScryptParams>(
      SCRYPT_PARAMS,
      (secret, { salt, ...cost }, lengthBytes) => {
        checkBytes('secret', secret);
        return module.derive(secret, salt, cost, lengthBytes);
      },
      {
        // RFC 7914, section 12
        secret: '',
        params: () => ({ salt: new Uint8Array(0), N: 16, r: 1, p: 1 }),
        output:
          '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
      },
    );
  };
  return loadAlgorithm('scrypt', options, load);
}

/**
 * Argon2id (RFC 9106, version 0x13): keys from passwords, at a cost in memory. Half of it reads
 * memory at addresses that depend on the password, by design.
 *
 * Results: 4 to 1,024 bytes.
 *
 * @throws as `scrypt`
 */
export function argon2id(options: AlgorithmOptions = {}): Promise<KeyDerivation<Argon2idParams>> {
  const load = async (folder: Folder) => {
    const module = await loadArgon2(loadWasmAt(ARGON2_MODULES, folder));
    const run: Derive<Argon2idParams> = (secret, params, lengthBytes) => {
      checkArgon2id(secret, params, lengthBytes);
      const { memory: memoryKiB, secretValue, ...rest } = params;
      const options = { ...rest, memoryKiB, ...(secretValue && { secret: secretValue }) };
      return module.derive('Argon2id', secret, options, lengthBytes);
    };
    return tested<Argon2idParams>(ARGON2ID_PARAMS, run, {
      // RFC 9106, 5.3
      secret: '0101010101010101010101010101010101010101010101010101010101010101',
      params: () => ({
        nonce: new Uint8Array(16).fill(2),
        secretValue: new Uint8Array(8).fill(3),
        associatedData: new Uint8Array(12).fill(4),
        memory: 32,
        passes: 3,
        parallelism: 4,
      }),
      output: '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659',
    });
  };
  return loadAlgorithm('Argon2id', options, load);
}

/** Checks what has another name in the module, and the limits of the work. */
function checkArgon2id(
  secret: Uint8Array,
  { nonce, memory, passes, parallelism, secretValue }: Argon2idParams,
  lengthBytes: number,
): void {
  checkBytes('secret', secret);
  checkBytes('nonce', nonce, { min: 8 });
  checkInteger('parallelism', parallelism, 1, 16);
  checkInteger('memory', memory, 8 * parallelism, 2 ** 20);
  checkInteger('passes', passes, 1, 16);
  checkInteger('lengthBytes', lengthBytes, 4, 1024);
  if (secretValue !== undefined) checkBytes('secretValue', secretValue);
}

interface Answer<P> {
  /** Hexadecimal, as `output`. */
  readonly secret: string;
  readonly params: () => P;
  readonly output: string;
}

const HKDF_PARAMS: NamesOf<HkdfParams> = { salt: true, info: true };
const PBKDF2_PARAMS: NamesOf<Pbkdf2Params> = { salt: true, iterations: true };
const SCRYPT_PARAMS: NamesOf<ScryptParams> = { salt: true, N: true, r: true, p: true };
const ARGON2ID_PARAMS: NamesOf<Argon2idParams> = {
  nonce: true,
  memory: true,
  passes: true,
  parallelism: true,
  secretValue: true,
  associatedData: true,
};

/** The project carries no answers for the other hashes; their digests have been tested. */
const HKDF_ANSWERS: Readonly<Partial<Record<MacHashName, Answer<HkdfParams>>>> = {
  'SHA-1': {
    // RFC 5869, A.4
    secret: '0b0b0b0b0b0b0b0b0b0b0b',
    params: rfc5869,
    output: '085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896',
  },
  'SHA-256': {
    // RFC 5869, A.1
    secret: '0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b',
    params: rfc5869,
    output: '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
  },
  'SHA-512': {
    // Wycheproof hkdf_sha512_test, tcId 1
    secret: '24aeff2645e3e0f5494a9a102778c43a',
    params: () => ({ salt: new Uint8Array(0), info: new Uint8Array(0) }),
    output: 'dd2599840b09699c6200b5cba79002b3aa75c61b',
  },
};

function rfc5869(): HkdfParams {
  return { salt: fromHex('000102030405060708090a0b0c'), info: fromHex('f0f1f2f3f4f5f6f7f8f9') };
}

/** Likewise. */
const PBKDF2_ANSWERS: Readonly<Partial<Record<MacHashName, Answer<Pbkdf2Params>>>> = {
  'SHA-1': {
    // RFC 6070, 2 iterations
    secret: '70617373776f7264', // password
    params: () => ({ salt: utf8('salt'), iterations: 2 }),
    output: 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957',
  },
  'SHA-256': {
    // RFC 7914, section 11
    secret: '706173737764', // passwd
    params: () => ({ salt: utf8('salt'), iterations: 1 }),
    output:
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
  },
};

type Pbkdf2 = (
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
) => Uint8Array;

/** The iterations run inside the module for SHA-1 and SHA-2 alone. */
async function pbkdf2With(folder: Folder, over: HashAlgorithm<MacHashName>): Promise<Pbkdf2> {
  const { name } = over;
  if (!isSha(name)) return (...rest) => pbkdf2Over(over, ...rest);
  const module = await shaModule(folder);
  return (...rest) => shaPbkdf2(module, name, ...rest);
}

function isSha(name: MacHashName): name is ShaName {
  return name.startsWith('SHA-');
}

type Derive<P> = (secret: Uint8Array, params: P, lengthBytes: number) => Awaitable<Uint8Array>;

/** @throws Error if the answer is wrong */
async function tested<P extends object>(
  names: NamesOf<P>,
  run: Derive<P>,
  answer: Answer<P> | undefined,
): Promise<KeyDerivation<P>> {
  const kdf: KeyDerivation<P> = {
    derive: async (secret, params, lengthBytes) => {
      checkOptions('params', params, names);
      return (await run(secret, params, lengthBytes)) as Uint8Array<ArrayBuffer>;
    },
  };
  if (answer === undefined) return kdf;
  const output = fromHex(answer.output);
  const derived = await kdf.derive(fromHex(answer.secret), answer.params(), output.length);
  assertRight(equal(derived, output));
  return kdf;
}
