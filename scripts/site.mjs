/* `npm run site`: builds dist/site with the Lab, and the library where it is not built yet. */
import { existsSync } from 'node:fs';
import { runTool } from './run.mjs';

const { setUp } = await import('./setup.mjs');
await setUp({ browsers: [] });
const configs = ['lab', ...(existsSync('dist/lib') ? [] : ['lib', 'cli'])];
await runTool(
  'webpack',
  configs.flatMap((name) => ['--config-name', name]),
);
await runTool('tsx', ['site/build.ts']);
console.log(
  'The site is in dist/site. Serve it over http, for example: python3 -m http.server -d dist/site',
);
