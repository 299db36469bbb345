import { expect } from 'chai';
import type { Lengths, PricedOperation } from '../../../src/crypto/subtle/row.ts';
import { ALGORITHMS, rowOf } from '../../../src/crypto/subtle/table.ts';

/* That no algorithm is added whose work a page gets for nothing. */

/** Operations whose time depends on the bytes that they get, which a call limits and its transport slows. */
const BY_BYTES = ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey'];
/** Keys that are bytes: they are drawn and copied. */
const KEYS = ['generateKey', 'importKey'];
/** Less than a millisecond, in the platform's own code. */
const CURVES = ['sign', 'verify', 'deriveBits', 'generateKey', 'importKey'];

/** What has no price, with why. */
const FREE: readonly (readonly [why: string, names: RegExp, operations: readonly string[]])[] = [
  ['by bytes', /^(?:X?ChaCha20-Poly1305|AES-.*|Salsa20|HMAC)$/, [...BY_BYTES, ...KEYS]],
  ['by bytes', /^(?:SHA-?\d.*|BLAKE.*)$/, BY_BYTES],
  ['keys are bytes', /^KMAC\d+$/, KEYS],
  ['keys are bytes', /^(?:HKDF|PBKDF2|scrypt|Argon2.*)$/, KEYS],
  ['a curve of the platform', /^(?:ECDH|ECDSA|X25519|Ed25519)$/, CURVES],
  ['read without a power, and bounded by its length', /^(?:DH|DSA)$/, ['importKey']],
];

/** Of a use that is neither large nor small. */
const USUAL: Lengths = {
  members: { memory: 65_536, passes: 3, parallelism: 1, nonce: 16, iterations: 100_000 },
  hash: 'SHA-256',
  derivedBytes: 32,
  keyDataBytes: 1_000,
  pairIn: 'jwk',
  modulusBits: 2048,
  exponentBits: 17,
  group: () => ({ modulusBits: 2048, orderBits: 256, subgroupBits: 256, isNamed: true }),
};
const MEMBERS = {
  ...USUAL.members,
  N: 16_384,
  r: 8,
  p: 1,
  outputLength: 8_192,
  modulusLength: 2048,
};
/** A private key of SLH-DSA has its public half in it. */
const HAS_HALF = /^SLH-DSA/;
const READS = ['importKey', 'exportKey', 'getPublicKey'];

describe('The table of prices', () => {
  const uses = Object.keys(ALGORITHMS).flatMap((name) => {
    const { operations, prices = {} } = rowOf(name)!;
    const all = new Set([...Object.keys(operations), ...Object.keys(prices)]);
    all.delete('getKeyLength'); // a number
    return [...all].map((operation) => [name, operation as PricedOperation] as const);
  });
  const reasonOf = (name: string, operation: string) =>
    FREE.find(([, names, operations]) => names.test(name) && operations.includes(operation));

  it('has a price for each operation of each algorithm, or the reason why it has none', () => {
    const wrong = uses.filter(([name, operation]) => {
      const hasPrice = rowOf(name)!.prices?.[operation] !== undefined;
      return hasPrice === (reasonOf(name, operation) !== undefined);
    });
    expect(wrong).to.deep.equal([]);
    expect(FREE.filter(([, names]) => !uses.some(([name]) => names.test(name)))).to.deep.equal([]);
  });

  it('has none that is nothing, or not a number', () => {
    const wrong = uses.filter(([name, operation]) => {
      const price = rowOf(name)!.prices?.[operation];
      const isRead = HAS_HALF.test(name) && READS.includes(operation);
      if (price === undefined || isRead) return false;
      const ns = typeof price === 'number' ? price : price({ ...USUAL, members: MEMBERS });
      return !(ns > 100);
    });
    expect(wrong).to.deep.equal([]);
  });
});
