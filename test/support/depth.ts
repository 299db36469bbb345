import { IS_NIGHTLY } from './nightly.ts';

const IS_IN_DEPTH = IS_NIGHTLY || process.env['SEALWRIGHT_DEPTH'] !== undefined;

/**
 * How much a test does: `whole` in `npm run test:all` and `npm run nightly`, `sample` in `npm test`, which has every kind of
 * case and fewer repetitions. A unit test that asks is in IN_DEPTH of scripts/test-parts.mjs.
 */
export const inDepth = <T>(whole: T, sample: T): T => (IS_IN_DEPTH ? whole : sample);
