/** Known answers of the authenticated modes. */
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { CipherAnswer } from './answers.ts';
import { GCM_ANSWERS } from './gcm.ts';
import type { AeadName } from '../../crypto/algorithms.ts';
import type { AeadParams } from '../contract.ts';

/** Answers of the modes that no other file of this folder has. */
export const AEAD_ANSWERS = {
  'AES-GCM': GCM_ANSWERS,
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
