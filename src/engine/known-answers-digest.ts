/** Known answers of the hash functions: FIPS 180-4, example values published by NIST with it. */
import { fromHex as hex, utf8 } from '../crypto/bytes.ts';
import type { DigestName } from './contract.ts';
import type { DigestAnswer } from './known-answers.ts';

const EMPTY = new Uint8Array(0);
const ABC = utf8('abc');
const TWO_BLOCKS_OF_64 = utf8('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq');
const TWO_BLOCKS_OF_128 = utf8(
  'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn' +
    'hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
);

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
};
