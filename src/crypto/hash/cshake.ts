import { concat } from '../bytes.ts';
import type { Hash } from '../contracts.ts';
import { KECCAK_ROUNDS, keccakSponge, rateOf, type CreateSponge } from './keccak.ts';
import { hashOf } from './merkle-damgard.ts';

/*
 * cSHAKE128 and cSHAKE256 (SP 800-185, section 3), and the encodings of its section 2.3. Without names they are
 * SHAKE128 and SHAKE256 (FIPS 202, section 6.2).
 */

/** The suffix 1111 of SHAKE and the first 1 of the padding (FIPS 202, section 6.2) */
const SHAKE_SUFFIX = 0x1f;
/** The suffix 00 of cSHAKE and the first 1 of the padding (SP 800-185, section 3.3) */
const CSHAKE_SUFFIX = 0x04;

/** The parameters of cSHAKE. */
export interface CShakeParams {
  /** L / 8: any length, 0 included */
  readonly outputBytes: number;
  /** N: a name that NIST gave to a function on top of cSHAKE; any length, else empty */
  readonly functionName: Uint8Array;
  /** S, any length: separates the uses of an application */
  readonly customization: Uint8Array;
}

/**
 * cSHAKE of one message (SP 800-185, section 3.3).
 *
 * @param strength 128 for cSHAKE128, 256 for cSHAKE256
 * @param create the sponge to use
 * @returns a hash whose digest has `outputBytes` bytes
 */
export function cshake(
  strength: 128 | 256,
  { outputBytes, functionName, customization }: CShakeParams,
  create: CreateSponge = keccakSponge,
): Hash {
  const rateBytes = rateOf(strength);
  const sponge = { rounds: KECCAK_ROUNDS, rateBytes, outputBytes } as const;
  // 1. If N = "" and S = "": return SHAKE(X, L)
  if (functionName.length === 0 && customization.length === 0) {
    return create({ ...sponge, suffix: SHAKE_SUFFIX });
  }
  // 2. Else: KECCAK[c](bytepad(encode_string(N) || encode_string(S), r) || X || 00, L)
  const prefix = bytepad(rateBytes, encodeString(functionName), encodeString(customization));
  return create({ ...sponge, suffix: CSHAKE_SUFFIX }).update(prefix);
}

const EMPTY = new Uint8Array(0);

/**
 * SHAKE128 or SHAKE256 (FIPS 202, section 6.2) by the sponge of src/crypto.
 *
 * @param outputBytes d / 8, any length
 * @param parts the message, one after the other
 * @returns `outputBytes` bytes
 */
export function shake(
  strength: 128 | 256,
  outputBytes: number,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const params = { outputBytes, functionName: EMPTY, customization: EMPTY };
  return hashOf({ create: () => cshake(strength, params) }, parts);
}

/** bytepad(X, w), section 2.3.3: left_encode(w) || X and zeros up to a multiple of w bytes */
export function bytepad(w: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = concat(leftEncode(w), ...parts);
  const padded = new Uint8Array(Math.ceil(bytes.length / w) * w);
  padded.set(bytes);
  bytes.fill(0);
  return padded;
}

/** encode_string(S), section 2.3.2: left_encode(len(S)) || S, where len counts bits */
export function encodeString(s: Uint8Array): Uint8Array {
  return concat(leftEncode(8 * s.length), s);
}

/** left_encode(x), section 2.3.1. @param x 0 … 2^53 - 1 */
function leftEncode(x: number): Uint8Array {
  const bytes = bytesOf(x);
  return Uint8Array.of(bytes.length, ...bytes);
}

/** right_encode(x), section 2.3.1. @param x 0 … 2^53 - 1 */
export function rightEncode(x: number): Uint8Array {
  const bytes = bytesOf(x);
  return Uint8Array.of(...bytes, bytes.length);
}

/** The bytes of x, the highest first: as few as possible, at least one */
function bytesOf(x: number): number[] {
  const bytes = [x % 256];
  for (let rest = Math.floor(x / 256); rest > 0; rest = Math.floor(rest / 256)) {
    bytes.unshift(rest % 256);
  }
  return bytes;
}
