import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { SHA256 } from '../../src/crypto/hash/sha256.ts';
import { hmac } from '../../src/crypto/mac/hmac.ts';
import { combineShares, interpolate, splitSecret } from '../../src/crypto/secret-sharing.ts';
import type { Share } from '../../src/crypto/secret-sharing.ts';

/** Another way: tables of powers of the generator x + 1, and the polynomial evaluated power by power. */
const POWERS: number[] = [];
for (let power = 0, element = 1; power < 255; power++) {
  POWERS.push(element);
  const doubled = element << 1;
  element ^= doubled > 255 ? doubled ^ 0x11b : doubled;
}
const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : POWERS[(POWERS.indexOf(a) + POWERS.indexOf(b)) % 255]!;
const toThe = (x: number, n: number): number =>
  Array.from({ length: n }, () => x).reduce((product, each) => times(product, each), 1);

function valueAt(x: number, secret: Uint8Array, coefficients: Uint8Array): number[] {
  return Array.from(secret, (byte, j) => {
    let value = byte;
    for (let at = j, n = 1; at < coefficients.length; at += secret.length, n++) {
      value ^= times(coefficients[at]!, toThe(x, n));
    }
    return value;
  });
}

/** A secret, k, n and coefficients. */
const splits = fc
  .record({
    secret: fc.uint8Array({ minLength: 1, maxLength: 40 }),
    threshold: fc.integer({ min: 2, max: 10 }),
    more: fc.integer({ min: 0, max: 8 }),
  })
  .chain(({ secret, threshold, more }) => {
    const length = (threshold - 1) * secret.length;
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((coefficients) => ({ secret, threshold, count: threshold + more, coefficients }));
  });

function* choices<T>(of: readonly T[], count: number): Generator<T[]> {
  if (count === 0) yield [];
  else {
    for (const [at, first] of of.entries()) {
      for (const rest of choices(of.slice(at + 1), count - 1)) yield [first, ...rest];
    }
  }
}

describe('Secret sharing', () => {
  it('gives the shares of another implementation', () => {
    fc.assert(
      fc.property(splits, ({ secret, threshold, count, coefficients }) => {
        const shares = splitSecret(secret, threshold, count, coefficients);
        expect(shares.map(({ index }) => index)).to.deep.equal(
          Array.from({ length: count }, (_, i) => i + 1),
        );
        for (const { index, bytes } of shares) {
          expect([...bytes]).to.deep.equal(valueAt(index, secret, coefficients));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('interpolates the shares of SLIP-39, whose secret at 255 has its digest at 254', () => {
    // test vectors of SLIP-39, "Basic sharing 2-of-3 (256 bits)": the values of the two mnemonics
    const shares = [
      [2, '81e5473f4b7f66094f888d2f98fe0ded6a692dc72c65dc498d6e28bee6ebdfcc'],
      [1, '19e366e9b2e34851e52132c31c2b2c957321bf5ce6c9c1410ea1ddf5fef92c27'],
    ].map(([index, hex]) => ({ index: Number(index), bytes: fromHex(String(hex)) }));
    const secret = interpolate(shares, 255);
    const digest = interpolate(shares, 254);
    const expected = hmac(SHA256, digest.subarray(4), secret).subarray(0, 4);
    expect(toHex(digest.subarray(0, 4))).to.equal(toHex(expected));
  });

  it('gives the secret for any k shares of n, and for more, in any order', () => {
    const secret = Uint8Array.from({ length: 32 }, (_, i) => 255 - 7 * i);
    for (const [threshold, count] of [
      [2, 2],
      [2, 5],
      [3, 5],
      [5, 7],
      [10, 10],
    ] as const) {
      const coefficients = Uint8Array.from({ length: 32 * (threshold - 1) }, (_, i) => 91 * i + 5);
      const shares = splitSecret(secret, threshold, count, coefficients);
      for (let some = threshold; some <= count; some++) {
        for (const chosen of choices(shares, some)) {
          expect(combineShares(chosen.reverse())).to.deep.equal(secret);
        }
      }
    }
  });

  it('gives every value of k − 1 shares equally often for each secret', () => {
    // 3 of 4, one byte: of all 65,536 polynomials with one secret, each pair of values of two shares occurs once
    for (const byte of [0, 1, 0x53, 0xff]) {
      const secret = Uint8Array.of(byte);
      const seen = new Map<string, Set<number>>();
      for (let a = 0; a < 256; a++) {
        for (let b = 0; b < 256; b++) {
          const shares = splitSecret(secret, 3, 4, Uint8Array.of(a, b));
          for (const [one, other] of choices(shares, 2)) {
            const pair = `${one!.index} ${other!.index}`;
            if (!seen.has(pair)) seen.set(pair, new Set());
            seen.get(pair)!.add(one!.bytes[0]! * 256 + other!.bytes[0]!);
          }
        }
      }
      expect([...seen.values()].map(({ size }) => size)).to.deep.equal(Array(6).fill(65_536));
    }
  });

  it('gives another secret for a wrong share', () => {
    fc.assert(
      fc.property(splits, ({ secret, threshold, count, coefficients }) => {
        const shares = splitSecret(secret, threshold, count, coefficients).slice(0, threshold);
        const wrong = shares.map(({ index, bytes }, i): Share => {
          return { index, bytes: i === 0 ? bytes.map((byte) => byte ^ 1) : bytes };
        });
        expect(combineShares(wrong)).to.not.deep.equal(secret);
      }),
      { numRuns: 40 },
    );
  });

  it('leaves its arguments as they are', () => {
    const [secret, coefficients] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
    const shares = splitSecret(secret, 2, 3, coefficients);
    const before = shares.map(({ bytes }) => toHex(bytes));
    combineShares(shares);
    expect([toHex(secret), toHex(coefficients)]).to.deep.equal(['0102', '0304']);
    expect(shares.map(({ bytes }) => toHex(bytes))).to.deep.equal(before);
  });

  it('refuses wrong arguments by name', () => {
    const secret = Uint8Array.of(1, 2);
    const split = (threshold: number, count: number, length: number) => () =>
      splitSecret(secret, threshold, count, new Uint8Array(length));
    expect(split(1, 3, 0)).to.throw(RangeError, 'threshold must be 2 to 3');
    expect(split(4, 3, 6)).to.throw(RangeError, 'threshold must be 2 to 3');
    expect(split(2, 256, 2)).to.throw(RangeError, 'count must be 2 to 255');
    expect(split(2.5, 3, 3)).to.throw(TypeError, 'threshold must be an integer');
    expect(split(3, 3, 3)).to.throw(RangeError, 'coefficients must have 4 bytes');
    const empty = () => splitSecret(new Uint8Array(0), 2, 2, new Uint8Array(0));
    expect(empty).to.throw(RangeError, 'secret must have at least 1 bytes');
    const share = (index: number, length = 2): Share => ({ index, bytes: new Uint8Array(length) });
    const combine =
      (...shares: readonly Share[]) =>
      () =>
        combineShares(shares);
    expect(combine(share(1))).to.throw(RangeError, 'shares must be at least 2');
    expect(combine(share(1), share(1))).to.throw(RangeError, 'shares[1].index is given twice');
    expect(combine(share(1), share(0))).to.throw(RangeError, 'shares[1].index must be 1 to 255');
    expect(combine(share(1), share(2, 3))).to.throw(RangeError, 'shares[1].bytes must have 2');
    expect(() => combineShares('two' as never)).to.throw(TypeError, 'shares must be an array');
    expect(() => interpolate([share(1), share(2)], 256)).to.throw(RangeError, 'x must be 0 to 255');
  });
});
