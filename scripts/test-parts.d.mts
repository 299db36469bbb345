import type { Part } from './test-run.mjs';

type Browser = 'chromium' | 'firefox';

export const BROWSERS: readonly Browser[];
/** Browser tests of `npm test`, with the browsers that run each. */
export const CORE: Readonly<Record<string, readonly Browser[]>>;
/** Browser tests that `npm run test:all` runs in Chromium alone. */
export const IN_CHROMIUM: readonly string[];
/** Tests that only `npm run nightly` runs, with the reason. */
export const NIGHTLY_FILES: Readonly<Record<string, string>>;
/** Tests that do more in `npm run test:all` than in `npm test`. */
export const IN_DEPTH: readonly string[];
export const DEEPER_IN_FIREFOX: readonly string[];
/** Tests in Node that `npm test` leaves to `npm run test:all`, by file or folder, with the reason. */
export const OF_ALL: Readonly<Record<string, string>>;
/** Files and folders that need packages of workspaces. */
export const OF_WORKSPACES: readonly string[];
/** Arguments of the linter: files that need no such package, the others, or all. */
export const LINTED: Readonly<Record<'core' | 'rest' | 'all', readonly string[]>>;
/** All tests that run in Node, without a build. */
export function unitFiles(): readonly string[];
/** Jobs of CI. */
export const GROUPS: readonly string[];
/** The parts of `npm test`, of what `npm run test:all` adds, or of both; `only` takes those of one job. */
export function testParts(options: {
  readonly what?: 'core' | 'rest' | 'all';
  readonly isFresh?: boolean;
  readonly only?: string;
}): readonly Part[];
/** The parts of `npm run nightly`, those beside each other and those that need the machine to themselves. */
export function nightlyParts(): Readonly<Record<'together' | 'alone', readonly Part[]>>;
