/* `npm run lab`: builds the Lab's page into dist/lab, and serves it until it is ended. */
import { bundle, runTool } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp({ browsers: [] });
await bundle('lab');
await runTool('tsx', ['scripts/serve-lab.ts']);
