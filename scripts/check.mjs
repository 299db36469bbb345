/* `npm run check`: types, lint and format, beside each other, over what an earlier run has found. */
import { run, runTool } from './run.mjs';
import { PRETTIER_CACHE } from './test-parts.mjs';

const ended = await Promise.allSettled([
  run(process.execPath, ['scripts/types-and-lint.mjs']),
  runTool('prettier', ['--check', '--log-level=warn', ...PRETTIER_CACHE, '.']),
]);
process.exitCode = ended.every(({ status }) => status === 'fulfilled') ? 0 : 1;
