/*
 * `npm test`: set-up, then build, types, lint, format, units, and the built extension in both
 * browsers, several parts at a time. `npm run nightly` runs what takes longer (nightly.mjs).
 */
import { setUp } from './setup.mjs';
import { BUILD, browserParts, distParts, typesAndLint, unitParts } from './test-parts.mjs';
import { close, runParts, script, tool } from './test-run.mjs';

await setUp({ tests: true });
close(
  await runParts([
    script(BUILD, 'scripts/build.mjs'),
    // The longest first, of those that compute and of those with a browser.
    ...unitParts(),
    typesAndLint(),
    ...browserParts('firefox'),
    ...browserParts('chromium'),
    ...distParts(),
    tool('Format', 'prettier', ['--check', '--log-level=warn', '.']),
  ]),
);
