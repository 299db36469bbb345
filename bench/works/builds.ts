/*
 * Table IV of the work of 2009, and the sizes of Tables V and VI: the AES core of engine `js` in three builds, which compute
 * all tables, hard-code the S-box, or hard-code everything; and the functions of which the Lab measures the speed.
 */
import { build, type Plugin } from 'esbuild';
import { computeTables } from '../../src/crypto/aes/tables.ts';
import { median } from '../../src/engine/self-test/measure.ts';
import { sizeOf } from '../aes/code-size.ts';
import type { CodeSize } from '../result.ts';

/** What is hard-coded, as Table IV names it. */
export const HARD_CODED = ['Nothing', 'S-box only', 'Everything'] as const;
export type HardCoded = (typeof HARD_CODED)[number];

/** Sizes of code: they are the same on every platform. */
export interface BuildSizes {
  /** The AES core: tables or what computes them, key schedules, block encryption and decryption. */
  readonly tables: readonly CodeSize[];
  /** The functions of Tables V and VI, each with the block encryption that it calls. */
  readonly unrolled: readonly CodeSize[];
}

/** The first evaluation of the tables' code in a fresh worker: milliseconds, by what is hard-coded. */
export type ColdTimes = Readonly<Record<HardCoded, number>>;

const TABLES = 'src/crypto/aes/tables.ts';

/** The module of the tables in each build. All export what the module of src exports. */
export function tablesSource(hardCoded: HardCoded): string {
  const [encrypt, decrypt] = computeTables();
  const xtime = 'export const xtime = (a) => (a << 1) ^ ((a >> 7) * 0x11b);';
  if (hardCoded === 'Nothing') return `export * from './${TABLES}';`;
  if (hardCoded === 'Everything') {
    const literal = (words: Int32Array) => `Int32Array.of(${words.join(',')})`;
    return `${xtime}
      export const computeTables = () => [${literal(encrypt)}, ${literal(decrypt)}];`;
  }
  const sBox = encrypt.subarray(1024, 1280);
  return `${xtime}
    const S = [${sBox.join(',')}];
    const mix = (a) => xtime(a) | (0x010100 * a) | ((xtime(a) ^ a) << 24);
    export function computeTables() {
      const encrypt = new Int32Array(2048), decrypt = new Int32Array(2048);
      for (let x = 0; x < 256; x++) {
        const s = S[x], x4 = xtime(xtime(x));
        let d = mix(x4), e = mix(s);
        d = mix(x4 ^ x) ^ (d << 16) ^ (d >>> 16);
        for (let page = 0; page < 1024; page += 256) {
          encrypt[page | x] = e;
          decrypt[page | s] = d;
          encrypt[1024 | page | x] = s << (page >> 5);
          decrypt[1024 | page | s] = x << (page >> 5);
          e = (e << 8) | (e >>> 24);
          d = (d << 8) | (d >>> 24);
        }
      }
      return [encrypt, decrypt];
    }`;
}

/** Puts another module in the place of the tables' own. */
const withTables = (hardCoded: HardCoded): Plugin => ({
  name: 'tables',
  setup: (bundler) => {
    if (hardCoded === 'Nothing') return;
    bundler.onLoad({ filter: /src\/crypto\/aes\/tables\.ts$/ }, () => ({
      contents: tablesSource(hardCoded),
      loader: 'js',
    }));
  },
});

async function bundled(contents: string, hardCoded: HardCoded, format: 'esm' | 'iife') {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    write: false,
    format,
    platform: 'neutral',
    treeShaking: true,
    ...(format === 'iife' && { minify: true }),
    plugins: [withTables(hardCoded)],
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

const UNROLLED: readonly (readonly [name: string, file: string, exported: string])[] = [
  ['V: None', 'unrolling', 'withLoops'],
  ['V: Short', 'unrolling', 'withShortLoopsUnrolled'],
  ['V: Round', 'unrolling', 'withRoundsUnrolled'],
  ['VI: None', 'unrolled-modes', 'ocbWithLoops'],
  ['VI: Short', 'unrolled-modes', 'ocbUnrolled'],
  ['CCM: None', 'unrolled-modes', 'ccmWithLoops'],
  ['CCM: Short', 'unrolled-modes', 'ccmUnrolled'],
];

/** Minified by the tools that measure the cores of the peers. */
export async function measureBuildSizes(): Promise<BuildSizes> {
  const tables = [];
  for (const name of HARD_CODED) {
    const core = await bundled(`export { Aes } from './src/crypto/aes/block.ts';`, name, 'esm');
    tables.push(await sizeOf(name, core));
  }
  const unrolled = [];
  for (const [name, file, exported] of UNROLLED) {
    const source = `export { ${exported} as f } from './lab/runs/${file}.ts';`;
    unrolled.push(await sizeOf(name, await bundled(source, 'Nothing', 'esm')));
  }
  return { tables, unrolled };
}

/** The scripts that make the tables, by what is hard-coded. */
export async function tablesScripts(): Promise<Record<HardCoded, string>> {
  const source = `import { computeTables } from './${TABLES}'; globalThis.made = computeTables();`;
  const scripts = await Promise.all(
    HARD_CODED.map(async (name) => [name, await bundled(source, name, 'iife')] as const),
  );
  return Object.fromEntries(scripts) as Record<HardCoded, string>;
}

const COLD_RUNS = 25;

/**
 * @param evaluate runs a script in a fresh worker: milliseconds from its text to the tables, with parsing, as a page that
 * loads it has
 */
export async function measureColdTimes(
  evaluate: (script: string) => Promise<number>,
): Promise<ColdTimes> {
  const scripts = await tablesScripts();
  const times: Record<HardCoded, number[]> = { Nothing: [], 'S-box only': [], Everything: [] };
  for (let run = 0; run < COLD_RUNS; run++) {
    // In turns, as all that is compared.
    for (const name of HARD_CODED) times[name].push(await evaluate(scripts[name]));
  }
  const medians = HARD_CODED.map((name) => [name, median(times[name])] as const);
  return Object.fromEntries(medians) as Record<HardCoded, number>;
}

/** The worker of a cold run: it evaluates the text that it is sent. Two of the words show that the tables are right. */
export const COLD_WORKER = `
  const evaluate = (script) => {
    const start = performance.now();
    (0, eval)(script);
    const ms = performance.now() - start;
    const [encrypt, decrypt] = globalThis.made;
    return { ms, check: encrypt[1024] ^ decrypt[1024 + 0x63] };
  };`;

/** What `check` is: the substitute of 0 is 0x63, and the inverse substitute of 0x63 is 0. */
export const COLD_CHECK = 0x63;
