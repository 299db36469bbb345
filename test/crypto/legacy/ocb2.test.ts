import { expect } from 'chai';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import * as ocb2 from '../../../src/crypto/legacy/ocb2.ts';
import { unaligned } from '../../support/edge-lengths.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { sjcl, toBits, toBytes } from '../../support/references/sjcl.ts';
import { describeVectors, hex, parseSjcl } from '../../support/vectors.ts';

const { ocb2Open } = ocb2;

describe('OCB2', () => {
  describeVectors('sjcl/ocb2_vectors.js', parseSjcl, (vector) => {
    const [key, iv] = [hex(vector, 'key'), hex(vector, 'iv')];
    const params = { key, iv, associatedData: hex(vector, 'adata'), tagLength: 128 };
    const sealed = Uint8Array.from(Buffer.concat([hex(vector, 'ct'), hex(vector, 'tag')]));
    const kept = sealed.slice();
    expect(ocb2Open(params, sealed)).to.deep.equal(hex(vector, 'pt'));
    expect(sealed).to.deep.equal(kept);
  });

  it('opens messages of SJCL, at every length of message and associated data around blocks', () => {
    for (let length = 0; length <= 100; length++) {
      const key = randomBytes([16, 24, 32][length % 3]!);
      const [iv, plaintext] = [randomBytes(16), randomBytes(length)];
      const tagLength = [64, 96, 128][length % 3]!;
      for (const dataBytes of [0, 1, 15, 16, 17, 31, 32, 33, 48, length]) {
        const associatedData = randomBytes(dataBytes);
        const sealed = seal(key, plaintext, iv, associatedData, tagLength);
        const params = { key, iv, associatedData, tagLength };
        const opened = ocb2Open(params, unaligned(sealed, length % 8));
        expect(opened, `${length}, ${dataBytes}`).to.deep.equal(plaintext);
      }
    }
  });

  it('refuses each flipped byte of iv, associated data, ciphertext and tag', () => {
    const [key, iv, associatedData] = [randomBytes(16), randomBytes(16), randomBytes(20)];
    const sealed = seal(key, randomBytes(37), iv, associatedData, 64);
    for (const part of [iv, associatedData, sealed]) {
      for (let i = 0; i < part.length; i++) {
        part[i]! ^= 1 << (i % 8);
        expect(() => ocb2Open({ key, iv, associatedData, tagLength: 64 }, sealed)).to.throw(
          AuthenticationError,
          /^Authentication failed$/,
        );
        part[i]! ^= 1 << (i % 8);
      }
    }
    ocb2Open({ key, iv, associatedData, tagLength: 64 }, sealed);
  });

  it('accepts a forgery, which is why its results do not count as authenticated', () => {
    // eprint 2018/1040, the minimal attack: a plaintext of two blocks, len(0^128) and any M_2, gives a
    // shorter ciphertext that verifies under the same nonce.
    const [key, iv] = [randomBytes(16), randomBytes(16)];
    const first = new Uint8Array(16);
    first[15] = 128;
    const second = randomBytes(16);
    const sealed = seal(key, Uint8Array.from([...first, ...second]), iv, new Uint8Array(0), 128);
    const [c1, c2] = [sealed.subarray(0, 16), sealed.subarray(16, 32)];
    const forged = new Uint8Array(32);
    for (let i = 0; i < 16; i++) {
      forged[i] = c1[i]! ^ first[i]!;
      forged[16 + i] = second[i]! ^ c2[i]!;
    }
    expect(Buffer.compare(forged, sealed.subarray(0, 32))).to.not.equal(0);
    ocb2Open({ key, iv, tagLength: 128 }, forged);
  });

  it('can open only', () => {
    expect(Object.keys(ocb2)).to.deep.equal(['ocb2Open']);
  });

  it('names the wrong argument', () => {
    const [key, iv] = [new Uint8Array(16), new Uint8Array(16)];
    const open = (params: object, bytes = new Uint8Array(40)) => {
      return () => ocb2Open({ key, iv, tagLength: 64, ...params }, bytes);
    };
    expect(open({ key: new Uint8Array(15) })).to.throw(RangeError, 'key');
    expect(open({ iv: new Uint8Array(12) })).to.throw(RangeError, 'iv');
    for (const tagLength of [0, 8, 32, 56, 65, 136, 64.5]) {
      expect(open({ tagLength }), `${tagLength}`).to.throw(RangeError, 'tagLength');
    }
    expect(open({ associatedData: 'text' })).to.throw(TypeError, 'associatedData');
    expect(open({}, 'text' as unknown as Uint8Array<ArrayBuffer>)).to.throw(TypeError, 'bytes');
    expect(open({}, new Uint8Array(7))).to.throw(AuthenticationError);
  });
});

function seal(
  key: Uint8Array,
  plaintext: Uint8Array,
  iv: Uint8Array,
  associatedData: Uint8Array,
  tagLength: number,
): Uint8Array {
  const aes = new sjcl.cipher.aes(toBits(key));
  return toBytes(
    sjcl.mode.ocb2.encrypt(aes, toBits(plaintext), toBits(iv), toBits(associatedData), tagLength),
  );
}
