/** Adapts hashes, HMAC and key derivations of the WebAssembly modules to the engine contract. */
import type { HashAlgorithm, HashName, ShaName } from '../../../crypto/contracts.ts';
import { hkdf } from '../../../crypto/kdf/hkdf.ts';
import { ARGON2_NAMES } from '../../../crypto/kdf/argon2.ts';
import type { Argon2Name } from '../../../crypto/kdf/argon2.ts';
import { pbkdf2 as portablePbkdf2 } from '../../../crypto/kdf/pbkdf2.ts';
import type {
  Argon2Params,
  DigestAlgorithm,
  HkdfParams,
  Kdf,
  MacAlgorithm,
  MacHashName,
  Pbkdf2Params,
  ScryptParams,
} from '../../contract.ts';
import { keccakFunctions, type KeccakFunctions } from '../../keccak-functions.ts';
import type { Argon2 } from './argon2.ts';
import type { WasmHashes } from './hashes.ts';
import { wasmHmac } from './hmac.ts';
import { pbkdf2 } from './pbkdf2.ts';

/** The hashes, MACs and KDFs of the engine. */
export interface HashAlgorithms
  extends Readonly<Record<HashName, DigestAlgorithm>>, KeccakFunctions {
  readonly HMAC: MacAlgorithm;
  readonly HKDF: Kdf<HkdfParams>;
  readonly PBKDF2: Kdf<Pbkdf2Params>;
  readonly scrypt: Kdf<ScryptParams>;
}

/** @returns the algorithms of the loaded hash modules, for the engine contract */
export function hashAlgorithms(hashes: WasmHashes): HashAlgorithms {
  return {
    ...digests(hashes),
    ...keccakFunctions(hashes.keccak.primitives),
    HMAC: wasmHmac(hashes.sha, hashes.algorithms),
    HKDF: {
      constantTime: 'by-construction',
      derive: (secret, { hash, salt, info }, lengthBytes) =>
        hkdf(hashes.algorithms[hash], secret, salt, info, lengthBytes),
    },
    PBKDF2: {
      constantTime: 'by-construction',
      // RFC 8018 requires at least one byte; the Web Cryptography API allows none.
      derive: (secret, { hash, salt, iterations }, lengthBytes) =>
        lengthBytes === 0
          ? new Uint8Array(0)
          : derivePbkdf2(hashes, hash, secret, salt, iterations, lengthBytes),
    },
    scrypt: {
      // The addresses of ROMix depend on the password: a property of scrypt.
      constantTime: 'no',
      derive: (secret, { salt, ...cost }, lengthBytes) =>
        lengthBytes === 0
          ? new Uint8Array(0)
          : hashes.scrypt.derive(secret, salt, cost, lengthBytes),
    },
  };
}

/** @returns the three types of Argon2, for the engine contract */
export function argon2Algorithms(argon2: Argon2): Readonly<Record<Argon2Name, Kdf<Argon2Params>>> {
  const kdf = (name: Argon2Name): Kdf<Argon2Params> => ({
    // The addresses of Argon2d, and those of Argon2id's second half, depend on the password: a property of both.
    constantTime: name === 'Argon2i' ? 'by-construction' : 'no',
    derive: (password, params, lengthBytes) => argon2.derive(name, password, params, lengthBytes),
  });
  const entries = ARGON2_NAMES.map((name) => [name, kdf(name)]);
  return Object.fromEntries(entries) as Readonly<Record<Argon2Name, Kdf<Argon2Params>>>;
}

function digests({ algorithms }: WasmHashes): Readonly<Record<HashName, DigestAlgorithm>> {
  const entries = Object.entries(algorithms).map(([name, algorithm]): [string, DigestAlgorithm] => [
    name,
    {
      constantTime: 'by-construction',
      digest: (data) => algorithm.digest(data),
      create: () => algorithm.create(),
    },
  ]);
  return Object.fromEntries(entries) as Readonly<Record<HashName, DigestAlgorithm>>;
}

/** The iterations run inside the module for SHA-1 and SHA-2 alone. */
function derivePbkdf2(
  hashes: WasmHashes,
  hash: MacHashName,
  ...rest: readonly [Uint8Array, Uint8Array, number, number]
): Uint8Array {
  const algorithm: HashAlgorithm = hashes.algorithms[hash];
  return isSha(hash) ? pbkdf2(hashes.sha, hash, ...rest) : portablePbkdf2(algorithm, ...rest);
}

function isSha(hash: MacHashName): hash is ShaName {
  return hash.startsWith('SHA-');
}
