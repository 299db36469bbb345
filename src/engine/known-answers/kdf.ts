/** Known answers of the key derivation functions. */
import { fromHex as hex, utf8 } from '../../crypto/bytes.ts';
import type { Argon2Params, HkdfParams, Pbkdf2Params, ScryptParams } from '../contract.ts';
import type { KdfAnswer } from './answers.ts';

const EMPTY = new Uint8Array(0);
const PASSWORD = utf8('password');
const SALT = utf8('salt');

interface KdfAnswers {
  readonly HKDF: readonly KdfAnswer<HkdfParams>[];
  readonly PBKDF2: readonly KdfAnswer<Pbkdf2Params>[];
  readonly scrypt: readonly KdfAnswer<ScryptParams>[];
  readonly Argon2d: readonly KdfAnswer<Argon2Params>[];
  readonly Argon2i: readonly KdfAnswer<Argon2Params>[];
  readonly Argon2id: readonly KdfAnswer<Argon2Params>[];
}

/** Answers of the key derivation functions. */
export const KDF_ANSWERS: KdfAnswers = {
  HKDF: [
    {
      source: 'RFC 5869, A.1',
      secret: new Uint8Array(22).fill(0x0b),
      params: {
        hash: 'SHA-256',
        salt: hex('000102030405060708090a0b0c'),
        info: hex('f0f1f2f3f4f5f6f7f8f9'),
      },
      output: hex(
        '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
      ),
    },
    {
      source: 'RFC 5869, A.3: no salt, no info',
      secret: new Uint8Array(22).fill(0x0b),
      params: { hash: 'SHA-256', salt: EMPTY, info: EMPTY },
      output: hex(
        '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
      ),
    },
    {
      source: 'RFC 5869, A.4',
      secret: new Uint8Array(11).fill(0x0b),
      params: {
        hash: 'SHA-1',
        salt: hex('000102030405060708090a0b0c'),
        info: hex('f0f1f2f3f4f5f6f7f8f9'),
      },
      output: hex(
        '085a01ea1b10f36933068b56efa5ad81a4f14b822f5b091568a9cdd4f155fda2c22e422478d305f3f896',
      ),
    },
    {
      source: 'Wycheproof hkdf_sha512_test, tcId 1',
      secret: hex('24aeff2645e3e0f5494a9a102778c43a'),
      params: { hash: 'SHA-512', salt: EMPTY, info: EMPTY },
      output: hex('dd2599840b09699c6200b5cba79002b3aa75c61b'),
    },
  ],
  PBKDF2: [
    {
      source: 'RFC 6070, 1 iteration',
      secret: PASSWORD,
      params: { hash: 'SHA-1', salt: SALT, iterations: 1 },
      output: hex('0c60c80f961f0e71f3a9b524af6012062fe037a6'),
    },
    {
      source: 'RFC 6070, 2 iterations',
      secret: PASSWORD,
      params: { hash: 'SHA-1', salt: SALT, iterations: 2 },
      output: hex('ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957'),
    },
    {
      source: 'RFC 7914, section 11: two blocks of output',
      secret: utf8('passwd'),
      params: { hash: 'SHA-256', salt: SALT, iterations: 1 },
      output: hex(
        '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc' +
          '49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
      ),
    },
  ],
  scrypt: [
    {
      source: 'RFC 7914, section 12: the first (the others are slow)',
      secret: EMPTY,
      params: { salt: EMPTY, N: 16, r: 1, p: 1 },
      output: hex(
        '77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a' +
          '0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906',
      ),
    },
  ],
  Argon2d: [argon2('5.1', '512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb')],
  Argon2i: [argon2('5.2', 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8')],
  Argon2id: [argon2('5.3', '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659')],
};

/** The inputs are the same for the three types. */
function argon2(section: string, output: string): KdfAnswer<Argon2Params> {
  return {
    source: `RFC 9106, ${section}`,
    secret: new Uint8Array(32).fill(1),
    params: {
      nonce: new Uint8Array(16).fill(2),
      secret: new Uint8Array(8).fill(3),
      associatedData: new Uint8Array(12).fill(4),
      memoryKiB: 32,
      passes: 3,
      parallelism: 4,
    },
    output: hex(output),
  };
}
