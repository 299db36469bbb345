/* `npm run check`: types, lint and format, beside each other. */
import { runTool } from './run.mjs';
import { PRETTIER_CACHE } from './test-parts.mjs';

const ended = await Promise.allSettled([
  runTool('oxlint', []),
  runTool('prettier', ['--check', '--log-level=warn', ...PRETTIER_CACHE, '.']),
]);
process.exitCode = ended.every(({ status }) => status === 'fulfilled') ? 0 : 1;
