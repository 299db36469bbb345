import { createHash } from 'node:crypto';
import { blake3 as noble } from '@noble/hashes/blake3.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex, utf8 } from '../../../../src/crypto/bytes.ts';
import { Blake2b } from '../../../../src/crypto/hash/blake2b.ts';
import { Blake3, blake3 } from '../../../../src/crypto/hash/blake3.ts';
import { loadBlake } from '../../../../src/engine/wasm/hash/blake.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/hash/blake-layout.ts';
import { blake2bSelfTest } from '../../../crypto/hash/blake2b-self-test.ts';
import { checkBlake3Vectors } from '../../../crypto/hash/blake3-vectors.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { readPublished } from '../../../support/vectors.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';
import { describeFastHash, once, pattern } from './hash-suite.ts';

/** One module for all tests that do not need a new one. */
const blake = once(() => loadBlake(loadWasm, 'simd'));
const blake2b512 = (data: Uint8Array): string =>
  createHash('blake2b512').update(data).digest('hex');

describe('BLAKE in WebAssembly', () => {
  describeFastHash('BLAKE2b', async () => (await blake()).hashes.BLAKE2b, blake2b512);
  describeFastHash(
    'BLAKE3',
    async () => (await blake()).hashes.BLAKE3,
    (data) => toHex(blake3(data)),
  );

  for (const variant of UNIT_VARIANTS) {
    it(`gives the outputs of the official BLAKE3 vectors, in all modes (${variant})`, async () => {
      enableRelaxedSimd();
      const { hashes } = await loadBlake(loadWasm, variant);
      expect(await checkBlake3Vectors(hashes.BLAKE3)).to.equal(35);
    });
  }

  it('passes the self-test of RFC 7693, appendix E', async () => {
    const module = await blake();
    const { selfTest } = readPublished('blake2b.json') as { readonly selfTest: string };
    expect(toHex(blake2bSelfTest((options) => module.createBlake2b(options)))).to.equal(selfTest);
  });

  it('agrees with src/crypto for BLAKE2b of every length of key and digest', async () => {
    const module = await blake();
    const key = fc.uint8Array({ maxLength: 64 });
    const data = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(key, data, fc.integer({ min: 1, max: 64 }), (secret, message, digestBytes) => {
        const options = { digestBytes, key: secret };
        const expected = new Blake2b(options).update(message).digest();
        expect(module.createBlake2b(options).update(message).digest()).to.deep.equal(expected);
      }),
    );
    expect(() => module.createBlake2b({ digestBytes: 65 })).to.throw(RangeError, 'digestBytes');
    expect(() => module.createBlake2b({ key: new Uint8Array(65) })).to.throw(RangeError, 'key');
  });

  it('agrees with noble-hashes for BLAKE3 of every number of chunks up to 200', async () => {
    const { hashes } = await blake();
    const data = pattern(200 * 1024 + 1);
    for (let chunks = 1; chunks <= 200; chunks += chunks < 10 ? 1 : 19) {
      for (const length of [chunks * 1024 - 1, chunks * 1024, chunks * 1024 + 1]) {
        const message = data.subarray(0, length);
        expect(toHex(hashes.BLAKE3.digest(message)), `${length}`).to.equal(toHex(noble(message)));
      }
    }
  });

  it('builds the same BLAKE3 tree from pieces of any size', async () => {
    const { hashes } = await blake();
    const data = pattern(300_000);
    const expected = toHex(hashes.BLAKE3.digest(data));
    for (const size of [1000, 1023, 1024, 1025, 4096, 65_535, 65_536, 65_537, 100_000]) {
      const hash = hashes.BLAKE3.create();
      for (let i = 0; i < data.length; i += size) hash.update(data.subarray(i, i + size));
      expect(toHex(hash.digest()), `pieces of ${size}`).to.equal(expected);
    }
  });

  it('gives BLAKE3 output of any length, and copies keys', async () => {
    const { hashes } = await blake();
    const key = new Uint8Array(32).fill(5);
    const keyed = hashes.BLAKE3.createKeyed(key).update(pattern(3000));
    const clone = keyed.clone();
    key.fill(0);
    const expected = Blake3.keyed(new Uint8Array(32).fill(5)).update(pattern(3000)).digest(1000);
    expect(keyed.digest(1000)).to.deep.equal(expected);
    expect(clone.digest(65)).to.deep.equal(expected.slice(0, 65));
    expect(hashes.BLAKE3.create().digest(0)).to.have.length(0);
    expect(() => hashes.BLAKE3.create().digest(-1)).to.throw(RangeError, 'lengthBytes');
    expect(() => hashes.BLAKE3.createKeyed(new Uint8Array(33))).to.throw(RangeError, 'key');
  });

  it('shares the module between BLAKE2b and BLAKE3', async () => {
    const { hashes } = await blake();
    const two = hashes.BLAKE2b.create();
    const three = hashes.BLAKE3.create();
    const data = pattern(9000);
    for (let i = 0; i < data.length; i += 700) {
      two.update(data.subarray(i, i + 700));
      three.update(data.subarray(i, i + 700));
    }
    expect(toHex(two.digest())).to.equal(blake2b512(data));
    expect(toHex(three.digest())).to.equal(toHex(blake3(data)));
  });

  it('hashes short messages by BLAKE3 while the buffer has data of BLAKE2b', async () => {
    const { hashes } = await blake();
    for (const length of [0, 1, 31, 32, 63, 64, 65, 1000, 1024]) {
      const two = hashes.BLAKE2b.create().update(pattern(2000).fill(0x5a));
      const message = pattern(length);
      expect(toHex(hashes.BLAKE3.digest(message)), `${length} B`).to.equal(toHex(blake3(message)));
      two.wipe();
    }
  });

  it('leaves nothing of a message or key in its memory', async () => {
    const { hashes, memory } = await loadBlake(loadWasm);
    const clean = (): boolean => memory.subarray(SECRETS).every((byte) => byte === 0);
    for (const length of [3, 1025, 65536, 200_000]) {
      for (const hash of Object.values(hashes)) {
        hash.digest(pattern(length).fill(0x5a));
        expect(clean()).to.equal(true);
        hash.create().update(pattern(length)).update(pattern(33)).digest();
        hash.create().update(pattern(length)).wipe();
        expect(clean()).to.equal(true);
      }
      hashes.BLAKE3.createKeyed(pattern(32)).update(pattern(length)).digest();
      hashes.BLAKE3.createDeriveKey('context').update(utf8('secret')).digest();
      expect(clean()).to.equal(true);
    }
  });
});
