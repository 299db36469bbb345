/*
 * `npm run nightly`: what `npm test` leaves out because it takes long: fault injection, fuzzing, the
 * web-platform-tests, other programs and libraries, the conformance suites inside the browsers, and
 * the units with every vector and length.
 */
import { setUp } from './setup.mjs';
import { BUILD, fuzzPart, nightlyParts, proofPart, rebuildPart, unitParts } from './test-parts.mjs';
import { close, runParts, script, tool } from './test-run.mjs';

const VAULT_SHARE = '0.1';

await setUp({ tests: true });
close(
  await runParts([
    script(BUILD, 'scripts/build.mjs'),
    tool('Faults of the vault', 'tsx', ['scripts/stress.ts', '--share', VAULT_SHARE]),
    fuzzPart,
    proofPart,
    ...['firefox', 'chromium'].flatMap(nightlyParts),
    ...unitParts({ SEALWRIGHT_NIGHTLY: '1' }),
    rebuildPart,
  ]),
);
