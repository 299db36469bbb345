/** The tests of Poly1305, for src/crypto and every engine. */
import { poly1305 as noble } from '@noble/ciphers/_poly1305.js';
import { expect } from 'chai';
import { randomBytes } from '../../support/random-bytes.ts';
import { checkAll, describeVectors, hex, parseRsp, readPublished } from '../../support/vectors.ts';
import type { Fields } from '../../support/vectors.ts';
import { lengthsTo } from '../../support/nightly.ts';

type Poly1305Of = (key: Uint8Array, ...parts: readonly Uint8Array[]) => Uint8Array;

export function describePoly1305(poly1305: Poly1305Of): void {
  it('gives the vector of RFC 8439, section 2.5.2', async () => {
    const { poly1305: vectors } = readPublished('rfc8439.json') as { poly1305: Fields[] };
    await checkAll('rfc8439.json', vectors, (vector) => {
      const tag = poly1305(hex(vector, 'key'), hex(vector, 'message'));
      expect(tag).to.deep.equal(hex(vector, 'tag'));
    });
  });

  describeVectors('cryptography_vectors/poly1305/rfc7539.txt', parseRsp, (vector) => {
    const tag = poly1305(hex(vector, 'key'), hex(vector, 'msg'));
    expect(tag).to.deep.equal(hex(vector, 'tag'));
  });

  it('agrees with an independent implementation at lengths to 4,096, and at 1 MiB', () => {
    const [key, source] = [randomBytes(32), randomBytes(1 << 20)];
    for (const length of [...lengthsTo(4096), source.length]) {
      const message = source.subarray(0, length);
      if (Buffer.compare(poly1305(key, message), noble(message, key)) !== 0) {
        expect.fail(`length ${length}`);
      }
    }
  });

  it('carries right for all limbs: agrees with integers, with extremes more often', () => {
    for (let turn = 0; turn < 3000; turn++) {
      const [key, message] = [extreme(32), extreme(turn % 130)];
      const expected = byIntegers(key, message);
      expect(poly1305(key, message), Buffer.from(key).toString('hex')).to.deep.equal(expected);
    }
  });

  it('supports the largest limbs: all bits of key and message set', () => {
    const [key, message] = [new Uint8Array(32).fill(255), new Uint8Array(1 << 16).fill(255)];
    for (const length of [16, 17, 32, 160, 4096, 1 << 16]) {
      const part = message.subarray(0, length);
      expect(poly1305(key, part), `${length}`).to.deep.equal(byIntegers(key, part));
    }
  });

  it('reduces sums at the prime and around 2^130 and 2^128', () => {
    // With r = 1 the sum of the blocks (each with its bit 2^128) does not change, so that blocks can be
    // chosen for any sum up to 4 · 2^128 and more.
    const prime = (1n << 130n) - 5n;
    const key = new Uint8Array(32);
    key[0] = 1;
    for (const s of [0n, 1n, (1n << 128n) - 1n]) {
      key.set(littleEndian(s), 16);
      for (let around = -12n; around <= 12n; around++) {
        for (const goal of [prime + around, (1n << 128n) * 2n + around, (1n << 130n) + around]) {
          const message = blocksWithSum(goal);
          expect(poly1305(key, message)).to.deep.equal(byIntegers(key, message));
        }
      }
    }
  });

  it('gives one tag however the message is cut', () => {
    const [key, message] = [randomBytes(32), randomBytes(200)];
    const whole = poly1305(key, message);
    for (let first = 0; first <= 40; first++) {
      for (const second of [0, 1, 7, 15, 16, 17, 31, 32, 33, 100]) {
        const cut = first + second;
        const parts = [
          message.subarray(0, first),
          message.subarray(first, cut),
          message.subarray(cut),
        ];
        expect(poly1305(key, ...parts), `${first}, ${second}`).to.deep.equal(whole);
      }
    }
  });

  it('names the wrong argument', () => {
    const text = 'text' as unknown as Uint8Array;
    expect(() => poly1305(new Uint8Array(31))).to.throw(RangeError, 'key');
    expect(() => poly1305(text)).to.throw(TypeError, 'key');
    expect(() => poly1305(new Uint8Array(32), text)).to.throw(TypeError, 'data');
  });
}

/** Random bytes, many of them 0 or 255. */
function extreme(length: number): Uint8Array {
  const [choice, bytes] = [randomBytes(length + 1), randomBytes(length)];
  const few = choice[length]! % 3;
  return bytes.map((byte, i) => (choice[i]! % 4 <= few ? [0, 255, 255][choice[i]! % 3]! : byte));
}

/** Section 2.5.1, literally, on big integers. */
function byIntegers(key: Uint8Array, message: Uint8Array): Uint8Array {
  const r = integer(key.subarray(0, 16)) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffffn;
  const prime = (1n << 130n) - 5n;
  let sum = 0n;
  for (let i = 0; i < message.length; i += 16) {
    const block = message.subarray(i, i + 16);
    sum = ((sum + integer(block) + (1n << BigInt(8 * block.length))) * r) % prime;
  }
  return littleEndian((sum + integer(key.subarray(16))) & ((1n << 128n) - 1n));
}

/** Whole blocks with the sum `goal`, where each counts 2^128 more than its bytes. */
function blocksWithSum(goal: bigint): Uint8Array {
  const [unit, blocks] = [1n << 128n, [] as Uint8Array[]];
  for (let rest = goal; rest >= unit;) {
    // The rest must be 0, or enough for another block.
    const value = rest - unit < unit ? rest - unit : 0n;
    blocks.push(littleEndian(value));
    rest -= unit + value;
  }
  return Uint8Array.from(Buffer.concat(blocks));
}

function integer(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}
