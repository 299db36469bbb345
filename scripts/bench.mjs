/* `npm run bench`: sets up and runs bench/run.ts; its options are described there. */
import { runTool } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp({ workspaces: ['bench'] });
const args = process.argv.slice(2);
// The browsers' drivers start them with the extension.
if (args.includes('--browser') || args.includes('--trace'))
  await (await import('./build.mjs')).build({ zips: false, site: false });
await runTool('tsx', ['bench/run.ts', ...args]);
