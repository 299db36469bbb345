/**
 * The RSA private operation (RFC 8017, sections 5.1.2 and 5.2.1) with the Chinese remainder theorem. Raw: the
 * caller does the padding. Without padding this is not encryption.
 *
 * Side channels: c is first blinded with a random factor, so that the party that chose c does not know the
 * inputs of the arithmetic. Powers and products are computed in a time that depends on lengths only; the
 * primes are secret moduli. The result is checked with e before it is returned, because a miscalculation
 * would reveal the primes (Boneh, DeMillo, Lipton, 1997). Converting key members from bigint is not
 * constant-time.
 */
import { equal, wipe } from '../bytes.ts';
import {
  checkInteger,
  publicInteger,
  secretInteger,
  withoutLeadingZeros,
} from '../bigint/arguments.ts';
import { toBigint, toBytes, type Integer } from '../bigint/integers.ts';
import { inverse } from '../bigint/modular.ts';
import { Montgomery } from '../bigint/montgomery.ts';
import type { OddPower } from '../bigint/odd-power.ts';
import { AuthenticationError } from '../errors.ts';

/** The names of RFC 7518, section 6.3, and of RFC 8017, section 3.2 (dP, dQ, qInv) */
export interface RsaPrivateKey {
  readonly n: Integer;
  readonly e: Integer;
  /** Used if the five numbers below are absent */
  readonly d?: Integer;
  readonly p?: Integer;
  readonly q?: Integer;
  readonly dp?: Integer;
  readonly dq?: Integer;
  readonly qi?: Integer;
}

/** RSA's private operation on raw integers, without padding. */
export interface Rsa {
  /**
   * c^d modulo n.
   *
   * @param c 0 … n - 1
   * @returns an integer of the same kind as `c`; bytes as many as n has
   * @throws TypeError for a wrong type or an incomplete key, RangeError for a wrong value
   * @throws AuthenticationError if the members of the key do not belong together
   */
  privateOperation(key: RsaPrivateKey, c: bigint): bigint;
  privateOperation(key: RsaPrivateKey, c: Uint8Array): Uint8Array<ArrayBuffer>;
}

/**
 * @param power modular exponentiation; gets secrets
 * @param randomBytes for blinding
 */
export function createRsa(power: OddPower, randomBytes: (lengthBytes: number) => Uint8Array): Rsa {
  function privateOperation(key: RsaPrivateKey, c: bigint): bigint;
  function privateOperation(key: RsaPrivateKey, c: Uint8Array): Uint8Array<ArrayBuffer>;
  function privateOperation(key: RsaPrivateKey, c: Integer): Integer {
    const n = toBytes(publicInteger('n', key.n));
    const e = toBytes(publicInteger('e', key.e));
    if (n.length < 2 || n[n.length - 1] % 2 === 0) throw new RangeError('n must be odd');
    if (e.length === 0 || e[e.length - 1] % 2 === 0) throw new RangeError('e must be odd');
    const input = secretInteger('c', c, n.length);
    if (toBigint(input) >= toBigint(n)) throw new RangeError('c must be below n');
    const secrets = crtMembers(key, n.length);
    const ring = new Montgomery(n);
    const result = blinded(power, ring, { n, e, randomBytes }, input, (message) =>
      secrets === undefined
        ? raised(power, message, secretInteger('d', key.d, n.length), n)
        : joined(power, ring, secrets, message),
    );
    ring.wipe();
    wipe(...Object.values(secrets ?? {}));
    if (!equal(power(result, e, n), input)) {
      wipe(result);
      throw new AuthenticationError();
    }
    return typeof c === 'bigint' ? toBigint(result) : result;
  }
  return { privateOperation };
}

/** message^d; wipes d. */
function raised(
  power: OddPower,
  message: Uint8Array,
  d: Uint8Array,
  n: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const result = power(message, d, n);
  wipe(d);
  return result;
}

/** (c · b^e)^d · b^-1 = c^d, for a random b. */
function blinded(
  power: OddPower,
  ring: Montgomery,
  { n, e, randomBytes }: BlindingDeps,
  c: Uint8Array,
  operation: (c: Uint8Array) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { factor, inverseOfFactor } = blindingPair(ring, n, randomBytes);
  const x = ring.fromInteger(power(ring.toInteger(factor), e, n));
  ring.multiply(x, ring.fromInteger(c), x);
  const output = ring.fromInteger(operation(ring.toInteger(x)));
  ring.multiply(output, inverseOfFactor, output);
  const result = ring.toInteger(output);
  wipe(factor, inverseOfFactor, x, output);
  return result;
}

interface BlindingDeps {
  readonly n: Uint8Array;
  readonly e: Uint8Array;
  readonly randomBytes: (lengthBytes: number) => Uint8Array;
}

/**
 * b and b^-1 modulo n. The time of Euclid's algorithm depends on its input. It therefore inverts b · s for
 * another random s, and its result is multiplied by s.
 */
function blindingPair(
  ring: Montgomery,
  n: Uint8Array,
  randomBytes: BlindingDeps['randomBytes'],
): { factor: Float64Array; inverseOfFactor: Float64Array } {
  for (;;) {
    // 8 bytes more than n, so that the remainder is almost uniform.
    const [factor, second] = [0, 1].map(() => ring.fromInteger(randomBytes(n.length + 8)));
    const product = ring.newResidue();
    ring.multiply(factor, second, product);
    const inverted = inverse(toBigint(ring.toInteger(product)), toBigint(n));
    // A number without inverse has a prime of n as a factor, which has negligible probability.
    if (inverted === undefined) continue;
    const inverseOfFactor = ring.fromInteger(toBytes(inverted));
    ring.multiply(inverseOfFactor, second, inverseOfFactor);
    wipe(second, product);
    return { factor, inverseOfFactor };
  }
}

type CrtMembers = Record<'p' | 'q' | 'dp' | 'dq' | 'qi', Uint8Array>;

/** @returns copies of p, q and the other CRT members, or undefined if the key has only d */
function crtMembers(key: RsaPrivateKey, lengthBytes: number): CrtMembers | undefined {
  const names = ['p', 'q', 'dp', 'dq', 'qi'] as const;
  const missing = names.filter((name) => key[name] === undefined);
  if (missing.length === names.length && key.d !== undefined) {
    checkInteger('d', key.d);
    return undefined;
  }
  if (missing.length > 0) throw new TypeError(`the key lacks ${missing.join(', ')}`);
  const prime = (name: 'p' | 'q'): Uint8Array => {
    const bytes = withoutLeadingZeros(secretInteger(name, key[name], lengthBytes));
    if (bytes.length === 0 || bytes[bytes.length - 1] % 2 === 0 || isOne(bytes)) {
      throw new RangeError(`${name} must be an odd prime`);
    }
    return bytes;
  };
  const [p, q] = [prime('p'), prime('q')];
  return {
    p,
    q,
    dp: secretInteger('dp', key.dp, p.length),
    dq: secretInteger('dq', key.dq, q.length),
    qi: secretInteger('qi', key.qi, p.length),
  };
}

function isOne(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0] === 1;
}

/** RFC 8017, section 5.1.2, step 2b. The last product is computed modulo n, which exceeds it. */
function joined(
  power: OddPower,
  ring: Montgomery,
  { p, q, dp, dq, qi }: CrtMembers,
  c: Uint8Array,
): Uint8Array {
  const m1 = power(c, dp, p);
  const m2 = power(c, dq, q);
  // h = (m1 - m2) · qInv mod p
  const ringOfP = new Montgomery(p);
  const difference = ringOfP.fromInteger(m1);
  const [m2InP, qiInP] = [m2, qi].map((integer) => ringOfP.fromInteger(integer));
  ringOfP.subtract(difference, m2InP, difference);
  ringOfP.multiply(difference, qiInP, difference);
  const h = ringOfP.toInteger(difference);
  ringOfP.wipe();
  // m = m2 + q · h
  const sum = ring.fromInteger(h);
  const [qInN, m2InN] = [q, m2].map((integer) => ring.fromInteger(integer));
  ring.multiply(sum, qInN, sum);
  ring.add(sum, m2InN, sum);
  const m = ring.toInteger(sum);
  wipe(m1, m2, difference, m2InP, qiInP, h, sum, qInN, m2InN);
  return m;
}
