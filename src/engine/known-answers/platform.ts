/**
 * Known answers of RSA and the elliptic curves. Keys that only the platform has are JSON Web Keys, because every
 * platform imports private keys in this form; those of X448 and Ed448 are bytes.
 */
import { fromHex as hex, toBase64url, utf8 } from '../../crypto/bytes.ts';
import type { PlatformName } from '../contract.ts';
import type { Ed448Answer, PlatformAnswer, X448Answer } from './answers.ts';

const base64url = (digits: string): string => toBase64url(hex(digits));
const E = base64url('010001');
const SHA1 = { hash: 'SHA-1' };
const P256 = { kty: 'EC', crv: 'P-256' };
const NOTHING = new Uint8Array(0);

/** The key of example 1 in both sets of RSA signatures. */
const RSA_PUBLIC: JsonWebKey = {
  kty: 'RSA',
  e: E,
  n: base64url(
    'a56e4a0e701017589a5187dc7ea841d156f2ec0e36ad52a44dfeb1e61f7ad991d8c51056ffedb162b4c0f283' +
      'a12a88a394dff526ab7291cbb307ceabfce0b1dfd5cd9508096d5b2b8b6df5d671ef6377c0921cb23c270a70' +
      'e2598e6ff89d19f105acc2d3f0cb35f29280e1386b6f64c4ef22e1e1f20d0ce8cffb2249bd9a2137',
  ),
};
const RSA_MESSAGE = hex(
  'cdc87da223d786df3b45e0bbbc721326d1ee2af806cc315475cc6f0d9c66e1b62371d45ce2392e1ac92844c3' +
    '10102f156a0d8d52c1f4c40ba3aa65095786cb769757a6563ba958fed0bcc984e8b517a3d5f515b23b8a41e7' +
    '4aa867693f90dfb061a6e86dfaaee64472c00e5f20945729cbebe77f06ce78e08f4098fba41f9d6193c0317e' +
    '8b60d4b6084acb42d29e3808a3bc372d85e331170fcbf7cc72d0b71c296648b3a4d10f416295d0807aa625ca' +
    'b2744fd9ea8fd223c42537029828bd16be02546f130fd2e33b936d2676e08aed1b73318b750a0167d0',
);

/** Answers of RSA, and of the elliptic curves of the platform. */
export const PLATFORM_ANSWERS: Readonly<Record<PlatformName, readonly PlatformAnswer[]>> = {
  'RSA-OAEP': [
    {
      source: 'RSA Laboratories, oaep-vect.txt, example 1.1',
      kind: 'decryption',
      privateKey: {
        kty: 'RSA',
        e: E,
        n: base64url(
          'a8b3b284af8eb50b387034a860f146c4919f318763cd6c5598c8ae4811a1e0abc4c7e0b082d693a5e7fced67' +
            '5cf4668512772c0cbc64a742c6c630f533c8cc72f62ae833c40bf25842e984bb78bdbf97c0107d55bdb662f5' +
            'c4e0fab9845cb5148ef7392dd3aaff93ae1e6b667bb3d4247616d4f5ba10d4cfd226de88d39f16fb',
        ),
        d: base64url(
          '53339cfdb79fc8466a655c7316aca85c55fd8f6dd898fdaf119517ef4f52e8fd8e258df93fee180fa0e4ab29' +
            '693cd83b152a553d4ac4d1812b8b9fa5af0e7f55fe7304df41570926f3311f15c4d65a732c483116ee3d3d2d' +
            '0af3549ad9bf7cbfb78ad884f84d5beb04724dc7369b31def37d0cf539e9cfcdd3de653729ead5d1',
        ),
        p: base64url(
          'd32737e7267ffe1341b2d5c0d150a81b586fb3132bed2f8d5262864a9cb9f30af38be448598d413a172efb80' +
            '2c21acf1c11c520c2f26a471dcad212eac7ca39d',
        ),
        q: base64url(
          'cc8853d1d54da630fac004f471f281c7b8982d8224a490edbeb33d3e3d5cc93c4765703d1dd791642f1f116a' +
            '0dd852be2419b2af72bfe9a030e860b0288b5d77',
        ),
        dp: base64url(
          '0e12bf1718e9cef5599ba1c3882fe8046a90874eefce8f2ccc20e4f2741fb0a33a3848aec9c9305fbecbd2d7' +
            '6819967d4671acc6431e4037968db37878e695c1',
        ),
        dq: base64url(
          '95297b0f95a2fa67d00707d609dfd4fc05c89dafc2ef6d6ea55bec771ea333734d9251e79082ecda866efef1' +
            '3c459e1a631386b7e354c899f5f112ca85d71583',
        ),
        qi: base64url(
          '4f456c502493bdc0ed2ab756a3a6ed4d67352a697d4216e93212b127a63d5411ce6fa98d5dbefd73263e3728' +
            '142743818166ed7dd63687dd2a8ca1d2f4fbd8e1',
        ),
      },
      params: SHA1,
      ciphertext: hex(
        '354fe67b4a126d5d35fe36c777791a3f7ba13def484e2d3908aff722fad468fb21696de95d0be911c2d3174f' +
          '8afcc201035f7b6d8e69402de5451618c21a535fa9d7bfc5b8dd9fc243f8cf927db31322d6e881eaa91a9961' +
          '70e657a05a266426d98c88003f8477c1227094a0d9fa1e8c4024309ce1ecccb5210035d47ac72e8a',
      ),
      plaintext: hex('6628194e12073db03ba94cda9ef9532397d50dba79b987004afefe34'),
    },
  ],
  'RSASSA-PKCS1-v1_5': [
    {
      source: 'RSA Laboratories, pkcs1v15sign-vectors.txt, example 1.1',
      kind: 'signature',
      publicKey: RSA_PUBLIC,
      params: SHA1,
      message: RSA_MESSAGE,
      signature: hex(
        '6bc3a06656842930a247e30d5864b4d819236ba7c68965862ad7dbc4e24af28e86bb531f03358be5fb74777c' +
          '6086f850caef893f0d6fcc2d0c91ec013693b4ea00b80cd49aac4ecb5f8911afe539ada4a8f3823d1d13e472' +
          'd1490547c659c7617f3d24087ddb6f2b72096167fc097cab18e9a458fcb634cdce8ee35894c484d7',
      ),
    },
  ],
  'RSA-PSS': [
    {
      source: 'RSA Laboratories, pss-vect.txt, example 1.1',
      kind: 'signature',
      publicKey: RSA_PUBLIC,
      params: { ...SHA1, saltLength: 20 },
      message: RSA_MESSAGE,
      signature: hex(
        '9074308fb598e9701b2294388e52f971faac2b60a5145af185df5287b5ed2887e57ce7fd44dc8634e407c8e0' +
          'e4360bc226f3ec227f9d9e54638e8d31f5051215df6ebb9c2f9579aa77598a38f914b5b9c1bd83c4e2f9f382' +
          'a0d0aa3542ffee65984a601bc69eb28deb27dca12c82c2d4c3f66cd500f1ff2b994d8a4e30cbb33c',
      ),
    },
  ],
  ECDH: [
    {
      source: 'RFC 5903, 8.1',
      kind: 'agreement',
      privateKey: {
        ...P256,
        d: base64url('c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433'),
        x: base64url('dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180'),
        y: base64url('5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3'),
      },
      publicKey: {
        ...P256,
        x: base64url('d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63'),
        y: base64url('56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab'),
      },
      params: { namedCurve: 'P-256' },
      secret: hex('d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de'),
    },
  ],
  ECDSA: [
    {
      source: 'RFC 6979, A.2.5: SHA-256',
      kind: 'signature',
      publicKey: {
        ...P256,
        x: base64url('60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6'),
        y: base64url('7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299'),
      },
      params: { namedCurve: 'P-256', hash: 'SHA-256' },
      message: utf8('sample'),
      signature: hex(
        'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716' +
          'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
      ),
    },
  ],
  X25519: [
    {
      source: 'RFC 7748, 6.1',
      kind: 'agreement',
      privateKey: {
        kty: 'OKP',
        crv: 'X25519',
        d: base64url('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'),
        x: base64url('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'),
      },
      publicKey: {
        kty: 'OKP',
        crv: 'X25519',
        x: base64url('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f'),
      },
      params: {},
      secret: hex('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'),
    },
  ],
  Ed25519: [
    {
      source: 'RFC 8032, 7.1, test 2',
      kind: 'signature',
      publicKey: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: base64url('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
      },
      params: {},
      message: Uint8Array.of(0x72),
      signature: hex(
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
          '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ),
    },
    {
      source: 'RFC 8032, 7.1, test 1: no message',
      kind: 'signature',
      publicKey: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: base64url('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
      },
      params: {},
      message: NOTHING,
      signature: hex(
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155' +
          '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ),
    },
  ],
};

/** Answers of the curves over a field of 448 bits. */
export const CURVE448_ANSWERS: {
  readonly X448: readonly X448Answer[];
  readonly Ed448: readonly Ed448Answer[];
} = {
  X448: [
    {
      source: 'RFC 7748, 6.2',
      privateKey: hex(
        '9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28d' +
          'd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b',
      ),
      publicKey: hex(
        '9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c' +
          '22c5d9bbc836647241d953d40c5b12da88120d53177f80e532c41fa0',
      ),
      peerPublic: hex(
        '3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b430' +
          '27d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609',
      ),
      secret: hex(
        '07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282b' +
          'b60c0b56fd2464c335543936521c24403085d59a449a5037514a879d',
      ),
    },
  ],
  Ed448: [
    {
      source: 'RFC 8032, 7.4, blank',
      privateKey: hex(
        '6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960e' +
          'f6e348a3528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b',
      ),
      publicKey: hex(
        '5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d' +
          '80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180',
      ),
      message: NOTHING,
      context: NOTHING,
      signature: hex(
        '533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2' +
          'fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104' +
          '852db99ac5c7cdda8530a113a0f4dbb61149f05a7363268c71d95808ff2e652600',
      ),
    },
    {
      source: 'RFC 8032, 7.4, 1 octet (with context)',
      privateKey: hex(
        'c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00ac' +
          'da2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e',
      ),
      publicKey: hex(
        '43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c' +
          '6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480',
      ),
      message: Uint8Array.of(3),
      context: utf8('foo'),
      signature: hex(
        'd4f8f6131770dd46f40867d6fd5d5055de43541f8c5e35abbcd001b32a89f7d2151f7647f11d8ca2ae' +
          '279fb842d607217fce6e042f6815ea000c85741de5c8da1144a6a1aba7f96de42505d7a7298524fd' +
          'a538fccbbb754f578c1cad10d54d0d5428407e85dcbc98a49155c13764e66c3c00',
      ),
    },
  ],
};
