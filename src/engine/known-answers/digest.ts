/** Known answers of the hash functions. SHA: example values that NIST published with FIPS 180-4. */
import { fromHex as hex, utf8 } from '../../crypto/bytes.ts';
import type { DigestName } from '../contract.ts';
import type { DigestAnswer } from './answers.ts';

const EMPTY = new Uint8Array(0);
const ABC = utf8('abc');
const TWO_BLOCKS_OF_64 = utf8('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq');
const TWO_BLOCKS_OF_128 = utf8(
  'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn' +
    'hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
);

/** Answers of the hashes. */
export const DIGEST_ANSWERS: Readonly<Record<DigestName, readonly DigestAnswer[]>> = {
  'SHA-1': [
    {
      source: 'FIPS 180-4, empty message',
      message: EMPTY,
      digest: hex('da39a3ee5e6b4b0d3255bfef95601890afd80709'),
    },
    {
      source: 'FIPS 180-4, one block',
      message: ABC,
      digest: hex('a9993e364706816aba3e25717850c26c9cd0d89d'),
    },
    {
      source: 'FIPS 180-4, two blocks',
      message: TWO_BLOCKS_OF_64,
      digest: hex('84983e441c3bd26ebaae4aa1f95129e5e54670f1'),
    },
  ],
  'SHA-256': [
    {
      source: 'FIPS 180-4, empty message',
      message: EMPTY,
      digest: hex('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
    },
    {
      source: 'FIPS 180-4, one block',
      message: ABC,
      digest: hex('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
    },
    {
      source: 'FIPS 180-4, two blocks',
      message: TWO_BLOCKS_OF_64,
      digest: hex('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1'),
    },
  ],
  'SHA-384': [
    {
      source: 'FIPS 180-4, empty message',
      message: EMPTY,
      digest: hex(
        '38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b',
      ),
    },
    {
      source: 'FIPS 180-4, one block',
      message: ABC,
      digest: hex(
        'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
      ),
    },
    {
      source: 'FIPS 180-4, two blocks',
      message: TWO_BLOCKS_OF_128,
      digest: hex(
        '09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039',
      ),
    },
  ],
  'SHA-512': [
    {
      source: 'FIPS 180-4, empty message',
      message: EMPTY,
      digest: hex(
        'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
      ),
    },
    {
      source: 'FIPS 180-4, one block',
      message: ABC,
      digest: hex(
        'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      ),
    },
    {
      source: 'FIPS 180-4, two blocks',
      message: TWO_BLOCKS_OF_128,
      digest: hex(
        '8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909',
      ),
    },
  ],
  'SHA3-256': [
    {
      source: 'NIST, examples for FIPS 202, empty message',
      message: EMPTY,
      digest: hex('a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a'),
    },
    {
      source: 'NIST, examples for FIPS 202, abc',
      message: ABC,
      digest: hex('3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'),
    },
  ],
  'SHA3-384': [
    {
      source: 'NIST, examples for FIPS 202, abc',
      message: ABC,
      digest: hex(
        'ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf2' +
          '28376d25',
      ),
    },
  ],
  'SHA3-512': [
    {
      source: 'NIST, examples for FIPS 202, abc',
      message: ABC,
      digest: hex(
        'b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec576' +
          '47e3934057340b4cf408d5a56592f8274eec53f0',
      ),
    },
  ],
  BLAKE2b: [
    {
      source: 'BLAKE2 reference, blake2b-kat, empty message',
      message: EMPTY,
      digest: hex(
        '786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444' +
          '934eb04b903a685b1448b755d56f701afe9be2ce',
      ),
    },
    {
      source: 'RFC 7693, appendix A',
      message: ABC,
      digest: hex(
        'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de' +
          '4533cc9518d38aa8dbf1925ab92386edd4009923',
      ),
    },
  ],
  BLAKE3: [
    {
      source: 'BLAKE3 reference, test_vectors.json, 0 bytes',
      message: EMPTY,
      digest: hex('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'),
    },
    {
      source: 'BLAKE3 reference, test_vectors.json, 1024 bytes',
      message: counted(1024),
      digest: hex('42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'),
    },
    {
      source: 'BLAKE3 reference, test_vectors.json, 1025 bytes',
      message: counted(1025),
      digest: hex('d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'),
    },
    {
      source: 'BLAKE3 reference, test_vectors.json, 4097 bytes',
      message: counted(4097),
      digest: hex('9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995'),
    },
  ],
};

/** The input of BLAKE3's vectors: 0 … 250, repeated. */
function counted(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i % 251);
}
