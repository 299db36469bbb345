/** The tests of the stream ciphers, for src/crypto and every engine. */
import { createCipheriv } from 'node:crypto';
import { salsa20 as nobleSalsa20 } from '@noble/ciphers/salsa.js';
import { xchacha20 as nobleXchacha20 } from '@noble/ciphers/chacha.js';
import { expect } from 'chai';
import type { chacha20 } from '../../../src/crypto/stream/chacha20.ts';
import type { SalsaRounds, salsa20 } from '../../../src/crypto/stream/salsa20.ts';
import type { xchacha20 } from '../../../src/crypto/stream/xchacha20.ts';
import { cryptoppBytes, parseCryptopp } from '../../support/references/cryptopp.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { checkAll, describeVectors, hex, parseRsp, readPublished } from '../../support/vectors.ts';
import type { Fields } from '../../support/vectors.ts';
import { lengthsTo } from '../../support/nightly.ts';

const MIB = 1 << 20;
type Crypt = (source: Uint8Array, target?: Uint8Array) => Uint8Array;

/** @param crypt the cipher under test, and an independent one under the same key and nonce */
function describeLengths(make: () => { ours: Crypt; theirs: (source: Uint8Array) => Uint8Array }) {
  it('agrees with an independent implementation at lengths to 4,096, and at 1 MiB', () => {
    const { ours, theirs } = make();
    const source = randomBytes(MIB);
    const expected = theirs(source);
    for (const length of [...lengthsTo(4096), MIB - 1, MIB]) {
      const result = ours(source.subarray(0, length));
      if (Buffer.compare(result, expected.subarray(0, length)) !== 0) {
        expect.fail(`length ${length}`);
      }
    }
  });

  it('works in place, at any offset, without changing its input or the bytes around', () => {
    const { ours, theirs } = make();
    for (const length of [...EDGE_LENGTHS, 65535, 65536, 65537]) {
      const source = unaligned(randomBytes(length), length % 8);
      const kept = source.slice();
      const expected = theirs(kept);
      expect(ours(source), `${length}`).to.deep.equal(expected);
      expect(source).to.deep.equal(kept);
      const room = new Uint8Array(length + 32).fill(0x5a);
      const target = room.subarray(3, 3 + length);
      target.set(source);
      expect(ours(target, target)).to.equal(target);
      expect(target, `${length} in place`).to.deep.equal(expected);
      expect([...room.subarray(0, 3), ...room.subarray(3 + length)]).to.deep.equal(
        Array(32).fill(0x5a),
      );
    }
  });
}

export function describeChaCha20(cipher: typeof chacha20): void {
  it('gives the vector of RFC 8439, section 2.4.2', async () => {
    const { chacha20: vectors } = readPublished('rfc8439.json') as { chacha20: Fields[] };
    await checkAll('rfc8439.json', vectors, (vector) => {
      const [key, nonce] = [hex(vector, 'key'), hex(vector, 'nonce')];
      const text = cipher(key, nonce, Number(vector['counter']), hex(vector, 'plaintext'));
      expect(Buffer.from(text).toString('hex')).to.equal(vector['ciphertext']);
    });
  });

  describeVectors('cryptography_vectors/ciphers/ChaCha20/rfc7539.txt', parseRsp, (vector) => {
    const counter = Number(vector['initial_block_counter']);
    const [key, nonce] = [hex(vector, 'key'), hex(vector, 'nonce')];
    const text = cipher(key, nonce, counter, hex(vector, 'plaintext'));
    expect(text).to.deep.equal(hex(vector, 'ciphertext'));
  });

  describeLengths(() => {
    const [key, nonce] = [randomBytes(32), randomBytes(12)];
    return {
      ours: (source, target) => cipher(key, nonce, 7, source, target),
      theirs: (source) => opensslChaCha20(key, nonce, 7, source),
    };
  });

  it('uses the last of its 2^32 blocks and refuses the one after', () => {
    const [key, nonce] = [randomBytes(32), randomBytes(12)];
    const last = 0xffff_ffff;
    for (const blocks of [1, 2, 3, 4, 5, 9]) {
      const source = randomBytes(64 * blocks);
      const expected = opensslChaCha20(key, nonce, last + 1 - blocks, source).subarray(0, -64);
      const result = cipher(key, nonce, last + 1 - blocks, source);
      expect(result.subarray(0, -64)).to.deep.equal(expected);
      const alone = cipher(key, nonce, last, source.subarray(-64));
      expect(result.subarray(-64), 'the last block').to.deep.equal(alone);
      const target = new Uint8Array(64 * blocks);
      const tooFar = () => cipher(key, nonce, last + 2 - blocks, source, target);
      expect(tooFar).to.throw(RangeError, blocks === 1 ? 'counter' : 'source');
      expect([...target], 'nothing is written').to.deep.equal(Array(64 * blocks).fill(0));
    }
    expect(cipher(key, nonce, last, new Uint8Array(64)).length).to.equal(64);
    expect(() => cipher(key, nonce, last, new Uint8Array(65))).to.throw(RangeError, 'source');
  });

  it('names the wrong argument', () => {
    const [key, nonce, source] = [new Uint8Array(32), new Uint8Array(12), new Uint8Array(3)];
    const text = 'text' as unknown as Uint8Array;
    expect(() => cipher(new Uint8Array(16), nonce, 0, source)).to.throw(RangeError, 'key');
    expect(() => cipher(text, nonce, 0, source)).to.throw(TypeError, 'key');
    expect(() => cipher(key, new Uint8Array(8), 0, source)).to.throw(RangeError, 'nonce');
    expect(() => cipher(key, nonce, -1, source)).to.throw(RangeError, 'counter');
    expect(() => cipher(key, nonce, 2 ** 32, source)).to.throw(RangeError, 'counter');
    expect(() => cipher(key, nonce, 1.5, source)).to.throw(TypeError, 'counter');
    expect(() => cipher(key, nonce, 0, text)).to.throw(TypeError, 'source');
    expect(() => cipher(key, nonce, 0, source, nonce)).to.throw(RangeError, 'target');
  });
}

export function describeXChaCha20(cipher: typeof xchacha20): void {
  describeVectors(
    'vectors/libraries/cryptopp-xchacha.txt',
    parseCryptopp('XChaCha20'),
    (vector) => {
      const [key, nonce] = [cryptoppBytes(vector, 'key'), cryptoppBytes(vector, 'iv')];
      // As in the draft, the first block is 1.
      const text = cipher(key, nonce, 1, cryptoppBytes(vector, 'plaintext'));
      expect(text).to.deep.equal(cryptoppBytes(vector, 'ciphertext'));
    },
  );

  describeLengths(() => {
    const [key, nonce] = [randomBytes(32), randomBytes(24)];
    return {
      ours: (source, target) => cipher(key, nonce, 3, source, target),
      theirs: (source) => nobleXchacha20(key, nonce, source.slice(), undefined, 3),
    };
  });

  it('refuses nonces of other lengths, and messages beyond the counter', () => {
    const key = new Uint8Array(32);
    expect(() => cipher(key, new Uint8Array(12), 0, key)).to.throw(RangeError, 'nonce');
    expect(() => cipher(key, new Uint8Array(24), 0xffff_ffff, new Uint8Array(65))).to.throw(
      RangeError,
      'source',
    );
  });
}

export function describeSalsa20(cipher: typeof salsa20): void {
  describeVectors('vectors/libraries/cryptopp-salsa20.txt', parseCryptopp('Salsa20'), (vector) => {
    const rounds = Number(vector['rounds'] ?? 20) as SalsaRounds;
    const [key, nonce] = [cryptoppBytes(vector, 'key'), cryptoppBytes(vector, 'iv')];
    const crypt = (counter: number, source: Uint8Array) =>
      cipher(key, nonce, source, { rounds, counter });
    if (vector['test'] === 'EncryptXorDigest') {
      const text = crypt(0, cryptoppBytes(vector, 'plaintext'));
      expect(xorDigest(text)).to.deep.equal(cryptoppBytes(vector, 'ciphertextxordigest'));
      return;
    }
    const expected = cryptoppBytes(vector, 'ciphertext');
    const seek = Number(vector['seek64'] ?? vector['seek'] ?? 0);
    expect(seek % 64).to.equal(0);
    const plaintext = cryptoppBytes(vector, 'plaintext').subarray(0, expected.length);
    expect(crypt(seek / 64, plaintext)).to.deep.equal(expected.subarray(0, plaintext.length));
  });

  describeLengths(() => {
    const [key, nonce] = [randomBytes(32), randomBytes(8)];
    return {
      ours: (source, target) => cipher(key, nonce, source, { counter: 5 }, target),
      theirs: (source) => nobleSalsa20(key, nonce, source.slice(), undefined, 5),
    };
  });

  it('counts beyond 2^32 blocks, from any first block', () => {
    const [key, nonce] = [randomBytes(16), randomBytes(8)];
    const edge = 1n << 32n;
    const source = randomBytes(64 * 20);
    for (const rounds of [8, 12, 20] as const) {
      for (let before = 0n; before < 10n; before++) {
        const result = cipher(key, nonce, source, { rounds, counter: edge - before });
        for (let block = 0; block < 20; block++) {
          const part = source.subarray(64 * block, 64 * block + 64);
          const counter = edge - before + BigInt(block);
          const alone = cipher(key, nonce, part, { rounds, counter });
          expect(result.subarray(64 * block, 64 * block + 64)).to.deep.equal(alone);
        }
      }
    }
  });

  it('uses the last of its 2^64 blocks and refuses the one after', () => {
    const [key, nonce] = [randomBytes(32), randomBytes(8)];
    const counter = (1n << 64n) - 1n;
    expect(cipher(key, nonce, new Uint8Array(64), { counter }).length).to.equal(64);
    for (const [bad, source] of [
      [counter, new Uint8Array(65)],
      [counter - 1n, new Uint8Array(129)],
    ] as const) {
      expect(() => cipher(key, nonce, source, { counter: bad })).to.throw(RangeError, 'source');
    }
  });

  it('names the wrong argument', () => {
    const [key, nonce, source] = [new Uint8Array(32), new Uint8Array(8), new Uint8Array(3)];
    const rounds = 10 as SalsaRounds;
    expect(() => cipher(new Uint8Array(24), nonce, source)).to.throw(RangeError, 'key');
    expect(() => cipher(key, new Uint8Array(12), source)).to.throw(RangeError, 'nonce');
    expect(() => cipher(key, nonce, source, { rounds })).to.throw(RangeError, 'rounds');
    expect(() => cipher(key, nonce, source, { counter: -1 })).to.throw(RangeError, 'counter');
    expect(() => cipher(key, nonce, source, { counter: 0.5 })).to.throw(TypeError, 'counter');
    expect(() => cipher(key, nonce, source, { counter: 1n << 64n })).to.throw(
      RangeError,
      'counter',
    );
    expect(() => cipher(key, nonce, source, {}, nonce)).to.throw(RangeError, 'target');
  });
}

/** eSTREAM's digest of a long stream: the XOR of its 64-byte pieces. */
function xorDigest(text: Uint8Array): Uint8Array {
  const sum = new Uint8Array(64);
  text.forEach((byte, i) => (sum[i % 64]! ^= byte));
  return sum;
}

/** OpenSSL's IV is counter ‖ nonce. */
function opensslChaCha20(
  key: Uint8Array,
  nonce: Uint8Array,
  counter: number,
  source: Uint8Array,
): Uint8Array {
  const iv = Buffer.alloc(16);
  iv.writeUInt32LE(counter);
  iv.set(nonce, 4);
  return Uint8Array.from(createCipheriv('chacha20', key, iv).update(source));
}
