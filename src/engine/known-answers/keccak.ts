/** Known answers of cSHAKE, KMAC, TurboSHAKE and KangarooTwelve. */
import { fromHex as hex, utf8 } from '../../crypto/bytes.ts';
import type { KmacName, XofName, XofParams } from '../contract.ts';
import type { KmacAnswer, XofAnswer } from './answers.ts';

const EMPTY = new Uint8Array(0);
/** The names, the key and the messages of the examples for SP 800-185 */
const SIGNATURE = utf8('Email Signature');
const TAGGED = utf8('My Tagged Application');
const KEY = Uint8Array.from({ length: 32 }, (_, i) => 0x40 + i);
const COUNTED = Uint8Array.from({ length: 200 }, (_, i) => i);
const FOUR = COUNTED.subarray(0, 4);

type KeccakAnswers = { readonly [A in XofName]: readonly XofAnswer<XofParams[A]>[] } & {
  readonly [A in KmacName]: readonly KmacAnswer[];
};

/** Answers of the functions on top of Keccak. */
export const KECCAK_ANSWERS: KeccakAnswers = {
  cSHAKE128: [
    {
      source: 'NIST, examples for SP 800-185, cSHAKE, sample 1',
      params: { outputBytes: 32, functionName: EMPTY, customization: SIGNATURE },
      message: FOUR,
      digest: hex('c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5'),
    },
    {
      source: 'NIST, examples for SP 800-185, cSHAKE, sample 2',
      params: { outputBytes: 32, functionName: EMPTY, customization: SIGNATURE },
      message: COUNTED,
      digest: hex('c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b'),
    },
    {
      source: 'NIST, examples for FIPS 202: SHAKE128 of no message',
      params: { outputBytes: 32, functionName: EMPTY, customization: EMPTY },
      message: EMPTY,
      digest: hex('7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26'),
    },
  ],
  cSHAKE256: [
    {
      source: 'NIST, examples for SP 800-185, cSHAKE, sample 3',
      params: { outputBytes: 64, functionName: EMPTY, customization: SIGNATURE },
      message: FOUR,
      digest: hex(
        'd008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd164020e2be0560858d9c00c03' +
          '7e34a96937c561a74c412bb4c746469527281c8c',
      ),
    },
    {
      source: 'NIST, examples for SP 800-185, cSHAKE, sample 4',
      params: { outputBytes: 64, functionName: EMPTY, customization: SIGNATURE },
      message: COUNTED,
      digest: hex(
        '07dc27b11e51fbac75bc7b3c1d983e8b4b85fb1defaf218912ac86430273091727f42b17ed1df63e8ec118f0' +
          '4b23633c1dfb1574c8fb55cb45da8e25afb092bb',
      ),
    },
    {
      source: 'NIST, examples for FIPS 202: SHAKE256 of no message',
      params: { outputBytes: 64, functionName: EMPTY, customization: EMPTY },
      message: EMPTY,
      digest: hex(
        '46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762fd75dc4ddd8c0f200cb05019d' +
          '67b592f6fc821c49479ab48640292eacb3b7c4be',
      ),
    },
  ],
  TurboSHAKE128: [
    {
      source: 'RFC 9861, section 5, domain separation 0x07',
      params: { outputBytes: 32, domainSeparation: 0x07 },
      message: pattern(289),
      digest: hex('7a4de8b1d927a682b929610103f0e964559bd74542cfad740ee3d9b036469e0a'),
    },
    {
      source: 'RFC 9861, section 5, domain separation 0x06',
      params: { outputBytes: 32, domainSeparation: 0x06 },
      message: hex('ffffff'),
      digest: hex('3d03988bb59e681851a192f429ae03988e8f444bc06036a3f1a7d2ccd758d174'),
    },
  ],
  TurboSHAKE256: [
    {
      source: 'RFC 9861, section 5, domain separation 0x07',
      params: { outputBytes: 64, domainSeparation: 0x07 },
      message: pattern(289),
      digest: hex(
        'c52174abf28295e15dfb37b946ac36bd3a6bcc98c074fc25199e0530425cc5edd4dfd43dc3e7e6491a131798' +
          '30c3c750c9237e83fd9a3fec4603ff57e4222ef2',
      ),
    },
    {
      source: 'RFC 9861, section 5, domain separation 0x06',
      params: { outputBytes: 64, domainSeparation: 0x06 },
      message: hex('ffffff'),
      digest: hex(
        'e5538cdd28302a2e81e41f65fd2a4052014d0cd463df671d1e510a9d95c37d7135ef2728430a9e317004f836' +
          'c9a238ef35370280d03dce7f0612f0315b3cbf63',
      ),
    },
  ],
  KT128: [
    {
      source: 'RFC 9861, section 5',
      params: { outputBytes: 32, customization: pattern(41) },
      message: hex('ff'),
      digest: hex('d848c5068ced736f4462159b9867fd4c20b808acc3d5bc48e0b06ba0a3762ec4'),
    },
    {
      source: 'RFC 9861, section 5',
      params: { outputBytes: 32, customization: pattern(8190) },
      message: pattern(8192),
      digest: hex('6a7c1b6a5cd0d8c9ca943a4a216cc64604559a2ea45f78570a15253d67ba00ae'),
    },
    {
      source: 'RFC 9861, section 5',
      params: { outputBytes: 32, customization: EMPTY },
      message: pattern(83521),
      digest: hex('8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe'),
    },
  ],
  KT256: [
    {
      source: 'RFC 9861, section 5',
      params: { outputBytes: 128, customization: EMPTY },
      message: EMPTY,
      digest: hex(
        'b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404e3e8b68107b8833a5d30490a' +
          'a33482353fd4adc7148ecb782855003aaebde4a9b0925319d8ea1e121a609821ec19efea89e6d08daee1662b' +
          '69c840289f188ba860f55760b61f82114c030c97e5178449608ccd2cd2d919fc7829ff69931ac4d0',
      ),
    },
    {
      source: 'RFC 9861, section 5',
      params: { outputBytes: 64, customization: EMPTY },
      message: pattern(17),
      digest: hex(
        '1ba3c02b1fc514474f06c8979978a9056c8483f4a1b63d0dccefe3a28a2f323e1cdcca40ebf006ac76ef0397' +
          '152346837b1277d3e7faa9c9653b19075098527b',
      ),
    },
    {
      source: 'RFC 9861, section 5',
      params: { outputBytes: 64, customization: pattern(8190) },
      message: pattern(8192),
      digest: hex(
        'f4b5908b929ffe01e0f79ec2f21243d41a396b2e7303a6af1d6399cd6c7a0a2dd7c4f607e8277f9c9b1cb4ab' +
          '9ddc59d4b92d1fc7558441f1832c3279a4241b8b',
      ),
    },
  ],
  KMAC128: [
    {
      source: 'NIST, examples for SP 800-185, KMAC, sample 1',
      key: KEY,
      params: { outputBytes: 32, customization: EMPTY },
      message: FOUR,
      tag: hex('e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e'),
    },
    {
      source: 'NIST, examples for SP 800-185, KMAC, sample 2',
      key: KEY,
      params: { outputBytes: 32, customization: TAGGED },
      message: FOUR,
      tag: hex('3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5'),
    },
    {
      source: 'NIST, examples for SP 800-185, KMAC, sample 3',
      key: KEY,
      params: { outputBytes: 32, customization: TAGGED },
      message: COUNTED,
      tag: hex('1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230'),
    },
  ],
  KMAC256: [
    {
      source: 'NIST, examples for SP 800-185, KMAC, sample 4',
      key: KEY,
      params: { outputBytes: 64, customization: TAGGED },
      message: FOUR,
      tag: hex(
        '20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7f69d4cc3de9d104a351689f2' +
          '7cf6f5951f0103f33f4f24871024d9c27773a8dd',
      ),
    },
    {
      source: 'NIST, examples for SP 800-185, KMAC, sample 5',
      key: KEY,
      params: { outputBytes: 64, customization: EMPTY },
      message: COUNTED,
      tag: hex(
        '75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691589d27cf5e15369cbbff8b9a' +
          '4c2eb17800855d0235ff635da82533ec6b759b69',
      ),
    },
    {
      source: 'NIST, examples for SP 800-185, KMAC, sample 6',
      key: KEY,
      params: { outputBytes: 64, customization: TAGGED },
      message: COUNTED,
      tag: hex(
        'b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d970fbacfde50033aea585f1a2' +
          '708510c32d07880801bd182898fe476876fc8965',
      ),
    },
  ],
};

/** ptn(n) of RFC 9861, section 5: 0 … 250, repeated */
function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < Math.min(length, 251); i++) bytes[i] = i;
  // Doubled by copies: each start of the background computes these, and a function for each byte took it 4 ms.
  for (let done = 251; done < length; done *= 2) bytes.copyWithin(done, 0, length - done);
  return bytes;
}
