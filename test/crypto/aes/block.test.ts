import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { toHex } from '../../../src/crypto/bytes.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields } from '../../support/vectors.ts';
import { describeVectors, hex, parseRsp, parseSjcl, readPublished } from '../../support/vectors.ts';

const WHOLE = EDGE_LENGTHS.filter((length) => length % 16 === 0);
const { blocks } = readPublished('fips197.json') as { blocks: Fields[] };

function checkBlock(vector: Fields, plaintext = 'plaintext', ciphertext = 'ciphertext'): void {
  const aes = new Aes(hex(vector, 'key'));
  const p = hex(vector, plaintext);
  const c = hex(vector, ciphertext);
  const out = new Uint8Array(p.length);
  aes.encryptBlocks(p, out);
  expect(toHex(out)).to.equal(toHex(c));
  aes.decryptBlocks(c, out);
  expect(toHex(out)).to.equal(toHex(p));
}

function reference(key: Uint8Array, source: Uint8Array): Uint8Array {
  const cipher = createCipheriv(`aes-${8 * key.length}-ecb`, key, null).setAutoPadding(false);
  return Uint8Array.from(Buffer.concat([cipher.update(source), cipher.final()]));
}

describe('AES', () => {
  it('gives the examples of FIPS 197, appendix C', () => {
    for (const vector of blocks) checkBlock(vector);
  });

  for (const file of ['GFSbox', 'KeySbox', 'MMT', 'VarKey', 'VarTxt'].flatMap((name) =>
    [128, 192, 256].map((size) => `${name}${size}`),
  )) {
    describeVectors(`cryptography_vectors/ciphers/AES/ECB/ECB${file}.rsp`, parseRsp, (vector) =>
      checkBlock(vector),
    );
  }
  describeVectors('sjcl/aes_vectors.js', parseSjcl, (vector) => checkBlock(vector, 'pt', 'ct'));

  it('agrees with OpenSSL after a chain of 100 · 1000 encryptions (AESAVS 6.4.1)', () => {
    let key = randomBytes(16);
    const block = randomBytes(16);
    for (let i = 0; i < 100; i++) {
      const aes = new Aes(key);
      // OpenSSL's CBC of zeros with the block as IV is the same chain: C_j = E(C_{j-1}).
      const cipher = createCipheriv('aes-128-cbc', key, block).setAutoPadding(false);
      const chain = cipher.update(new Uint8Array(16_000));
      for (let j = 0; j < 1000; j++) aes.encryptBlocks(block, block);
      expect(toHex(block)).to.equal(chain.subarray(-16).toString('hex'));
      key = key.map((byte, at) => byte ^ block[at]!);
    }
  });

  for (const keyBytes of [16, 24, 32]) {
    it(`agrees with OpenSSL at edge lengths, ${8 * keyBytes} bits, in both directions`, () => {
      for (const length of [...WHOLE, 65_536 + 16]) {
        const key = randomBytes(keyBytes);
        const cipher = new Aes(key);
        const source = randomBytes(length);
        const kept = source.slice();
        const target = new Uint8Array(length);
        cipher.encryptBlocks(source, target);
        expect(target, `${length}`).to.deep.equal(reference(key, source));
        expect(source).to.deep.equal(kept);
        cipher.decryptBlocks(target, target);
        expect(target, `${length} back`).to.deep.equal(source);
      }
    });
  }

  it('works on views at any offset, in place or not', () => {
    const key = randomBytes(32);
    const aes = new Aes(key);
    for (const length of [16, 512, 528, 8192, 8208, 20_000 - (20_000 % 16)]) {
      const source = randomBytes(length);
      const expected = reference(key, source);
      for (const [from, to] of [
        [0, 1],
        [1, 0],
        [3, 2],
        [4, 4],
      ] as const) {
        const view = unaligned(source, from);
        const target = unaligned(new Uint8Array(length), to);
        aes.encryptBlocks(view, target);
        expect(target).to.deep.equal(expected);
        aes.encryptBlocks(view, view);
        expect(view).to.deep.equal(expected);
      }
    }
  });

  it('counts from any byte, in pairs or single blocks, with carries between counter bytes', () => {
    const key = randomBytes(16);
    const aes = new Aes(key);
    for (const byte of [0, 1, 127, 253, 254, 255]) {
      for (const blocks of [1, 2, 3, 254, 255, 256, 257, 258, 600]) {
        const counter = randomBytes(16);
        counter.set([0, 0xff, 0xff, byte], 12);
        const source = randomBytes(16 * blocks);
        const expected = createCipheriv('aes-128-ctr', key, counter).update(source);
        const after = new DataView(counter.buffer).getUint32(12) + blocks;
        const target = new Uint8Array(source.length);
        aes.ctrBlocks(counter, source, target);
        expect(toHex(target), `${byte}, ${blocks}`).to.equal(expected.toString('hex'));
        expect(new DataView(counter.buffer).getUint32(12)).to.equal(after);
      }
    }
  });

  it('does not write outside of its target', () => {
    const aes = new Aes(randomBytes(16));
    for (const shift of [0, 1]) {
      const room = new Uint8Array(64).fill(0x5a);
      aes.encryptBlocks(new Uint8Array(16), room.subarray(16 + shift, 32 + shift));
      expect([...room.subarray(0, 16 + shift)]).to.deep.equal(Array(16 + shift).fill(0x5a));
      expect([...room.subarray(32 + shift)]).to.deep.equal(Array(32 - shift).fill(0x5a));
    }
  });

  it('keeps two keys separate that are used alternately, in both directions', () => {
    const keys = [randomBytes(16), randomBytes(32)];
    const ciphers = keys.map((key) => new Aes(key));
    const block = randomBytes(16);
    for (let turn = 0; turn < 6; turn++) {
      const cipher = ciphers[turn % 2]!;
      const out = new Uint8Array(16);
      cipher.encryptBlocks(block, out);
      expect(out).to.deep.equal(reference(keys[turn % 2]!, block));
      cipher.decryptBlocks(out, out);
      expect(out).to.deep.equal(block);
    }
  });

  it('inverts the round keys at the first decryption, and clears both when wiped', () => {
    const aes = new Aes(Uint8Array.from({ length: 32 }, (_, i) => 7 * i));
    const block = Uint8Array.from({ length: 16 }, (_, i) => 5 + i);
    const sealed = new Uint8Array(16);
    aes.encryptBlocks(block, sealed);
    expect(aes.keys).to.have.length(1);
    const opened = new Uint8Array(16);
    for (let call = 0; call < 2; call++) {
      aes.decryptBlocks(sealed, opened);
      expect(opened).to.deep.equal(block);
    }
    const keys = [...aes.keys];
    expect(keys).to.have.length(2);
    aes.wipe();
    for (const words of keys) expect([...words!].every((word) => word === 0)).to.equal(true);
  });

  it('copies the key and clears the copy when wiped', () => {
    const key = randomBytes(16);
    const kept = key.slice();
    const aes = new Aes(key);
    key.fill(0);
    const block = new Uint8Array(16);
    aes.encryptBlocks(block, block);
    expect(block).to.deep.equal(reference(kept, new Uint8Array(16)));
    aes.wipe();
    const wiped = new Uint8Array(16);
    aes.encryptBlocks(new Uint8Array(16), wiped);
    expect(wiped).to.not.deep.equal(block);
  });

  it('refuses keys of any other length or type', () => {
    for (const length of [0, 1, 15, 17, 23, 25, 31, 33, 64]) {
      expect(() => new Aes(new Uint8Array(length)), `${length}`).to.throw(
        RangeError,
        `key must have 16, 24 or 32 bytes, got ${length}`,
      );
    }
    for (const key of ['0123456789abcdef', Array(16).fill(0), new ArrayBuffer(16), undefined]) {
      expect(() => new Aes(key as unknown as Uint8Array)).to.throw(
        TypeError,
        'key must be a Uint8Array',
      );
    }
  });
});
