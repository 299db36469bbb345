/** Known answers of the authenticated modes, and of those that resist nonce misuse. */
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { CipherAnswer } from './answers.ts';
import { GCM_ANSWERS } from './gcm.ts';
import type { AeadName } from '../../crypto/algorithms.ts';
import type { AeadParams, SivParams } from '../contract.ts';

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

const EMPTY = new Uint8Array(0);

/** Answers of AES-SIV and AES-GCM-SIV. */
export const SIV_ANSWERS: {
  'AES-SIV': readonly CipherAnswer<SivParams>[];
  'AES-GCM-SIV': readonly CipherAnswer<AeadParams>[];
} = {
  'AES-SIV': [
    {
      source: 'RFC 5297, A.1',
      key: hex('fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'),
      params: { associatedData: [hex('101112131415161718191a1b1c1d1e1f2021222324252627')] },
      plaintext: hex('112233445566778899aabbccddee'),
      ciphertext: hex('85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c'),
    },
    {
      source: 'RFC 5297, A.2: three strings',
      key: hex('7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f'),
      params: {
        associatedData: [
          hex('00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100'),
          hex('102030405060708090a0'),
          hex('09f911029d74e35bd84156c5635688c0'),
        ],
      },
      plaintext: hex(
        '7468697320697320736f6d6520706c61696e7465787420746f20656e6372797074207573696e67205349562d' +
          '414553',
      ),
      ciphertext: hex(
        '7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748' +
          'ba8af829ea64ad544a272e9c485b62a3fd5c0d',
      ),
    },
    {
      source: 'Wycheproof aes_siv_cmac_test, tcId 156: a key of 384 bits',
      key: hex(
        'c4bb58d73a61eeef0ec23490dc3c3a3e140244c9be88209658cc5654a996db2372c2212ffdc260bbdb92a520' +
          'c86f96d8',
      ),
      params: { associatedData: [hex('2e4b50221284bc07d7e30b1a6621676d')] },
      plaintext: hex('d0535403fed2c1dec9f858eebd688afe4d0010b2823275d1bacfd564c074415f'),
      ciphertext: hex(
        '0131705a9a6c645f13fe4679bd03daac234bc11db1f0941be0788c1c14bbf95ef1dbfbdf5af786a5a5a3a7d4' +
          'f35fd169',
      ),
    },
    {
      source: 'Wycheproof aes_siv_cmac_test, tcId 303: a key of 512 bits',
      key: hex(
        '27faf97fb303aa4f2f364edd23997f4c77b8e51ebb8293c59dfb1d24f0fb629f6c820fc2d91bf48f0035eeec' +
          '347e37ec4fb0cb36102bcdc5a248c47a2f97eab9',
      ),
      params: { associatedData: [hex('cc94f64e14df90265f7f12a8a0386d0a')] },
      plaintext: hex('6b1db0f5a43376885002dc98bd556f1dac9b66b66213a9fa6069df995a123384'),
      ciphertext: hex(
        'd0016d675b49f11ea873707412d45709b7703a028a0cfc312cf61cbe22b91e3cf20b7d4c9308ee15f18b4eba' +
          '00889284',
      ),
    },
    {
      source: 'Wycheproof aes_siv_cmac_test, tcId 296: no message',
      key: hex(
        'bc7635c1fd566aa8357fd103714bfaee1c9e5b3c578b3980401a981030254a54b1756a8c96e600b7252fd0aa' +
          'b12f39d115d256b3f3e7c2c41a7fece72ba7c3c4',
      ),
      params: { associatedData: [EMPTY] },
      plaintext: EMPTY,
      ciphertext: hex('44b1c6fe8a8c07dee5377b161f283c31'),
    },
  ],
  'AES-GCM-SIV': [
    {
      source: 'Wycheproof aes_gcm_siv_test, tcId 1: no message (RFC 8452, C.1)',
      key: hex('01000000000000000000000000000000'),
      params: { nonce: hex('030000000000000000000000'), associatedData: EMPTY, tagBytes: 16 },
      plaintext: EMPTY,
      ciphertext: hex('dc20e2d83f25705bb49e439eca56de25'),
    },
    {
      source: 'Wycheproof aes_gcm_siv_test, tcId 13 (RFC 8452, C.1)',
      key: hex('01000000000000000000000000000000'),
      params: { nonce: hex('030000000000000000000000'), associatedData: hex('01'), tagBytes: 16 },
      plaintext: hex(
        '0200000000000000000000000000000003000000000000000000000000000000040000000000000000000000' +
          '0000000005000000000000000000000000000000',
      ),
      ciphertext: hex(
        '2f5c64059db55ee0fb847ed513003746aca4e61c711b5de2e7a77ffd02da42feec601910d3467bb8b36ebbae' +
          'bce5fba30d36c95f48a3e7980f0e7ac299332a80cdc46ae475563de037001ef84ae21744',
      ),
    },
    {
      source: 'Wycheproof aes_gcm_siv_test, tcId 106 (RFC 8452, C.2)',
      key: hex('0100000000000000000000000000000000000000000000000000000000000000'),
      params: { nonce: hex('030000000000000000000000'), associatedData: EMPTY, tagBytes: 16 },
      plaintext: hex(
        '0100000000000000000000000000000002000000000000000000000000000000030000000000000000000000' +
          '0000000004000000000000000000000000000000',
      ),
      ciphertext: hex(
        'c2d5160a1f8683834910acdafc41fbb1632d4a353e8b905ec9a5499ac34f96c7e1049eb080883891a4db8caa' +
          'a1f99dd004d80487540735234e3744512c6f90ce112864c269fc0d9d88c61fa47e39aa08',
      ),
    },
    {
      source: 'RFC 8452, C.3: a counter that wraps',
      key: hex('0000000000000000000000000000000000000000000000000000000000000000'),
      params: { nonce: hex('000000000000000000000000'), associatedData: EMPTY, tagBytes: 16 },
      plaintext: hex('000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108'),
      ciphertext: hex(
        'f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3eaffffffff0000000000000000' +
          '00000000',
      ),
    },
  ],
};
