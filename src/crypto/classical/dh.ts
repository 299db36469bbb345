/**
 * Finite-field Diffie-Hellman (SP 800-56A rev. 3, sections 5.6 and 5.7.1.1; RFC 7919).
 *
 * Side channels: the private key is a fixed number of bytes and is the exponent of `OddPower`, whose time
 * depends on lengths only. Converting a private key from bigint is not constant-time. All other values are
 * public.
 */
import { wipe } from '../bytes.ts';
import { checkInteger, publicInteger, secretInteger } from '../bigint/arguments.ts';
import { toBytes, type Integer } from '../bigint/integers.ts';
import type { OddPower } from '../bigint/odd-power.ts';
import { oddPower } from '../bigint/odd-power.ts';
import { AuthenticationError } from '../errors.ts';
import { knownOrder } from './dh-groups.ts';
import {
  isInRange,
  byteLength,
  checkPrimes,
  isInside,
  isMember,
  oddModulus,
  subgroupOf,
} from './subgroup.ts';

/** p: the modulus, prime; g: the generator; q: its order, prime, if known */
export interface DhGroup {
  readonly p: Integer;
  readonly g: Integer;
  readonly q?: Integer;
}

/** A Diffie-Hellman key pair, big-endian bytes. */
export interface DhKeyPair {
  /** As many bytes as q has */
  readonly privateKey: Uint8Array<ArrayBuffer>;
  /** As many bytes as p has */
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** Diffie-Hellman in one group (SP 800-56A revision 3). */
export interface Dh {
  /**
   * peerPublic^privateKey modulo p. Derive keys from it; it is not a key itself.
   *
   * The q of groups of RFC 3526 and RFC 7919 is known. In groups without q a peer can learn the private key's
   * remainder modulo small divisors of p - 1: use such a private key once.
   *
   * @param privateKey 1 … q - 1 (p - 2 without q); for bytes of up to p's length the time depends on their
   * number, leading zeros included
   * @returns as many bytes as p has
   * @throws TypeError or RangeError for a wrong group or private key
   * @throws AuthenticationError if the peer's public key, or the result, is impossible for an honest peer
   * (full validation with q, partial without)
   */
  sharedSecret(group: DhGroup, privateKey: Integer, peerPublic: Integer): Uint8Array<ArrayBuffer>;

  /** @returns g^privateKey modulo p, as many bytes as p has; arguments as for `sharedSecret` */
  publicKey(group: DhGroup, privateKey: Integer): Uint8Array<ArrayBuffer>;

  /**
   * A fresh key pair. The private key is uniform in 1 … q - 1 (SP 800-56A rev. 3, 5.6.1.1.4).
   *
   * @param group with q, or one of the known groups; p of at least 2,048 bits
   * @throws RangeError for other groups, and if p or q is not prime
   */
  generateKeyPair(group: DhGroup): DhKeyPair;
}

/** SP 800-57, part 1, rev. 5, table 2: shorter moduli have less than 112 bits of strength. */
const MINIMUM_BITS = 2048;

interface Group {
  readonly p: bigint;
  readonly g: bigint;
  readonly q: bigint | undefined;
  readonly modulus: Uint8Array;
}

/**
 * @param power modular exponentiation; gets secrets
 * @param randomBytes for `generateKeyPair`
 */
export function createDh(power: OddPower, randomBytes: (lengthBytes: number) => Uint8Array): Dh {
  const raise = (base: bigint, group: Group, privateKey: unknown): Uint8Array<ArrayBuffer> => {
    const exponent = privateExponent(group, privateKey);
    const result = power(toBytes(base), exponent, group.modulus);
    wipe(exponent);
    return result;
  };

  return {
    sharedSecret(given, privateKey, peerPublic) {
      const group = groupOf(power, given);
      const { p, q } = group;
      const y = publicInteger('peerPublic', peerPublic);
      const valid = q === undefined ? isInside(p, y) : isMember(power, { p, q }, y);
      if (!valid) throw new AuthenticationError();
      const secret = raise(y, group, privateKey);
      // SP 800-56A rev. 3, section 5.7.1.1, step 2
      if (isTrivial(secret, group.modulus)) throw new AuthenticationError();
      return secret;
    },

    publicKey(given, privateKey) {
      const group = groupOf(power, given);
      return raise(group.g, group, privateKey);
    },

    generateKeyPair(given) {
      const group = groupOf(power, given);
      if (group.q === undefined) throw new RangeError('q must be given for an unknown group');
      if (8 * group.modulus.length < MINIMUM_BITS) {
        throw new RangeError(`p must have at least ${MINIMUM_BITS} bits`);
      }
      if (knownOrder(group.p, group.g) === undefined) checkPrimes(power, { ...group, q: group.q });
      const privateKey = randomBelow(group.q, randomBytes);
      return { privateKey, publicKey: raise(group.g, group, privateKey) };
    },
  };
}

/** Uses the portable arithmetic, for callers that bring their own key pairs. */
export const dh: Pick<Dh, 'sharedSecret' | 'publicKey'> = createDh(oddPower, () => {
  throw new Error('no source of random bytes');
});

function groupOf(power: OddPower, given: DhGroup): Group {
  const p = oddModulus(given.p);
  const g = publicInteger('g', given.g);
  if (!isInside(p, g)) throw new RangeError('g must be 2 to p - 2');
  const q =
    given.q === undefined ? knownOrder(p, g) : subgroupOf(power, { ...given, q: given.q }).q;
  return { p, g, q, modulus: toBytes(p) };
}

/** The private key as bytes: as many as q has, or as the caller passed if q is unknown. */
function privateExponent({ p, q }: Group, privateKey: unknown): Uint8Array<ArrayBuffer> {
  checkInteger('privateKey', privateKey);
  const limit = q ?? p - 1n;
  const exponent = secretInteger('privateKey', privateKey, byteLength(limit));
  if (!isInRange(exponent, toBytes(limit))) {
    throw new RangeError(`privateKey must be 1 to ${q === undefined ? 'p - 2' : 'q - 1'}`);
  }
  if (q !== undefined) return exponent;
  const given = typeof privateKey === 'bigint' ? byteLength(privateKey) : privateKey.length;
  return exponent.slice(Math.max(exponent.length - given, 0));
}

/** Whether the value is 0, 1 or p - 1. The error reveals whether it is one of them, but not which. */
function isTrivial(secret: Uint8Array, modulus: Uint8Array): boolean {
  const last = secret.length - 1;
  let small = secret[last] & 0xfe;
  let large = secret[last] ^ (modulus[last] - 1);
  for (let i = 0; i < last; i++) {
    small |= secret[i];
    large |= secret[i] ^ modulus[i];
  }
  return small === 0 || large === 0;
}

/** Uniform in 1 … limit - 1: draws as many bits as limit has until the value is in range. */
function randomBelow(
  limit: bigint,
  randomBytes: (lengthBytes: number) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const bound = toBytes(limit);
  const surplus = Math.clz32(bound[0]) - 24;
  for (;;) {
    const candidate = Uint8Array.from(randomBytes(bound.length));
    candidate[0] &= 0xff >> surplus;
    if (isInRange(candidate, bound)) return candidate;
  }
}
