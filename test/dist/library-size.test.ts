import { relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { build, type BuildOptions } from 'esbuild';
import { minify } from 'terser';

/*
 * What a web page downloads of each subpath: the script and those that it imports when it is loaded, in a bundle that terser
 * minifies. What is imported at its first use is not in it. A new import shows here.
 *
 * The limits are the sizes of 22 November 2026, plus about 2 % for texts. Raise one only for
 * a feature, not for an import that could be avoided. `legacy` was 215,488 bytes while it carried all
 * engines for one PBKDF2 (25,957 since); its limit of 80 kB is that of issue 13.
 */
const LIMITS: Readonly<Record<string, number>> = {
  react: 300, // 138
  // 18,476 with attachments of CouchDB documents; 17,500 before opened responses read their bodies themselves
  client: 23_800, // 23,732 with the words for decoys; 23,490 with errors that have data and a report; 23,171 with what the adapters check and bind
  // 221,852 with SHA-3's rounds written out; 218,603 with the choice of engines and the reasons why a module does not load
  // 236,650 with cSHAKE, TurboSHAKE, KangarooTwelve, KMAC and their known answers, Argon2d and Argon2i
  // and with six methods and the post-quantum key types, whose arithmetic is in the script post-quantum.js
  // 259,641 with the names, key formats and known answers of X448 and Ed448
  // 265,294 with the callers of the modules of ML-KEM and ML-DSA, and X-Wing over them
  // 267,221 with the options of threads and signals
  // 268,798 with MACs of the Base64 of many messages, and texts for parameters that an algorithm does not have
  // 269,938 with the checks of points of small order, and of `use` and `crv` of keys from a JWK
  // 275,206 with scripts that it shares with others, of whose constants a few are not its own, and what unpacks WebAssembly
  // 278,584 with ML-KEM of our own beside Keccak, and what short messages no longer allocate
  // 278,900 with the rounds of short AES messages written out, by which 64 bytes take three quarters of the time
  subtle: 279_000,
  adapters: 27_300, // 27,228 with collections that have heads, and where three kinds of servers have them
  'post-quantum': 120_000, // loaded at the first use
  // 58,530 before AEGIS, which is 4,267; 64,000 before Argon2, which was a script of its own with 11,000
  algorithms: 70_700, // 70,545 with the words for a path in the place of an address; a bundle has the part that it imports, see below
  bigint: 15_000, // 14,683
  classical: 76_000, // 74,430 with wasm-simd for the six block ciphers; 67,633 in js; 38,015 without
  legacy: 80_000,
  errors: 400, // 327
  // 43,158 with the recipient type of groups; 42,955 with what a passphrase's message may not have; 41,933 with parts of a message and range requests; 36,832 with streams; 31,997 without sharing's texts and the error classes
  format: 43_950, // 43,863 with the digests of a long message's chunks in turns; 43,250 with the reading of base64url without a branch for each character
  random: 11_500, // 11,396
  sharing: 99_000, // 97,479, of which X-Wing's libraries are four fifths
  // 20,935 before the codec took JSON that is there already, and decoded the ciphertext as the check of its spelling
  sync: 22_300, // 21,826
  threads: 50_000, // 49,460 with Argon2, whose first and last blocks are BLAKE2b's of src/crypto; 41,616 without
  'threads-worker': 32_400, // 32,307; 30,290 without Argon2
  webgpu: 29_400, // 28,849 with OCB; 23,600 without
  webgl: 31_000, // 30,422 with OCB; 25,096 without
};

/** A bundle of this script: its texts, but for those that are imported at their first use. */
async function bundled(contents: string, options: BuildOptions = {}): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: 'dist/package/dist/lib' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    external: ['react'],
    outdir: 'out',
    metafile: true,
    write: false,
    ...options,
  });
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { kind, path: imported, external } of metafile.outputs[path]!.imports) {
      if (kind === 'import-statement' && external !== true) load(imported);
    }
  };
  load('out/stdin.js');
  return outputFiles.filter(({ path }) => loaded.has(relative('.', path))).map(({ text }) => text);
}

describe('the size of the library, minified', () => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    it(`${name}.js has at most ${limit} bytes`, async () => {
      const scripts = await bundled(`export * from './${name}.js';`);
      const minified = await Promise.all(scripts.map((script) => minify(script, { module: true })));
      const bytes = minified.map(({ code = '' }) => Buffer.byteLength(code));
      expect(Math.min(...bytes)).to.be.above(0);
      expect(bytes.reduce((sum, each) => sum + each)).to.be.at.most(limit);
    }).timeout(120_000);
  }
});

/**
 * What a page loads that imports only these of a subpath: bytes minified by esbuild, and bytes of it as brotli 11. The
 * scripts with WebAssembly come at the first use, and are not in it. docs/library.md has the sizes.
 */
const ALONE: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  client: {
    connectSealwright: [1750, 800],
  },
  algorithms: {
    // Each about 120 more since WebAssembly is unpacked and scripts are shared, and 50 since a new result is not compared with
    // the arguments.
    aesGcm: [12_750, 4_830], // 12,278 with the words for a path in the place of an address; 11,900 and 4,500 before an overlapping `into` was copied
    aegis128l: [11_350, 4_330],
    aesSiv: [15_550, 5_850], // 15,500 before the forward function of a key was a class of its own
    chacha20Poly1305: [12_950, 4_950],
    sha256: [9_800, 3_800],
    'hmac, sha256': [12_050, 4_600],
    argon2id: [12_800, 5_100],
  },
};

for (const [subpath, exports] of Object.entries(ALONE)) {
  describe(`the size of one export of ${subpath} in a bundle`, () => {
    for (const [names, [minified, compressed]] of Object.entries(exports)) {
      it(`${names}: at most ${minified} bytes, ${compressed} as brotli`, async () => {
        const text = (await bundled(`export { ${names} } from './${subpath}.js';`, { minify: true })).join('');
        expect(Buffer.byteLength(text), 'minified').to.be.at.most(minified);
        expect(brotliCompressSync(text).length, 'brotli').to.be.at.most(compressed);
      });
    }
  });
}
