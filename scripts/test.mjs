/*
 * `npm test`: set-up, then build, types, lint, format, units, and the built extension in both
 * browsers, two parts at a time. `npm run nightly` runs what takes longer (nightly.mjs).
 */
import { setUp } from './setup.mjs';
import { BUILD, browserParts, distParts, unitParts } from './test-parts.mjs';
import { close, runParts, script, tool } from './test-run.mjs';

await setUp({ tests: true });
close(
  await runParts([
    script(BUILD, 'scripts/build.mjs'),
    // The longest parts that compute first; those that wait fill the rest.
    ...unitParts(),
    ...browserParts('firefox'),
    tool('Lint', 'eslint', ['.']),
    ...browserParts('chromium'),
    tool('Types', 'tsc', ['-b']),
    ...distParts(),
    tool('Format', 'prettier', ['--check', '--log-level=warn', '.']),
  ]),
);
