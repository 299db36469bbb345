/** Known answers of the Salsa20 family. */
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { AeadParams, SalsaParams } from '../contract.ts';
import type { CipherAnswer } from './answers.ts';

const EMPTY = new Uint8Array(0);

/** Answers of the ciphers of the Salsa20 family. */
export const ARX_ANSWERS: {
  'ChaCha20-Poly1305': readonly CipherAnswer<AeadParams>[];
  'XChaCha20-Poly1305': readonly CipherAnswer<AeadParams>[];
  Salsa20: readonly CipherAnswer<SalsaParams>[];
} = {
  'ChaCha20-Poly1305': [
    {
      source: 'RFC 8439, 2.8.2',
      key: hex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f'),
      params: {
        nonce: hex('070000004041424344454647'),
        associatedData: hex('50515253c0c1c2c3c4c5c6c7'),
        tagBytes: 16,
      },
      plaintext: hex(
        '4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966' +
          '204920636f756c64206f6666657220796f75206f6e6c79206f6e652074697020666f72207468652066757475' +
          '72652c2073756e73637265656e20776f756c642062652069742e',
      ),
      ciphertext: hex(
        'd31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69' +
          'da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad67594' +
          '5585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691',
      ),
    },
    {
      source: 'Wycheproof chacha20_poly1305_test, tcId 3: no message',
      key: hex('7a4cd759172e02eb204db2c3f5c746227df584fc1345196391dbb9577a250742'),
      params: {
        nonce: hex('a92ef0ac991dd516a3c6f689'),
        associatedData: hex('bd506764f2d2c410'),
        tagBytes: 16,
      },
      plaintext: EMPTY,
      ciphertext: hex('906fa6284b52f87b7359cbaa7563c709'),
    },
    {
      source: 'Wycheproof chacha20_poly1305_test, tcId 76',
      key: hex('ea1d436f6359caec010789fa94fe08b167c3e497d8917282f47ad2a8f95fd0f1'),
      params: { nonce: hex('73fe022202767af834e32126'), associatedData: EMPTY, tagBytes: 16 },
      plaintext: hex(
        'adf9b6df5c5cc9473e0bb579f9a6aad396f93d28bf83e98136f978cfb9d501d09ef778c122b43c876c22e40d' +
          '74a48d908978465a06be9e80891710c8c2690a762bc9eb8bcb2aa2707db149abafb9c17c1f0b68c7adcea98a' +
          'ebf4c6a39e5a8f693133eaaa5bb0b3708720d7b86424101bad56aa190c67d25fe35a4a34e1f4fd',
      ),
      ciphertext: hex(
        'ace9d080f1ae875c559fb3f0830e042a3a21ed7cbe6c5de366a3b0d7511b31425fd43a0af3ba7bb0a299c0f1' +
          '22ac5c677babcd1e1af24f284ead5fbb42aadc3665d2c28c818aac133c851efe01dad7d7321b197390e707df' +
          '69b2a386de1d4cea60c203324b53102f4a760644cda341fdbdc3b5ca0aae74b7411c63a958e742aadbe96aff' +
          'f09960024a0be5e94425c6',
      ),
    },
  ],
  'XChaCha20-Poly1305': [
    {
      source: 'draft-irtf-cfrg-xchacha-03, A.3.1',
      key: hex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f'),
      params: {
        nonce: hex('404142434445464748494a4b4c4d4e4f5051525354555657'),
        associatedData: hex('50515253c0c1c2c3c4c5c6c7'),
        tagBytes: 16,
      },
      plaintext: hex(
        '4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966' +
          '204920636f756c64206f6666657220796f75206f6e6c79206f6e652074697020666f72207468652066757475' +
          '72652c2073756e73637265656e20776f756c642062652069742e',
      ),
      ciphertext: hex(
        'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f' +
          '4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f' +
          '76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49',
      ),
    },
    {
      source: 'Wycheproof xchacha20_poly1305_test, tcId 3: no message',
      key: hex('d821dce9b890ea37ae1c89e7cb6aeae9371b8179add0d08f5494718322ae0071'),
      params: {
        nonce: hex('3ec3f7c45e687d75a895bf5e71809e7cdac32158bb48ec0d'),
        associatedData: hex('8780fb400f94c55d'),
        tagBytes: 16,
      },
      plaintext: EMPTY,
      ciphertext: hex('966c22d655b9e56326024f028cf887ad'),
    },
    {
      source: 'Wycheproof xchacha20_poly1305_test, tcId 76',
      key: hex('951d6caceb0ad662c531293b71dffba198ab3ff2b9075834f46a1db81fd3879f'),
      params: {
        nonce: hex('fb26a898fb8ff2b3bcfa60af0dfb35097648fef82709eb55'),
        associatedData: EMPTY,
        tagBytes: 16,
      },
      plaintext: hex(
        '95e3e4ad70752f97852689a652126ca1364bda1eb07b5171392383159a3794ad6e61adc30bd7488c4a87759a' +
          '6d917620af7f56a51051b1a5f0b561afb8281032be1de27d4353fe8a8255d0806f45eb14038ce2a4340ae18d' +
          '7ebdadca46794ff0a3ff8aeb70f9b9c23b49dc415e9ad18ff9ca5159705e2340e2eca033921dea',
      ),
      ciphertext: hex(
        '9575ef3e412bf8969380274f3d009ad03b3a509a1c5ddef6074f6fb5750b9148d65e5fd4e7ecc6759043999b' +
          '6ae6cb843ad102f3f1a8d5ab9a923438b55842883507d049fc29748f24037de6d280635f668496843c4c35a1' +
          'e07f9c37fec860d2f973008c459ad0aeff72f27847e6a20a001ce7ae1804e9c0bc5f3161b334031f80eefb91' +
          'd2ca4ec36e252dffd06b7f',
      ),
    },
  ],
  Salsa20: [
    {
      source: 'eSTREAM, Salsa20/20, Set 1, vector# 0, bytes from 0 on',
      key: hex('80000000000000000000000000000000'),
      params: { nonce: hex('0000000000000000'), rounds: 20, counter: 0 },
      plaintext: new Uint8Array(64),
      ciphertext: hex(
        '4dfa5e481da23ea09a31022050859936da52fcee218005164f267cb65f5cfd7f2b4f97e0ff16924a52df2695' +
          '15110a07f9e460bc65ef95da58f740b7d1dbb0aa',
      ),
    },
    {
      source: 'eSTREAM, Salsa20/20, Set 1, vector# 0, bytes from 192 on',
      key: hex('80000000000000000000000000000000'),
      params: { nonce: hex('0000000000000000'), rounds: 20, counter: 3 },
      plaintext: new Uint8Array(100),
      ciphertext: hex(
        'da9c1581f429e0a00f7d67e23b730676783b262e8eb43a25f55fb90b3e753aef8c6713ec66c51881111593cc' +
          'b3e8cb8f8de124080501eeeb389c4bcb6977cf957d5789631eb4554400e1e025935dfa7b3e9039d61bdc58a8' +
          '697d36815bf1985cefdf7ae1',
      ),
    },
    {
      source: 'eSTREAM, Salsa20/20, Set 3, vector#243, bytes from 0 on',
      key: hex('f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112'),
      params: { nonce: hex('0000000000000000'), rounds: 20, counter: 0 },
      plaintext: new Uint8Array(64),
      ciphertext: hex(
        'b4c0afa503be7fc29a62058166d56f8f5d27dc246f75b9ad8760c8c39dfd87492d3b76d5d9637f009eada144' +
          '58a52dfb09815337e72672681dddc24633750d83',
      ),
    },
    {
      source: 'eSTREAM, Salsa20/12, Set 1, vector# 0, bytes from 0 on',
      key: hex('80000000000000000000000000000000'),
      params: { nonce: hex('0000000000000000'), rounds: 12, counter: 0 },
      plaintext: new Uint8Array(64),
      ciphertext: hex(
        'fc207dbfc76c5e1774961e7a5aad09069b2225ac1ce0fe7a0ce77003e7e5bdf8b31af821000813e6c56b8c17' +
          '71d6ee7039b2fbd0a68e8ad70a3944b677937897',
      ),
    },
    {
      source: 'eSTREAM, Salsa20/8, Set 1, vector# 0, bytes from 0 on',
      key: hex('80000000000000000000000000000000'),
      params: { nonce: hex('0000000000000000'), rounds: 8, counter: 0 },
      plaintext: new Uint8Array(64),
      ciphertext: hex(
        'a9c9f888ab552a2d1bbff9f36bebeb337a8b4b107c75b63bae26cb9a235bba9d784f38befc3adf4cd3e26668' +
          '7ea7b9f09ba650ae81eac6063ae31ff12218ddc5',
      ),
    },
  ],
};
