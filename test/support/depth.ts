import { VARIANTS } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import { everyNth, IS_NIGHTLY } from './nightly.ts';
import { describeVectors } from './vectors.ts';

const IS_IN_DEPTH = IS_NIGHTLY || process.env['SEALWRIGHT_DEPTH'] !== undefined;

/**
 * How much a test does: `whole` in `npm run test:all` and `npm run nightly`, `sample` in `npm test`, which has every kind of
 * case and fewer repetitions. A test that asks is in IN_DEPTH of scripts/test-parts.mjs.
 */
export const inDepth = <T>(whole: T, sample: T): T => (IS_IN_DEPTH ? whole : sample);

/** As `it`, for a test that may be left out. */
type Test = (title: string, test: (this: Mocha.Context) => Promise<void>) => unknown;

/** A test of `npm run test:all`. */
export const inAll = inDepth<Test>(
  (title, test) => it(title, test),
  () => undefined,
);

/**
 * A test of what our own code does alike in both browsers: `npm test` runs it in Chromium alone. A file that has one is in
 * DEEPER_IN_FIREFOX of scripts/test-parts.mjs.
 */
export const chromiumFirst = (browser: string): Test => (browser === 'chromium' ? it : inAll);

/** Of a file of vectors, `npm test` checks about so many where the test names no other share. */
const SAMPLE = 40;

/**
 * `describeVectors` for vectors that cost much, or are repeated for each engine.
 *
 * @param nth `npm test` checks each nth, by default so many that about SAMPLE of the file remain
 * @param nthOfAll `npm run test:all` checks each of these, by default all
 */
export function describeSample<T extends object>(
  file: string,
  parse: (text: string) => readonly T[],
  check: (vector: T) => unknown,
  nth?: number,
  nthOfAll = 1,
): void {
  const step = IS_NIGHTLY ? 1 : inDepth(nthOfAll, nth);
  describeVectors(file, parse, check, {
    words: step === 1 ? '' : step === undefined ? ', a sample' : `, one vector of ${step}`,
    minutes: inDepth(20, 1),
    of: (vectors) => everyNth(step ?? Math.ceil(vectors.length / SAMPLE), vectors),
  });
}

/** Of the WebAssembly modules: `npm test` runs their unit tests in one variant, and the conformance suites in all. */
export const UNIT_VARIANTS = inDepth(VARIANTS, VARIANTS.slice(0, 1));
