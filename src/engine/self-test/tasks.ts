/**
 * The calls that the self-test times: one algorithm with a key that is already set up. All engines
 * get the same key, nonce and message, so that their results can be compared.
 */
import type {
  AeadParams,
  AlgorithmName,
  Algorithms,
  Awaitable,
  Cipher,
  CipherName,
  CipherParams,
  DigestAlgorithm,
  MacAlgorithm,
  MacName,
} from '../contract.ts';

/** One call that is timed. */
export type Task = () => Awaitable<Uint8Array>;

/**
 * Algorithms whose speed depends on the message's size, so no key derivations. Those that cost the
 * same as another one for long messages (XChaCha20-Poly1305, SHA3-384) are left out.
 */
export const TIMED = [
  'AES-GCM',
  'AES-OCB',
  'AES-CCM',
  'AES-SIV',
  'AES-GCM-SIV',
  'ChaCha20-Poly1305',
  'AES-CTR',
  'AES-CBC',
  'AES-ECB',
  'Salsa20',
  'AES-CMAC',
  'AES-CBC-MAC',
  'HMAC',
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-512',
  'BLAKE2b',
  'BLAKE3',
] as const satisfies readonly AlgorithmName[];
/** An algorithm that the self-test times. */
export type TimedAlgorithm = (typeof TIMED)[number];

const AEAD: AeadParams = {
  nonce: new Uint8Array(12),
  associatedData: new Uint8Array(0),
  tagBytes: 16,
};

/** The inputs of each cipher: AES with 128-bit keys, which every engine has. */
const CIPHERS: { readonly [A in Timed<CipherName>]: CipherTask<A> } = {
  'AES-GCM': { keyBytes: 16, params: AEAD },
  'AES-OCB': { keyBytes: 16, params: AEAD },
  'AES-CCM': { keyBytes: 16, params: AEAD },
  // S2V and CTR have a key each.
  'AES-SIV': { keyBytes: 32, params: { associatedData: [] } },
  'AES-GCM-SIV': { keyBytes: 16, params: AEAD },
  'ChaCha20-Poly1305': { keyBytes: 32, params: AEAD },
  'AES-CTR': { keyBytes: 16, params: { counter: new Uint8Array(16), counterBits: 128 } },
  'AES-CBC': { keyBytes: 16, params: { iv: new Uint8Array(16) } },
  'AES-ECB': { keyBytes: 16, params: {} },
  Salsa20: { keyBytes: 32, params: { nonce: new Uint8Array(8), rounds: 20, counter: 0 } },
};

const MACS: { readonly [A in MacName]: { readonly hash?: 'SHA-256' } } = {
  HMAC: { hash: 'SHA-256' },
  'AES-CMAC': {},
  'AES-CBC-MAC': {},
};
const MAC_KEY_BYTES = 16;

type Timed<A extends AlgorithmName> = A & TimedAlgorithm;

interface CipherTask<A extends CipherName> {
  readonly keyBytes: number;
  readonly params: CipherParams[A];
}

/**
 * @param bytes a multiple of 16, which every mode takes
 * @returns what is timed, or undefined if the engine does not have the algorithm
 */
export async function prepareTask(
  algorithm: TimedAlgorithm,
  engine: Algorithms,
  bytes: number,
): Promise<Task | undefined> {
  const message = Uint8Array.from({ length: bytes }, (_, i) => (i * 167) & 0xff);
  if (isCipher(algorithm)) return encrypting(engine[algorithm], CIPHERS[algorithm], message);
  if (isMac(algorithm)) return signing(engine[algorithm], MACS[algorithm], message);
  return digesting(engine[algorithm], message);
}

const isCipher = (name: TimedAlgorithm): name is Timed<CipherName> => name in CIPHERS;
const isMac = (name: Exclude<TimedAlgorithm, CipherName>): name is MacName => name in MACS;

/** @param cipher and `params` belong together: both are of one algorithm */
async function encrypting(
  cipher: Cipher<never> | undefined,
  { keyBytes, params }: CipherTask<Timed<CipherName>>,
  message: Uint8Array,
): Promise<Task | undefined> {
  const keyed = await cipher?.withKey(keyOf(keyBytes));
  return keyed && (() => keyed.encrypt(params as never, message));
}

async function signing(
  mac: MacAlgorithm | undefined,
  { hash }: { readonly hash?: 'SHA-256' },
  message: Uint8Array,
): Promise<Task | undefined> {
  const keyed = await mac?.withKey(keyOf(MAC_KEY_BYTES), hash);
  return keyed && (() => keyed.sign(message));
}

function digesting(hash: DigestAlgorithm | undefined, message: Uint8Array): Task | undefined {
  return hash && (() => hash.digest(message));
}

/** A test key, not a secret. */
function keyOf(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => i);
}
