/**
 * The calls that the self-test times: one algorithm with a key that is already set up. All engines
 * get the same key, nonce and message, so that their results can be compared.
 */
import { AEAD_NAMES, AEADS } from '../../crypto/algorithms.ts';
import type { AeadName } from '../../crypto/algorithms.ts';
import type {
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
 * Algorithms whose speed depends on the message's size, so no key derivations (`calls.ts` has these). SHA3-384
 * is left out: it costs the same as SHA3-512.
 */
export const TIMED = [
  ...AEAD_NAMES,
  'AES-SIV',
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

/** The usual nonce of 12 bytes, or the length nearest to it. */
function aeadTask(name: AeadName): CipherTask<AeadName> {
  const { keyBits, nonceBytes } = AEADS[name];
  const nonce = new Uint8Array(Math.min(Math.max(12, nonceBytes.min), nonceBytes.max));
  const params = { nonce, associatedData: new Uint8Array(0), tagBytes: 16 };
  return { keyBytes: keyBits[0] / 8, params };
}

const AEAD_TASKS = Object.fromEntries(
  AEAD_NAMES.map((name) => [name, aeadTask(name)] as const),
) as { readonly [A in AeadName]: CipherTask<A> };

/** The inputs of each cipher: AES with 128-bit keys, which every engine has. */
export const CIPHERS: { readonly [A in TimedCipher]: CipherTask<A> } = {
  ...AEAD_TASKS,
  // S2V and CTR have a key each.
  'AES-SIV': { keyBytes: 32, params: { associatedData: [] } },
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

/** A cipher or AEAD that the self-test times. */
export type TimedCipher = CipherName & TimedAlgorithm;

/** The key and the parameters of one message. */
export interface CipherTask<A extends CipherName> {
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
  const message = messageOf(bytes);
  if (isCipher(algorithm)) return encrypting(engine[algorithm], CIPHERS[algorithm], message);
  if (isMac(algorithm)) return signing(engine[algorithm], MACS[algorithm], message);
  return digesting(engine[algorithm], message);
}

const isCipher = (name: TimedAlgorithm): name is TimedCipher => name in CIPHERS;
const isMac = (name: Exclude<TimedAlgorithm, CipherName>): name is MacName => name in MACS;

/** @param cipher and `params` belong together: both are of one algorithm */
async function encrypting(
  cipher: Cipher<never> | undefined,
  { keyBytes, params }: CipherTask<TimedCipher>,
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

/** A message for all engines. */
export function messageOf(bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, i) => (i * 167) & 0xff);
}

/** A test key, not a secret. */
export function keyOf(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => i);
}
