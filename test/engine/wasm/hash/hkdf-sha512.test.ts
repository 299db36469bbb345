import { expect } from 'chai';
import fc from 'fast-check';
import { hkdfSync } from 'node:crypto';
import { SHA512 } from '../../../../src/crypto/hash/sha512.ts';
import { hkdfExpand, hkdfExtract } from '../../../../src/crypto/kdf/hkdf.ts';
import { expandSha512 } from '../../../../src/engine/wasm/hash/hkdf-sha512.ts';
import { BUFFER_BYTES, SECRETS } from '../../../../src/engine/wasm/generator/hash/sha-layout.ts';
import { loadSha } from '../../../../src/engine/wasm/hash/sha.ts';
import type { ShaModule } from '../../../../src/engine/wasm/hash/sha.ts';
import { loadWasm } from '../../../support/wasm.ts';

describe('HKDF-Expand with SHA-512 in WebAssembly', () => {
  let sha: ShaModule;
  before(async () => {
    sha = await loadSha(loadWasm);
  });

  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i * 31 + 7);

  // The block counter has one byte, the padding 17, the previous block 64: these lengths are the edges.
  for (const info of [0, 1, 46, 47, 48, 109, 110, 111, 112, 127, 128, 174, 175, 1000]) {
    it(`agrees with src/crypto for ${info} bytes of info`, () => {
      for (const [key, length] of [
        [0, 64],
        [16, 1],
        [32, 76],
        [64, 0],
        [127, 65],
        [128, 255 * 64],
      ] as const) {
        expect(expandSha512(sha, bytes(key), bytes(info), length)).to.deep.equal(
          hkdfExpand(SHA512, bytes(key), bytes(info), length),
        );
      }
    });
  }

  it('agrees with Node, whose HKDF extracts first', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array({ maxLength: 400 }), (secret, info) => {
        const prk = hkdfExtract(SHA512, bytes(9), secret);
        const expected = new Uint8Array(hkdfSync('sha512', secret, bytes(9), info, 76));
        expect(expandSha512(sha, prk, info, 76)).to.deep.equal(expected);
      }),
    );
  });

  it('accepts info as long as the buffer, and longer', () => {
    for (const length of [BUFFER_BYTES - 66, BUFFER_BYTES - 65, BUFFER_BYTES - 64, 70_000]) {
      const expected = hkdfExpand(SHA512, bytes(32), bytes(length), 76);
      expect(expandSha512(sha, bytes(32), bytes(length), 76)).to.deep.equal(expected);
    }
  });

  it('accepts views at any offset, and does not affect a hash in progress', () => {
    const hash = sha.hashes['SHA-512'].create().update(bytes(300));
    const key = new Uint8Array(40).subarray(3, 35);
    const info = bytes(50).subarray(5);
    expect(expandSha512(sha, key, info, 76)).to.deep.equal(hkdfExpand(SHA512, key, info, 76));
    expect(hash.digest()).to.deep.equal(sha.hashes['SHA-512'].digest(bytes(300)));
  });

  it('leaves nothing of the key or the output in the module', () => {
    expandSha512(sha, bytes(128), bytes(600), 200);
    expect(sha.memory.subarray(SECRETS).every((byte) => byte === 0)).to.equal(true);
  });

  it('refuses keys that HMAC would hash, and more than 255 blocks', () => {
    expect(() => expandSha512(sha, bytes(129), bytes(1), 1)).to.throw(RangeError, 'prk');
    expect(() => expandSha512(sha, bytes(32), bytes(1), 255 * 64 + 1)).to.throw(RangeError);
  });
});
