/**
 * The Digital Signature Algorithm (FIPS 186-4, section 4), with deterministic nonces (RFC 6979). FIPS 186-5
 * allows it only for verifying old signatures. Use another algorithm for new ones.
 *
 * Side channels: the private key and the nonce are bytes of fixed length. Powers, the inverse of the nonce (a
 * power too) and products of both are computed in a time that depends on lengths only. Converting a private
 * key from bigint is not constant-time. Verification has public inputs and is not constant-time.
 */
import { wipe } from '../bytes.ts';
import { publicInteger, secretInteger } from '../bigint/arguments.ts';
import { bitLength, toBigint, toBytes, type Integer } from '../bigint/integers.ts';
import { inverse, publicPower } from '../bigint/modular.ts';
import { Montgomery } from '../bigint/montgomery.ts';
import type { OddPower } from '../bigint/odd-power.ts';
import { oddPower } from '../bigint/odd-power.ts';
import { AuthenticationError, checkBytes } from '../errors.ts';
import type { DsaHash, DsaHashName } from './dsa-hashes.ts';
import { dsaHash } from './dsa-hashes.ts';
import { messageRepresentative, nonces } from './nonce.ts';
import { isInRange, byteLength, isMember, subgroupOf, type Subgroup } from './subgroup.ts';

/** Domain parameters of DSA (FIPS 186-4, section 4.1). */
export interface DsaParameters {
  /** The modulus, prime, of 1024, 2048 or 3072 bits */
  readonly p: Integer;
  /** The order of g, prime, of 160, 224 or 256 bits */
  readonly q: Integer;
  readonly g: Integer;
  readonly hash: DsaHashName;
}

/** y: the public key, g^x modulo p */
export interface DsaPublicKey extends DsaParameters {
  readonly y: Integer;
}

/** x: the private key, 1 … q - 1 */
export interface DsaPrivateKey extends DsaParameters {
  readonly x: Integer;
}

/** DSA (FIPS 186-4) with deterministic nonces (RFC 6979). */
export interface Dsa {
  /**
   * @param message of any length; hashed here
   * @returns r ‖ s, each as long as q (IEEE P1363); the same for the same key and message
   * @throws TypeError or RangeError for a wrong key; RangeError for one that cannot sign this
   */
  sign(key: DsaPrivateKey, message: Uint8Array): Uint8Array<ArrayBuffer>;

  /**
   * @param signature r ‖ s, each as long as q
   * @returns true
   * @throws TypeError or RangeError for wrong parameters
   * @throws AuthenticationError if the signature is not valid for this message and key, or the key is invalid
   */
  verify(key: DsaPublicKey, message: Uint8Array, signature: Uint8Array): true;
}

/** FIPS 186-4, section 4.2: bits of p and q */
const SIZES = [
  [1024, 160],
  [2048, 224],
  [2048, 256],
  [3072, 256],
] as const;

/**
 * With primes a second nonce is needed once in 2^160 signatures. Numbers that are not prime can be
 * chosen such that no nonce ever gives a signature.
 */
const MAX_NONCES = 8;

/** @param power modular exponentiation; gets secrets */
export function createDsa(power: OddPower): Dsa {
  return {
    sign(key, message) {
      const group = parameters(power, key);
      const hash = dsaHash(key.hash);
      checkBytes('message', message);
      const x = privateKey(group, key.x);
      const digest = digestOf(hash, message);
      let attempts = 0;
      for (const k of nonces(hash, group.q, x, digest)) {
        const signature = signWith(power, group, x, digest, k);
        wipe(k);
        if (signature === undefined && ++attempts < MAX_NONCES) continue;
        wipe(x);
        if (signature !== undefined) return signature;
        throw new RangeError('no signature is possible: p and q are not a group of DSA');
      }
      throw new Error('unreachable: there is always another nonce');
    },

    verify(key, message, signature) {
      const group = parameters(power, key);
      const hash = dsaHash(key.hash);
      checkBytes('message', message);
      checkBytes('signature', signature);
      const y = publicInteger('y', key.y);
      const z = messageRepresentative(digestOf(hash, message), group.q);
      if (!isMember(power, group, y) || !isSignature(power, group, y, z, signature)) {
        throw new AuthenticationError();
      }
      return true;
    },
  };
}

/** Uses the portable arithmetic. */
export const dsa: Dsa = createDsa(oddPower);

function parameters(power: OddPower, given: DsaParameters): Subgroup {
  const [bitsOfP, bitsOfQ] = [given.p, given.q].map((value, i) =>
    bitLength(publicInteger('pq'[i], value)),
  );
  if (!SIZES.some(([p, q]) => p === bitsOfP && q === bitsOfQ)) {
    const sizes = SIZES.map((size) => size.join(' and ')).join('; ');
    throw new RangeError(`p and q must have ${sizes} bits, got ${bitsOfP} and ${bitsOfQ}`);
  }
  return subgroupOf(power, given);
}

function privateKey({ q }: Subgroup, given: Integer): Uint8Array<ArrayBuffer> {
  const x = secretInteger('x', given, byteLength(q));
  if (!isInRange(x, toBytes(q))) throw new RangeError('x must be 1 to q - 1');
  return x;
}

function digestOf(hash: DsaHash, message: Uint8Array): Uint8Array {
  const hashing = hash.create().update(message);
  const digest = hashing.digest();
  hashing.wipe();
  return digest;
}

/** FIPS 186-4, section 4.6. @returns undefined if r or s is 0 */
function signWith(
  power: OddPower,
  { p, q, g }: Subgroup,
  x: Uint8Array,
  digest: Uint8Array,
  k: Uint8Array,
): Uint8Array<ArrayBuffer> | undefined {
  const order = toBytes(q);
  // r = (g^k mod p) mod q. The signature reveals g^k, so it is public from here on.
  const r = toBytes(toBigint(power(toBytes(g), k, toBytes(p))) % q, order.length);
  // k^-1 = k^(q - 2), q being prime
  const inverseOfK = power(k, toBytes(q - 2n), order);
  // s = k^-1 · (z + x · r)
  const ring = new Montgomery(order);
  const sum = ring.fromInteger(x);
  const factor = ring.fromInteger(inverseOfK);
  ring.multiply(sum, ring.fromInteger(r), sum);
  ring.add(sum, ring.fromInteger(toBytes(messageRepresentative(digest, q))), sum);
  ring.multiply(sum, factor, sum);
  const s = ring.toInteger(sum);
  wipe(sum, factor, inverseOfK);
  ring.wipe();
  const isUsable = [r, s].every((half) => half.some((byte) => byte !== 0));
  return isUsable ? Uint8Array.of(...r, ...s) : undefined;
}

/** FIPS 186-4, section 4.7 */
function isSignature(
  power: OddPower,
  { p, q, g }: Subgroup,
  y: bigint,
  z: bigint,
  signature: Uint8Array,
): boolean {
  const half = byteLength(q);
  if (signature.length !== 2 * half) return false;
  const r = toBigint(signature.subarray(0, half));
  const s = toBigint(signature.subarray(half));
  if (r === 0n || r >= q || s === 0n || s >= q) return false;
  const w = inverse(s, q);
  if (w === undefined) return false;
  const u1 = publicPower(power, g, (z * w) % q, p);
  const u2 = publicPower(power, y, (r * w) % q, p);
  return ((u1 * u2) % p) % q === r;
}
