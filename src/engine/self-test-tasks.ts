/**
 * What the self-test times: one call of an algorithm with a key that is already set up. All engines
 * get the same key, nonce and message, so that their results can be compared.
 */
import type {
  AeadParams,
  AlgorithmName,
  Algorithms,
  Awaitable,
  CbcParams,
  Cipher,
  CtrParams,
  DigestName,
  MacName,
  NoParams,
} from './contract.ts';

export type Task = () => Awaitable<Uint8Array>;

/** Algorithms whose speed is a matter of the message's size; key derivations' is not. */
export const TIMED = [
  'AES-GCM',
  'AES-OCB',
  'AES-CCM',
  'AES-CTR',
  'AES-CBC',
  'AES-ECB',
  'AES-CMAC',
  'AES-CBC-MAC',
  'HMAC',
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
] as const satisfies readonly AlgorithmName[];
export type TimedAlgorithm = (typeof TIMED)[number];

/** Every engine has 128-bit keys. Not a secret: it guards nothing. */
const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const BLOCK = new Uint8Array(16);
const AEAD: AeadParams = {
  nonce: new Uint8Array(12),
  associatedData: new Uint8Array(0),
  tagBytes: 16,
};
const CTR: CtrParams = { counter: BLOCK, counterBits: 128 };
const CBC: CbcParams = { iv: BLOCK };
const NONE: NoParams = {};

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
  switch (algorithm) {
    case 'AES-GCM':
    case 'AES-OCB':
    case 'AES-CCM':
      return encrypting(engine[algorithm], AEAD, message);
    case 'AES-CTR':
      return encrypting(engine[algorithm], CTR, message);
    case 'AES-CBC':
      return encrypting(engine[algorithm], CBC, message);
    case 'AES-ECB':
      return encrypting(engine[algorithm], NONE, message);
    case 'AES-CMAC':
    case 'AES-CBC-MAC':
    case 'HMAC':
      return signing(engine, algorithm, message);
    default:
      return digesting(engine, algorithm, message);
  }
}

async function encrypting<P>(cipher: Cipher<P> | undefined, params: P, message: Uint8Array) {
  const keyed = await cipher?.withKey(KEY);
  return keyed && (() => keyed.encrypt(params, message));
}

async function signing(engine: Algorithms, name: MacName, message: Uint8Array) {
  const keyed = await engine[name]?.withKey(KEY, name === 'HMAC' ? 'SHA-256' : undefined);
  return keyed && (() => keyed.sign(message));
}

function digesting(engine: Algorithms, name: DigestName, message: Uint8Array): Task | undefined {
  const hash = engine[name];
  return hash && (() => hash.digest(message));
}
