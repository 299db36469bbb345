/** AES-GCM, AES-CTR, AES-CBC and AES-KW of WebCrypto. */
import { concat } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type {
  AeadParams,
  Algorithms,
  Cipher,
  CbcParams,
  CtrParams,
  NoParams,
} from '../contract.ts';
import { gcmWithKey, importAesKey } from './keyed-ciphers.ts';
import type { NativeName } from './keyed-ciphers.ts';
import { cbcWithKey } from './native-records.ts';
import { NonceProbe } from './nonce-probe.ts';
import { attempt, deliver, source, verifying } from './platform.ts';

/** FIPS 197, table 3: 128, 192 and 256 bits. */
const KEY_BYTES = [16, 24, 32];
const BLOCK_BYTES = 16;

/** WebCrypto only wraps keys. An HMAC key may have any bytes. */
const CARRIER = { name: 'HMAC', hash: 'SHA-256' };

/** @returns those that the platform has, each with its key sizes */
export async function probeCiphers(subtle: SubtleCrypto): Promise<Algorithms> {
  const [gcm, ctr, cbc, kw] = await Promise.all([
    keySizes(subtle, 'AES-GCM'),
    keySizes(subtle, 'AES-CTR'),
    keySizes(subtle, 'AES-CBC'),
    keySizes(subtle, 'AES-KW'),
  ]);
  return {
    ...(gcm.length > 0 && { 'AES-GCM': gcmCipher(subtle, gcm) }),
    ...(ctr.length > 0 && { 'AES-CTR': ctrCipher(subtle, ctr) }),
    ...(cbc.length > 0 && { 'AES-CBC': cbcCipher(subtle, cbc) }),
    ...(kw.length > 0 && { 'AES-KW': keyWrap(subtle, kw) }),
  };
}

async function keySizes(subtle: SubtleCrypto, name: NativeName): Promise<number[]> {
  const tried = await Promise.all(
    KEY_BYTES.map((bytes) => attempt(() => importAesKey(subtle, name, new Uint8Array(bytes)))),
  );
  return KEY_BYTES.filter((_, i) => tried[i] !== undefined);
}

function keySizeGap(name: NativeName, sizes: readonly number[], keyBytes: number) {
  return sizes.includes(keyBytes)
    ? undefined
    : `the platform's ${name} has no ${8 * keyBytes}-bit keys`;
}

function gcmCipher(subtle: SubtleCrypto, sizes: readonly number[]): Cipher<AeadParams> {
  const nonces = new NonceProbe(subtle);
  return {
    constantTime: 'platform',
    gap: (keyBytes, params) =>
      keySizeGap('AES-GCM', sizes, keyBytes) ?? (params && nonces.gap(keyBytes, params)),
    withKey: (key) => gcmWithKey(subtle, key),
  };
}

function ctrCipher(subtle: SubtleCrypto, sizes: readonly number[]): Cipher<CtrParams> {
  return {
    constantTime: 'platform',
    gap: (keyBytes) => keySizeGap('AES-CTR', sizes, keyBytes),
    withKey: async (bytes) => {
      const key = await importAesKey(subtle, 'AES-CTR', bytes);
      const run = async (params: CtrParams, data: Uint8Array, into?: Uint8Array) =>
        deliver(await nativeCtr(subtle, key, params, data), into);
      return { encrypt: run, decrypt: run, wipe: () => undefined };
    },
  };
}

/**
 * AES-CTR of WebCrypto, for every message that SP 800-38A allows.
 *
 * The platform never wraps the counter itself: Firefox (seen in 153) computes wrong blocks after the wrap if
 * the number of counter bits is not a multiple of 8, and refuses a message that uses all values of its
 * counter. A message that reaches the wrap is split there. Neither part wraps, so all 128 bits may count.
 *
 * @throws RangeError if the message has more blocks than the counter has values
 */
async function nativeCtr(
  subtle: SubtleCrypto,
  key: CryptoKey,
  { counter, counterBits }: CtrParams,
  data: Uint8Array,
): Promise<Uint8Array> {
  const blocks = Math.ceil(data.length / BLOCK_BYTES);
  if (blocks > 2 ** counterBits) {
    throw new RangeError(`data: ${blocks} blocks would repeat a counter of ${counterBits} bits`);
  }
  const run = async (from: Uint8Array, part: Uint8Array) => {
    const algorithm = { name: 'AES-CTR', counter: source(from), length: 128 };
    return new Uint8Array(await subtle.encrypt(algorithm, key, source(part)));
  };
  const untilWrap = blocksUntilWrap(counter, counterBits);
  if (blocks <= untilWrap) return run(counter, data);
  const cut = untilWrap * BLOCK_BYTES;
  const [before, after] = await Promise.all([
    run(counter, data.subarray(0, cut)),
    run(wrapped(counter, counterBits), data.subarray(cut)),
  ]);
  return concat(before, after);
}

/** Exact below 2^53, which exceeds the length of every message. */
function blocksUntilWrap(counter: Uint8Array, bits: number): number {
  let left = 1;
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const mask = countingBits(i, bits);
    left += (mask ^ (counter[BLOCK_BYTES - 1 - i]! & mask)) * 2 ** (8 * i);
  }
  return left;
}

/** The counter block after the last one: the counting bits are zero again, the others do not change. */
function wrapped(counter: Uint8Array, bits: number): Uint8Array {
  return counter.map((byte, at) => byte & ~countingBits(BLOCK_BYTES - 1 - at, bits));
}

/** The mask of the counting bits in the i-th byte from the end. */
function countingBits(i: number, bits: number): number {
  const left = Math.min(8, Math.max(0, bits - 8 * i));
  return (1 << left) - 1;
}

function cbcCipher(subtle: SubtleCrypto, sizes: readonly number[]): Cipher<CbcParams> {
  return {
    constantTime: 'platform',
    gap: (keyBytes) => keySizeGap('AES-CBC', sizes, keyBytes),
    withKey: (key) => cbcWithKey(subtle, key),
  };
}

function keyWrap(subtle: SubtleCrypto, sizes: readonly number[]): Cipher<NoParams> {
  return {
    constantTime: 'platform',
    gap: (keyBytes) => keySizeGap('AES-KW', sizes, keyBytes),
    withKey: async (bytes) => {
      const key = await importAesKey(subtle, 'AES-KW', bytes);
      return {
        encrypt: async (_params, data, into) => deliver(await wrap(subtle, key, data), into),
        decrypt: async (_params, data, into) => deliver(await unwrap(subtle, key, data), into),
        wipe: () => undefined,
      };
    },
  };
}

async function wrap(subtle: SubtleCrypto, key: CryptoKey, data: Uint8Array): Promise<ArrayBuffer> {
  const carrier = await subtle.importKey('raw', source(data), CARRIER, true, ['sign']);
  return subtle.wrapKey('raw', carrier, key, 'AES-KW');
}

async function unwrap(
  subtle: SubtleCrypto,
  key: CryptoKey,
  wrapped: Uint8Array,
): Promise<ArrayBuffer> {
  // RFC 3394, section 2.2.2: platforms name the error of other lengths as they like.
  if (wrapped.length < 24 || wrapped.length % 8 !== 0) throw new AuthenticationError();
  const usages: KeyUsage[] = ['sign'];
  const carrier = await verifying(
    subtle.unwrapKey('raw', source(wrapped), key, 'AES-KW', CARRIER, true, usages),
  );
  return subtle.exportKey('raw', carrier);
}
