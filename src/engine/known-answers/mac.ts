/** Known answers of the message authentication codes. */
import { fromHex as hex, utf8 } from '../../crypto/bytes.ts';
import type { MacName } from '../contract.ts';
import type { MacAnswer } from './answers.ts';

// RFC 2202 and RFC 4231, test case 2
const SHORT_KEY = hex('4a656665'); // Jefe
const QUESTION = hex('7768617420646f2079612077616e7420666f72206e6f7468696e673f'); // what do ya want for nothing?

// RFC 4231, test case 6
const LONG_KEY = new Uint8Array(131).fill(0xaa);
const LONG_KEY_MESSAGE = hex(
  '54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374',
); // Test Using Larger Than Block-Size Key - Hash Key First

// SP 800-38A, appendix F, and SP 800-38B, appendix D, use the same keys and blocks
const KEY_128 = hex('2b7e151628aed2a6abf7158809cf4f3c');
const KEY_192 = hex('8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b');
const KEY_256 = hex('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4');
const BLOCKS = hex(
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
    '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
);

// SP 800-38A, F.2: CBC-MAC is the last block of CBC under a zero IV. XORing the examples' IV into
// the first block gives the same chain.
const FIRST_BLOCK_WITH_IV = '6bc0bce12a459991e134741a7f9e1925';
const CHAINED = hex(
  FIRST_BLOCK_WITH_IV +
    'ae2d8a571e03ac9c9eb76fac45af8e51' +
    '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
);

/** Answers of the MACs. */
export const MAC_ANSWERS: Readonly<Record<MacName, readonly MacAnswer[]>> = {
  HMAC: [
    {
      source: 'NIST, examples of HMAC with SHA-3: a key shorter than a block',
      key: Uint8Array.from({ length: 32 }, (_, i) => i),
      hash: 'SHA3-256',
      message: utf8('Sample message for keylen<blocklen'),
      tag: hex('4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205'),
    },
    {
      source: 'RFC 2202, test case 2',
      key: SHORT_KEY,
      hash: 'SHA-1',
      message: QUESTION,
      tag: hex('effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'),
    },
    {
      source: 'RFC 4231, test case 2',
      key: SHORT_KEY,
      hash: 'SHA-256',
      message: QUESTION,
      tag: hex('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'),
    },
    {
      source: 'RFC 4231, test case 2',
      key: SHORT_KEY,
      hash: 'SHA-384',
      message: QUESTION,
      tag: hex(
        'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
      ),
    },
    {
      source: 'RFC 4231, test case 2',
      key: SHORT_KEY,
      hash: 'SHA-512',
      message: QUESTION,
      tag: hex(
        '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
      ),
    },
    {
      source: 'RFC 4231, test case 6',
      key: LONG_KEY,
      hash: 'SHA-256',
      message: LONG_KEY_MESSAGE,
      tag: hex('60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54'),
    },
    {
      source: 'RFC 4231, test case 6',
      key: LONG_KEY,
      hash: 'SHA-512',
      message: LONG_KEY_MESSAGE,
      tag: hex(
        '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
      ),
    },
  ],
  'AES-CMAC': [
    {
      source: 'SP 800-38B, D.1, 0 bits',
      key: KEY_128,
      message: BLOCKS.subarray(0, 0),
      tag: hex('bb1d6929e95937287fa37d129b756746'),
    },
    {
      source: 'SP 800-38B, D.1, 320 bits',
      key: KEY_128,
      message: BLOCKS.subarray(0, 40),
      tag: hex('dfa66747de9ae63030ca32611497c827'),
    },
    {
      source: 'SP 800-38B, D.1, 512 bits',
      key: KEY_128,
      message: BLOCKS.subarray(0, 64),
      tag: hex('51f0bebf7e3b9d92fc49741779363cfe'),
    },
    {
      source: 'SP 800-38B, D.2, 320 bits',
      key: KEY_192,
      message: BLOCKS.subarray(0, 40),
      tag: hex('8a1de5be2eb31aad089a82e6ee908b0e'),
    },
    {
      source: 'SP 800-38B, D.3, 128 bits',
      key: KEY_256,
      message: BLOCKS.subarray(0, 16),
      tag: hex('28a7023f452e8f82bd4bf28d8c37c35c'),
    },
  ],
  'AES-CBC-MAC': [
    {
      source: 'SP 800-38A, F.2.1',
      key: KEY_128,
      message: CHAINED,
      tag: hex('3ff1caa1681fac09120eca307586e1a7'),
    },
    {
      source: 'SP 800-38A, F.2.3',
      key: KEY_192,
      message: CHAINED,
      tag: hex('08b0e27988598881d920a9e64f5615cd'),
    },
    {
      source: 'SP 800-38A, F.2.5',
      key: KEY_256,
      message: CHAINED,
      tag: hex('b2eb05e2c39be9fcda6c19078c6a9d1b'),
    },
  ],
};
