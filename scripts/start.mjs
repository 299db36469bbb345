/*
 * `npm start`: sets up, builds, and shows the demo. With a display, a browser opens with the
 * extension in it and the demo page in front; without one, the same page is driven headless and
 * what happened is printed. `npm start -- --browser firefox` takes the other browser;
 * `--headless` drives it in any case.
 */
import { build } from './build.mjs';
import { runTool } from './run.mjs';
import { setUp } from './setup.mjs';

await setUp();
await build({ zips: false, site: false });
const args = process.argv.slice(2);
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
const script = hasDisplay && !args.includes('--headless') ? 'show-demo' : 'drive-demo';
await runTool('tsx', [`scripts/${script}.ts`, ...args.filter((arg) => arg !== '--headless')]).catch(
  () => process.exit(1),
);
