/** Known answers of GCM, apart: the engine of messages runs these and no others. */
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { AeadParams } from '../contract.ts';
import type { CipherAnswer } from './answers.ts';

/** Of test cases 4, 6, 11 and 16. */
const PLAINTEXT = /* @__PURE__ */ hex(
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
);
const ASSOCIATED_DATA = /* @__PURE__ */ hex('feedfacedeadbeeffeedfacedeadbeefabaddad2');

/** The answers, with every size of key, nonce and tag. */
export const GCM_ANSWERS: readonly CipherAnswer<AeadParams>[] = [
  {
    source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 1',
    key: hex('00000000000000000000000000000000'),
    params: { nonce: hex('000000000000000000000000'), associatedData: hex(''), tagBytes: 16 },
    plaintext: hex(''),
    ciphertext: hex('58e2fccefa7e3061367f1d57a4e7455a'),
  },
  {
    source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 4',
    key: hex('feffe9928665731c6d6a8f9467308308'),
    params: {
      nonce: hex('cafebabefacedbaddecaf888'),
      associatedData: ASSOCIATED_DATA,
      tagBytes: 16,
    },
    plaintext: PLAINTEXT,
    ciphertext: hex(
      '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47',
    ),
  },
  {
    source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 6',
    key: hex('feffe9928665731c6d6a8f9467308308'),
    params: {
      nonce: hex(
        '9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b',
      ),
      associatedData: ASSOCIATED_DATA,
      tagBytes: 16,
    },
    plaintext: PLAINTEXT,
    ciphertext: hex(
      '8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5619cc5aefffe0bfa462af43c1699d050',
    ),
  },
  {
    source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 11',
    key: hex('feffe9928665731c6d6a8f9467308308feffe9928665731c'),
    params: {
      nonce: hex('cafebabefacedbad'),
      associatedData: ASSOCIATED_DATA,
      tagBytes: 16,
    },
    plaintext: PLAINTEXT,
    ciphertext: hex(
      '0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f765dcc57fcf623a24094fcca40d3533f8',
    ),
  },
  {
    source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 16',
    key: hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'),
    params: {
      nonce: hex('cafebabefacedbaddecaf888'),
      associatedData: ASSOCIATED_DATA,
      tagBytes: 16,
    },
    plaintext: PLAINTEXT,
    ciphertext: hex(
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b',
    ),
  },
  {
    source: 'Wycheproof aes_gcm_test, tcId 300: nonce of one byte',
    key: hex('144cd8279229e8bb2de99d24e615306663913fe9177fcd270fafec493d43bca1'),
    params: { nonce: hex('b3'), associatedData: hex(''), tagBytes: 16 },
    plaintext: hex('976229f5538f9636476d69f0c328e29d'),
    ciphertext: hex('7bea30ecc2f73f8e121263b37966954c8bbad4adc54b37a2b2f0f6e8617548c9'),
  },
  {
    source: 'CAVP gcmEncryptExtIV128, tags of 32 bits, Count 0',
    key: hex('778d7ca9a46412b44ac70233140b9c0d'),
    params: {
      nonce: hex('9191ba713297216a6ed05f74'),
      associatedData: hex('73808b7ca1cadee1e8f9561134a0feece329a7bf'),
      tagBytes: 4,
    },
    plaintext: hex('b8a2ed29143a11fa1a1148ef01'),
    ciphertext: hex('2a6cf485d30dacb9a1445bfc2208d1d193'),
  },
];
