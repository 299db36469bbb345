/** Known answers of the authenticated modes. */
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { CipherAnswer } from './answers.ts';
import type { AeadName } from '../../crypto/algorithms.ts';
import type { AeadParams } from '../contract.ts';

/** Answers of the modes that stand in no other file of this folder. */
export const AEAD_ANSWERS = {
  'AES-GCM': [
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
        associatedData: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
        tagBytes: 16,
      },
      plaintext: hex(
        'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
      ),
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
        associatedData: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
        tagBytes: 16,
      },
      plaintext: hex(
        'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
      ),
      ciphertext: hex(
        '8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca701e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5619cc5aefffe0bfa462af43c1699d050',
      ),
    },
    {
      source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 11',
      key: hex('feffe9928665731c6d6a8f9467308308feffe9928665731c'),
      params: {
        nonce: hex('cafebabefacedbad'),
        associatedData: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
        tagBytes: 16,
      },
      plaintext: hex(
        'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
      ),
      ciphertext: hex(
        '0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f765dcc57fcf623a24094fcca40d3533f8',
      ),
    },
    {
      source: 'McGrew and Viega, The Galois/Counter Mode of Operation, test case 16',
      key: hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'),
      params: {
        nonce: hex('cafebabefacedbaddecaf888'),
        associatedData: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'),
        tagBytes: 16,
      },
      plaintext: hex(
        'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
      ),
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
  ],
  'AES-CCM': [
    {
      source: 'SP 800-38C, appendix C, example 1',
      key: hex('404142434445464748494a4b4c4d4e4f'),
      params: {
        nonce: hex('10111213141516'),
        associatedData: hex('0001020304050607'),
        tagBytes: 4,
      },
      plaintext: hex('20212223'),
      ciphertext: hex('7162015b4dac255d'),
    },
    {
      source: 'SP 800-38C, appendix C, example 2',
      key: hex('404142434445464748494a4b4c4d4e4f'),
      params: {
        nonce: hex('1011121314151617'),
        associatedData: hex('000102030405060708090a0b0c0d0e0f'),
        tagBytes: 6,
      },
      plaintext: hex('202122232425262728292a2b2c2d2e2f'),
      ciphertext: hex('d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd'),
    },
    {
      source: 'SP 800-38C, appendix C, example 3',
      key: hex('404142434445464748494a4b4c4d4e4f'),
      params: {
        nonce: hex('101112131415161718191a1b'),
        associatedData: hex('000102030405060708090a0b0c0d0e0f10111213'),
        tagBytes: 8,
      },
      plaintext: hex('202122232425262728292a2b2c2d2e2f3031323334353637'),
      ciphertext: hex('e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951'),
    },
    {
      source: 'Wycheproof aes_ccm_test, tcId 91',
      key: hex('e258b117c2fdd75587f07b400ae4af3e673a51dcf761e4ca'),
      params: {
        nonce: hex('5ead03aa8c720d21b77075db'),
        associatedData: hex('27702950960b9c79'),
        tagBytes: 16,
      },
      plaintext: hex('afe96113a684bc52a6d962cf2724f6791d'),
      ciphertext: hex('7830446f333057d996a1a79b21c68d8b4372ac478a66f5637563f1f12c1d0267ca'),
    },
    {
      source: 'CAVP VNT256, Nlen = 7, Count 0',
      key: hex('553521a765ab0c3fd203654e9916330e189bdf951feee9b44b10da208fee7acf'),
      params: {
        nonce: hex('aaa23f101647d8'),
        associatedData: hex('a355d4c611812e5f9258d7188b3df8851477094ffc2af2cf0c8670db903fbbe0'),
        tagBytes: 16,
      },
      plaintext: hex('644eb34b9a126e437b5e015eea141ca1a88020f2d5d6cc2c'),
      ciphertext: hex(
        '27ed90668174ebf8241a3c74b35e1246b6617e4123578f153bdb67062a13ef4e986f5bb3d0bb4307',
      ),
    },
  ],
  'AES-OCB': [
    {
      source: 'RFC 7253, appendix A, nonce BBAA99887766554433221100',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: { nonce: hex('bbaa99887766554433221100'), associatedData: hex(''), tagBytes: 16 },
      plaintext: hex(''),
      ciphertext: hex('785407bfffc8ad9edcc5520ac9111ee6'),
    },
    {
      source: 'RFC 7253, appendix A, nonce BBAA99887766554433221101',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: {
        nonce: hex('bbaa99887766554433221101'),
        associatedData: hex('0001020304050607'),
        tagBytes: 16,
      },
      plaintext: hex('0001020304050607'),
      ciphertext: hex('6820b3657b6f615a5725bda0d3b4eb3a257c9af1f8f03009'),
    },
    {
      source: 'RFC 7253, appendix A, nonce BBAA99887766554433221107',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: {
        nonce: hex('bbaa99887766554433221107'),
        associatedData: hex('000102030405060708090a0b0c0d0e0f1011121314151617'),
        tagBytes: 16,
      },
      plaintext: hex('000102030405060708090a0b0c0d0e0f1011121314151617'),
      ciphertext: hex(
        '1ca2207308c87c010756104d8840ce1952f09673a448a122c92c62241051f57356d7f3c90bb0e07f',
      ),
    },
    {
      source: 'RFC 7253, appendix A, nonce BBAA9988776655443322110D',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: {
        nonce: hex('bbaa9988776655443322110d'),
        associatedData: hex(
          '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627',
        ),
        tagBytes: 16,
      },
      plaintext: hex(
        '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627',
      ),
      ciphertext: hex(
        'd5ca91748410c1751ff8a2f618255b68a0a12e093ff454606e59f9c1d0ddc54b65e8628e568bad7aed07ba06a4a69483a7035490c5769e60',
      ),
    },
    {
      source: 'RFC 7253, appendix A, tag of 96 bits',
      key: hex('0f0e0d0c0b0a09080706050403020100'),
      params: {
        nonce: hex('bbaa9988776655443322110d'),
        associatedData: hex(
          '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627',
        ),
        tagBytes: 12,
      },
      plaintext: hex(
        '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627',
      ),
      ciphertext: hex(
        '1792a4e31e0755fb03e31b22116e6c2ddf9efd6e33d536f1a0124b0a55bae884ed93481529c76b6ad0c515f4d1cdd4fdac4f02aa',
      ),
    },
    {
      source: 'OCB3 vectors of the author with nonces of 104 bits',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: {
        nonce: hex('ccbbaa99887766554433221101'),
        associatedData: hex('0001020304050607'),
        tagBytes: 16,
      },
      plaintext: hex('0001020304050607'),
      ciphertext: hex('f4132f7b364d13a2303ace52ddf90774e24e3e8895ac7f88'),
    },
  ],
} satisfies Partial<Record<AeadName, readonly CipherAnswer<AeadParams>[]>>;
