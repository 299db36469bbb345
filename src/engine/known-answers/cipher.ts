/** Known answers of the unauthenticated modes and of key wrap. */
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { CbcParams, CtrParams, NoParams } from '../contract.ts';
import type { CipherAnswer } from './answers.ts';

// SP 800-38A, appendix F: the four blocks that all examples share
const BLOCKS = hex(
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
    '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
);

// AESAVS VarTxt128, KEY = 0: the ciphertexts of the counter blocks around a wrap. E(0) is also the hash subkey of GCM's
// test case 1.
const ZERO_KEY = hex('00000000000000000000000000000000');
const ALL_ONES = hex('ffffffffffffffffffffffffffffffff');
const E_ALL_ONES = '3f5b8cc9ea855a0afa7347d23e8d664e';
const E_120_ONES = '3bd141ee84a0e6414a26e7a4f281f8a2';
const E_64_ONES = 'f807c3e7985fe0f5a50e2cdb25c5109e';
const E_ZERO = '66e94bd4ef8a2c3b884cfa59ca342b2e';
const TWO_ZERO_BLOCKS = hex('0000000000000000000000000000000000000000000000000000000000000000');

/** Answers of the modes without authentication, and of key wrap. */
export const CIPHER_ANSWERS: {
  'AES-CTR': readonly CipherAnswer<CtrParams>[];
  'AES-CBC': readonly CipherAnswer<CbcParams>[];
  'AES-ECB': readonly CipherAnswer<NoParams>[];
  'AES-KW': readonly CipherAnswer<NoParams>[];
} = {
  'AES-CTR': [
    {
      source: 'SP 800-38A, F.5.1',
      key: hex('2b7e151628aed2a6abf7158809cf4f3c'),
      params: { counter: hex('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'), counterBits: 128 },
      plaintext: BLOCKS,
      ciphertext: hex(
        '874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff' +
          '5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee',
      ),
    },
    {
      source: 'SP 800-38A, F.5.3',
      key: hex('8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b'),
      params: { counter: hex('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'), counterBits: 128 },
      plaintext: BLOCKS,
      ciphertext: hex(
        '1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94' +
          '1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050',
      ),
    },
    {
      source: 'SP 800-38A, F.5.5',
      key: hex('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4'),
      params: { counter: hex('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'), counterBits: 128 },
      plaintext: BLOCKS,
      ciphertext: hex(
        '601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5' +
          '2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6',
      ),
    },
    {
      source: 'RFC 3686, test vector 3 (a partial block)',
      key: hex('7691be035e5020a8ac6e618529f9a0dc'),
      params: { counter: hex('00e0017b27777f3f4a1786f000000001'), counterBits: 32 },
      plaintext: hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223'),
      ciphertext: hex('c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f'),
    },
    {
      source: 'AESAVS VarTxt128: a counter of 128 bits wraps',
      key: ZERO_KEY,
      params: { counter: ALL_ONES, counterBits: 128 },
      plaintext: TWO_ZERO_BLOCKS,
      ciphertext: hex(E_ALL_ONES + E_ZERO),
    },
    {
      source: 'AESAVS VarTxt128: a counter of 64 bits wraps',
      key: ZERO_KEY,
      params: { counter: ALL_ONES, counterBits: 64 },
      plaintext: TWO_ZERO_BLOCKS,
      ciphertext: hex(E_ALL_ONES + E_64_ONES),
    },
    {
      source: 'AESAVS VarTxt128: a counter of 8 bits wraps',
      key: ZERO_KEY,
      params: { counter: ALL_ONES, counterBits: 8 },
      plaintext: TWO_ZERO_BLOCKS,
      ciphertext: hex(E_ALL_ONES + E_120_ONES),
    },
  ],
  'AES-CBC': [
    {
      source: 'Wycheproof aes_cbc_pkcs5_test, tcId 1',
      key: hex('e34f15c7bd819930fe9d66e0c166e61c'),
      params: { iv: hex('da9520f7d3520277035173299388bee2') },
      plaintext: hex(''),
      ciphertext: hex('b10ab60153276941361000414aed0a9d'),
    },
    {
      source: 'Wycheproof aes_cbc_pkcs5_test, tcId 20',
      key: hex('831e664c9e3f0c3094c0b27b9d908eb2'),
      params: { iv: hex('54f2459e40e002763144f4752cde2fb5') },
      plaintext: hex('26603bb76dd0a0180791c4ed4d3b058807'),
      ciphertext: hex('8d55dc10584e243f55d2bdbb5758b7fabcd58c8d3785f01c7e3640b2a1dadcd9'),
    },
    {
      source: 'Wycheproof aes_cbc_pkcs5_test, tcId 73',
      key: hex('3d6bf9edae6d881eade0ff8c7076a4835b71320c1f36b631'),
      params: { iv: hex('db20f9a6f4d6b4e478f1a4b9d4051d34') },
      plaintext: hex(''),
      ciphertext: hex('ff0c315873b4b1872abef2353b792ef0'),
    },
    {
      source: 'Wycheproof aes_cbc_pkcs5_test, tcId 146',
      key: hex('612e837843ceae7f61d49625faa7e7494f9253e20cb3adcea686512b043936cd'),
      params: { iv: hex('9ec7b863ac845cad5e4673da21f5b6a9') },
      plaintext: hex('cc37fae15f745a2f40e2c8b192f2b38d'),
      ciphertext: hex('299295be47e9f5441fe83a7a811c4aeb2650333e681e69fa6b767d28a6ccf282'),
    },
    {
      source: 'Wycheproof aes_cbc_pkcs5_test, tcId 166',
      key: hex('4f097858a1aec62cf18f0966b2b120783aa4ae9149d3213109740506ae47adfe'),
      params: { iv: hex('400aab92803bcbb44a96ef789655b34e') },
      plaintext: hex('ee53d8e5039e82d9fcca114e375a014febfea117a7e709d9008d43858e3660'),
      ciphertext: hex('642b11efb79b49e5d038bc7aa29b8c6c3ce0bf11c3a69670eb565799908be66d'),
    },
  ],
  'AES-ECB': [
    {
      source: 'FIPS 197, C.1',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff'),
      ciphertext: hex('69c4e0d86a7b0430d8cdb78070b4c55a'),
    },
    {
      source: 'FIPS 197, C.2',
      key: hex('000102030405060708090a0b0c0d0e0f1011121314151617'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff'),
      ciphertext: hex('dda97ca4864cdfe06eaf70a0ec0d7191'),
    },
    {
      source: 'FIPS 197, C.3',
      key: hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff'),
      ciphertext: hex('8ea2b7ca516745bfeafc49904b496089'),
    },
    {
      source: 'SP 800-38A, F.1.1',
      key: hex('2b7e151628aed2a6abf7158809cf4f3c'),
      params: {},
      plaintext: BLOCKS,
      ciphertext: hex(
        '3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf' +
          '43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4',
      ),
    },
  ],
  'AES-KW': [
    {
      source: 'RFC 3394, 4.1',
      key: hex('000102030405060708090a0b0c0d0e0f'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff'),
      ciphertext: hex('1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5'),
    },
    {
      source: 'RFC 3394, 4.2',
      key: hex('000102030405060708090a0b0c0d0e0f1011121314151617'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff'),
      ciphertext: hex('96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d'),
    },
    {
      source: 'RFC 3394, 4.3',
      key: hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff'),
      ciphertext: hex('64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7'),
    },
    {
      source: 'RFC 3394, 4.6',
      key: hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
      params: {},
      plaintext: hex('00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f'),
      ciphertext: hex(
        '28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21',
      ),
    },
  ],
};
