import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { minify } from 'terser';

/*
 * What a web page downloads of each subpath: dist/lib minified by terser. A new import shows here.
 *
 * The limits are the sizes of 22 November 2026, plus about 2 % for texts. Raise one only for
 * a feature, not for an import that could be avoided. `legacy` was 215,488 bytes while it carried all
 * engines for one PBKDF2 (25,957 since); its limit of 80 kB is that of issue 13.
 */
const LIMITS: Readonly<Record<string, number>> = {
  react: 300, // 138
  // 18,476 with attachments of CouchDB documents; 17,500 before opened responses read their bodies themselves
  client: 23_600, // 23,490 with errors that have data and a report; 23,171 with what the adapters check and bind
  // 221,852 with SHA-3's rounds written out; 218,603 with the choice of engines and the reasons why a module does not load
  // 236,650 with cSHAKE, TurboSHAKE, KangarooTwelve, KMAC and their known answers, Argon2d and Argon2i
  // and with six methods and the post-quantum key types, whose arithmetic is in the script post-quantum.js
  // 259,641 with the names, key formats and known answers of X448 and Ed448
  // 265,294 with the callers of the modules of ML-KEM and ML-DSA, and X-Wing over them
  // 267,221 with the options of threads and signals
  // 268,798 with MACs of the Base64 of many messages, and texts for parameters that an algorithm does not have
  // 269,938 with the checks of points of small order, and of `use` and `crv` of keys from a JWK
  subtle: 270_200,
  adapters: 21_300,
  'post-quantum': 120_000, // loaded at the first use
  // 58,530 before AEGIS, which is 4,267; 64,000 before Argon2, which was a script of its own with 11,000
  algorithms: 70_700, // 70,545 with the words for a path in the place of an address; a bundle has the part that it imports, see below
  bigint: 15_000, // 14,683
  classical: 76_000, // 74,430 with wasm-simd for the six block ciphers; 67,633 in js; 38,015 without
  legacy: 80_000,
  errors: 400, // 327
  // 41,933 with parts of a message and range requests; 36,832 with streams; 31,997 without sharing's texts and the error classes
  format: 42_700,
  random: 11_500, // 11,396
  sharing: 99_000, // 97,479, of which X-Wing's libraries are four fifths
  // 20,935 before the codec took JSON that is there already, and decoded the ciphertext as the check of its spelling
  sync: 22_300, // 21,826
  threads: 50_000, // 49,460 with Argon2, whose first and last blocks are BLAKE2b's of src/crypto; 41,616 without
  'threads-worker': 32_300, // 31,782; 30,290 without Argon2
  webgpu: 29_400, // 28,849 with OCB; 23,600 without
  webgl: 31_000, // 30,422 with OCB; 25,096 without
};

describe('the size of the library, minified', () => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    it(`${name}.js has at most ${limit} bytes`, async () => {
      const { code = '' } = await minify(readFileSync(`dist/lib/${name}.js`, 'utf8'), {
        module: true,
      });
      expect(code).to.not.be.empty;
      expect(Buffer.byteLength(code)).to.be.at.most(limit);
    }).timeout(120_000);
  }
});

/**
 * What a bundle of esbuild holds that imports only these of `sealwright/algorithms`: minified bytes, and bytes of it as
 * brotli 11. The .wasm files are not in it. docs/library.md has the sizes.
 */
const ALONE: Readonly<Record<string, readonly [number, number]>> = {
  aesGcm: [12_400, 4_700], // 12,278 with the words for a path in the place of an address; 11,900 and 4,500 before an overlapping `into` was copied
  aegis128l: [11_000, 4_200],
  aesSiv: [15_200, 5_600],
  chacha20Poly1305: [12_500, 4_700],
  'sha256': [9_500, 3_600],
  'hmac, sha256': [11_800, 4_400],
  argon2id: [12_800, 5_100],
};

describe('the size of one algorithm in a bundle', () => {
  for (const [names, [minified, compressed]] of Object.entries(ALONE)) {
    it(`${names}: at most ${minified} bytes, ${compressed} as brotli`, async () => {
      const { outputFiles } = await build({
        stdin: { contents: `export { ${names} } from './algorithms.js';`, resolveDir: 'dist/package/dist/lib' },
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        write: false,
      });
      const { contents } = outputFiles[0]!;
      expect(contents.length, 'minified').to.be.at.most(minified);
      expect(brotliCompressSync(contents).length, 'brotli').to.be.at.most(compressed);
    });
  }
});
