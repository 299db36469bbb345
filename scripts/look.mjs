/*
 * `npm run look`, after `npm run build`: the extension in browsers that have a window, on a screen of its own,
 * by real keys and clicks (test/look). Leaves a picture of every view in artifacts/look, with a page that shows
 * all of them. `npm run look -- -g WORDS` runs the tests whose title has the words; BROWSERS as elsewhere.
 *
 * `npm run look -- tasks`: what people do, with a count of their actions (test/look/tasks.look.ts), on a screen where there
 * can be one. `npm run look -- components`: every component in every state, in light, dark, four languages, and forced
 * colours; it needs no build. `npm run look -- since COMMIT [part of a scene's name]`: pictures of the views as they were
 * and as they are, side by side in artifacts/since/index.html.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { giveUp, runTool } from './run.mjs';

/** Programs by the packages that have them. */
const PROGRAMS = { Xvfb: 'xvfb', xdotool: 'xdotool', openbox: 'openbox' };

const isThere = (program) =>
  process.env.PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** A screen in memory. @returns the name of its display, when it is ready */
function startScreen(folder) {
  const screen = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-fbdir', folder, '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  process.once('exit', () => screen.kill());
  return new Promise((resolve, reject) => {
    let number = '';
    screen.stdio[3].on('data', (part) => {
      number += String(part);
      if (number.endsWith('\n')) resolve(`:${number.trim()}`);
    });
    screen.once('error', reject);
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
}

/** Runs the tests of this folder that the pattern names. */
async function look(pattern, args, env) {
  const all = ['--config=test/browser/mocharc.json', `test/look/${pattern}.look.ts`, ...args];
  await runTool('mocha', all, { env }).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

const [first, ...rest] = process.argv.slice(2);
if (first === 'components') {
  await runTool('tsx', ['scripts/screens.ts', 'components']);
  await runTool('tsx', ['scripts/screens.ts', 'components', '--forced']);
  process.exit(0);
}
if (first === 'since') {
  await runTool('tsx', ['scripts/pictures-since.ts', ...rest]);
  process.exit(0);
}
const missing = Object.keys(PROGRAMS).filter((program) => !isThere(program));
if (missing.length > 0 && first === 'tasks') await look('tasks', rest, process.env);
if (missing.length > 0) {
  const packages = missing.map((program) => PROGRAMS[program]).join(' ');
  giveUp(`npm run look needs ${missing.join(', ')}: run apt-get install ${packages} first.`);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(join(tmpdir(), 'sealwright-screen-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const display = await startScreen(folder);
const env = {
  ...process.env,
  DISPLAY: display,
  SEALWRIGHT_FRAMEBUFFER: join(folder, 'Xvfb_screen0'),
};
const manager = spawn('openbox', [], { stdio: 'ignore', env });
process.once('exit', () => manager.kill());
if (first === 'tasks') await look('tasks', rest, env);
else await look('*', process.argv.slice(2), env);
