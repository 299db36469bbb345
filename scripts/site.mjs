/* `npm run site`: builds dist/site, and what it holds of the library and the Lab where they are not built yet. */
import { existsSync } from 'node:fs';
import { runTool } from './run.mjs';

const { setUp } = await import('./setup.mjs');
await setUp({ browsers: [] });
const missing = ['lib', 'lab'].filter((name) => !existsSync(`dist/${name}`));
if (missing.length > 0) {
  await runTool(
    'webpack',
    missing.flatMap((name) => ['--config-name', name]),
  );
}
await runTool('tsx', ['site/build.ts']);
console.log(
  'The site is in dist/site. Serve it over http, for example: python3 -m http.server -d dist/site',
);
