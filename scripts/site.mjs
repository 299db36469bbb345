/* `npm run site`: builds dist/site with the Lab and the page open.html, and the library where it is not built yet. */
import { existsSync } from 'node:fs';
import { bundle, runTool } from './run.mjs';

const { setUp } = await import('./setup.mjs');
await setUp({ browsers: [], workspaces: ['site'] });
await bundle('lab');
if (!existsSync('dist/lib')) {
  const { buildLibrary } = await import('./library.mjs');
  await buildLibrary();
}
const { buildOpenPage } = await import('./open-page.mjs');
await buildOpenPage();
await runTool('tsx', ['site/build.ts']);
console.log(
  'The site is in dist/site. Serve it over http, for example: python3 -m http.server -d dist/site',
);
