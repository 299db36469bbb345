/**
 * Calls of a fixed size, which the self-test times beside the throughput of `TIMED`: decryption, longer keys, and
 * what is not measured in bytes per second. All engines get the same inputs, so that their results can be
 * compared.
 */
import { AEAD_NAMES } from '../../crypto/algorithms.ts';
import type { AlgorithmName, Algorithms, Cipher, Kdf, KdfName, KdfParams } from '../contract.ts';
import {
  CIPHERS,
  keyOf,
  messageOf,
  type CipherTask,
  type Task,
  type TimedCipher,
} from './tasks.ts';

/** What a call does. */
export type Operation = 'decrypt' | 'encrypt' | 'derive' | 'power';

/** One call of a fixed size. */
export interface FixedCall {
  readonly operation: Operation;
  /** The algorithm with its parameters, in the symbols of its standard: "Argon2id, m = 1024, t = 1, p = 1". */
  readonly name: string;
  readonly algorithm: AlgorithmName;
  /** Size of the message; 0 where there is none. */
  readonly bytes: number;
  /** @returns undefined if the engine cannot do it */
  readonly prepare: (engine: Algorithms) => Promise<Task | undefined>;
}

/** The length of the messages that are encrypted and decrypted: a chunk of a sealed message. */
const MESSAGE_BYTES = 65_536;

/** Of every derived key. */
const DERIVED_BYTES = 32;
const MODULUS_BYTES = 256;
/** NIST SP 800-56A revision 3, section 5.6.1.1.1: at least 2s bits, and s is 112 for a modulus of 2,048 bits. */
const EXPONENT_BYTES = 28;

const DECRYPTED = [...AEAD_NAMES, 'AES-SIV', 'AES-CBC', 'AES-ECB'] as const;
const WITH_LONG_KEYS = [
  ...['AES-GCM', 'AES-OCB', 'AES-CCM', 'AES-GCM-SIV', 'AES-CTR', 'AES-CBC', 'AES-ECB'],
] as const satisfies readonly TimedCipher[];

const SALT = new Uint8Array(16);
const NOTHING = new Uint8Array(0);

/** The calls, in the order of their results; those of one operation are neighbours. */
export const CALLS: readonly FixedCall[] = [
  ...DECRYPTED.map((algorithm) => ciphering('decrypt', algorithm, CIPHERS[algorithm])),
  ...WITH_LONG_KEYS.map((algorithm) =>
    ciphering('encrypt', algorithm, { ...CIPHERS[algorithm], keyBytes: 32 }),
  ),
  {
    ...ciphering('encrypt', 'Salsa20', {
      ...CIPHERS.Salsa20,
      params: { ...CIPHERS.Salsa20.params, rounds: 12 },
    }),
    name: 'Salsa20/12',
  },
  deriving('PBKDF2', 'SHA-256, c = 1000', { hash: 'SHA-256', salt: SALT, iterations: 1000 }),
  deriving('scrypt', 'N = 1024, r = 8, p = 1', { salt: SALT, N: 1024, r: 8, p: 1 }),
  deriving('Argon2id', 'm = 1024, t = 1, p = 1', {
    nonce: SALT,
    memoryKiB: 1024,
    passes: 1,
    parallelism: 1,
    secret: NOTHING,
    associatedData: NOTHING,
  }),
  raising(),
];

/** "AES-256-GCM"; names of other ciphers have no length of a key. */
function withKeyBits(algorithm: TimedCipher, keyBytes: number): string {
  // SIV's key is two (RFC 5297, section 2.2), and its name goes by the length of one.
  const bits = algorithm === 'AES-SIV' ? 4 * keyBytes : 8 * keyBytes;
  return algorithm.replace(/^AES-/, `AES-${bits}-`);
}

function ciphering(
  operation: 'decrypt' | 'encrypt',
  algorithm: TimedCipher,
  { keyBytes, params }: CipherTask<TimedCipher>,
): FixedCall {
  return {
    operation,
    name: withKeyBits(algorithm, keyBytes),
    algorithm,
    bytes: MESSAGE_BYTES,
    prepare: async (engine) => {
      // Algorithm and parameters belong together.
      const cipher: Cipher<unknown> | undefined = engine[algorithm];
      if ((await cipher?.gap?.(keyBytes, params)) !== undefined) return undefined;
      const keyed = await cipher?.withKey(keyOf(keyBytes));
      if (keyed === undefined) return undefined;
      const message = messageOf(MESSAGE_BYTES);
      if (operation === 'encrypt') return () => keyed.encrypt(params, message);
      const ciphertext = await keyed.encrypt(params, message);
      return () => keyed.decrypt(params, ciphertext);
    },
  };
}

function deriving<A extends KdfName>(
  algorithm: A,
  parameters: string,
  params: KdfParams[A],
): FixedCall {
  const secret = keyOf(16);
  return {
    operation: 'derive',
    name: `${algorithm}, ${parameters}`,
    algorithm,
    bytes: 0,
    prepare: async (engine) => {
      const kdf: Kdf<unknown> | undefined = engine[algorithm];
      if ((await kdf?.gap?.(secret.length, params, DERIVED_BYTES)) !== undefined) return undefined;
      return kdf && (() => kdf.derive(secret, params, DERIVED_BYTES));
    },
  };
}

/** The one operation of DH and DSA. Its time depends on the lengths alone, so any odd modulus will do. */
function raising(): FixedCall {
  const modulus = messageOf(MODULUS_BYTES).fill(0xff, 0, 8);
  modulus[MODULUS_BYTES - 1]! |= 1;
  const base = messageOf(MODULUS_BYTES - 1);
  const exponent = new Uint8Array(EXPONENT_BYTES).fill(0xd5);
  return {
    operation: 'power',
    name: `n: ${8 * MODULUS_BYTES} bit, x: ${8 * EXPONENT_BYTES} bit`,
    algorithm: 'DH',
    bytes: 0,
    prepare: ({ DH: algorithm }) =>
      Promise.resolve(algorithm && (() => algorithm.power(base, exponent, modulus))),
  };
}
