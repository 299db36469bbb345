/**
 * The deterministic nonces of RFC 6979, section 3.2: HMAC_DRBG (SP 800-90A) seeded with private key and
 * message, so that a random generator that repeats itself cannot leak the key.
 *
 * The private key and the nonces stay bytes of fixed length. The number of refused candidates is observable,
 * but reveals nothing about the accepted one.
 */
import { wipe } from '../bytes.ts';
import { bitLength, toBigint, toBytes } from '../bigint/integers.ts';
import { Hmac } from '../mac/hmac.ts';
import type { HashAlgorithm } from '../contracts.ts';
import type { DsaHash } from './dsa-hashes.ts';
import { isInRange } from './subgroup.ts';

/**
 * @param q the order, public
 * @param privateKey as many bytes as q has
 * @param digest of the message
 * @returns nonces k, 1 … q - 1, as many bytes as q has. The second and later ones are needed if a signature's
 * r or s is 0, which does not occur in practice
 */
export function* nonces(
  hash: DsaHash,
  q: bigint,
  privateKey: Uint8Array,
  digest: Uint8Array,
): Generator<Uint8Array> {
  const limit = toBytes(q);
  const surplus = 8 * limit.length - bitLength(q);
  const length = hash.digestBytes;
  // Steps b and c
  let v = new Uint8Array(length).fill(0x01);
  let key = new Uint8Array(length);
  const mac = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
    // HMAC does not need the hash's name. SHA-224 has none in the contract.
    const hmac = new Hmac(hash as HashAlgorithm, key);
    for (const part of parts) hmac.update(part);
    const tag = Uint8Array.from(hmac.digest());
    hmac.wipe();
    return tag;
  };
  const rekey = (...parts: readonly Uint8Array[]): void => {
    key = mac(v, ...parts);
    v = mac(v);
  };
  // Steps d to g
  const seed = [privateKey, toBytes(messageRepresentative(digest, q) % q, limit.length)];
  rekey(Uint8Array.of(0x00), ...seed);
  rekey(Uint8Array.of(0x01), ...seed);
  // Step h
  for (;;) {
    const candidate = new Uint8Array(limit.length);
    for (let done = 0; done < limit.length; done += length) {
      v = mac(v);
      candidate.set(v.subarray(0, limit.length - done), done);
    }
    shiftRight(candidate, surplus);
    if (isInRange(candidate, limit)) yield candidate;
    wipe(candidate);
    rekey(Uint8Array.of(0x00));
  }
}

/**
 * The leftmost bits of the digest, as many as q has, as an integer: z of FIPS 186-4, section 4.6, and
 * bits2int of RFC 6979, section 2.3.2.
 */
export function messageRepresentative(digest: Uint8Array, q: bigint): bigint {
  const surplus = Math.max(8 * digest.length - bitLength(q), 0);
  return toBigint(digest) >> BigInt(surplus);
}

/** bits2int on bytes, for secrets. @param count 0 … 7 bits */
function shiftRight(bytes: Uint8Array, count: number): void {
  for (let i = bytes.length - 1; i >= 0; i--) {
    const above = i === 0 ? 0 : bytes[i - 1];
    bytes[i] = ((above << 8) | bytes[i]) >> count;
  }
}
