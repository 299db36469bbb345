/*
 * What finding and marking sealed texts costs a page of an enabled site: 5,000 elements with 200 texts.
 *
 *   npx tsx bench/fields/run.ts [--browser chromium|firefox] [--rounds N]
 *
 * `script` is the walk with the marks drawn and placed. Chromium's protocol reaches the extension's world in a
 * page and counts what the main thread does: `tasks` is all of it, style, layout and painting too. In Firefox
 * an extension made for this marks the page, in the same world; `laid out` is the script with the style
 * and layout that it causes. Wants `npm run build` first (Chromium), and a quiet machine.
 */
import { parseArgs } from 'node:util';
import { median } from '../../src/engine/self-test/measure.ts';
import { markInChromium } from './run-chromium.ts';
import { markInFirefox } from './run-firefox.ts';

const ASKED_MS = 100;
const TEXTS = 200;

const { values: options } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    rounds: { type: 'string', default: '15' },
  },
});
const rounds = Number(options.rounds);
if (options.browser === 'firefox') await firefox();
else await chromium();

async function chromium(): Promise<void> {
  const { version, rounds: all, nodes, shifts } = await markInChromium(rounds);
  requireAll(all);
  console.log(`${version}, ${nodes} elements, ${TEXTS} sealed texts, ${shifts} layout shifts`);
  tell(
    'script',
    all.map(({ scriptMs }) => scriptMs),
  );
  tell(
    'tasks',
    all.map(({ tasksMs }) => tasksMs),
  );
}

async function firefox(): Promise<void> {
  const { version, markings } = await markInFirefox(rounds);
  requireAll(markings);
  const moved = Math.max(...markings.map((one) => one.moved));
  const elements = markings[0]?.elements ?? 0;
  console.log(`${version}, ${elements} elements, ${TEXTS} sealed texts, ${moved} elements moved`);
  tell(
    'script',
    markings.map(({ scriptMs }) => scriptMs),
  );
  tell(
    'laid out',
    markings.map(({ laidOutMs }) => laidOutMs),
  );
}

function requireAll(marked: readonly { readonly count: number }[]): void {
  const wrong = marked.find(({ count }) => count !== TEXTS);
  if (wrong) throw new Error(`${wrong.count} marks for ${TEXTS} texts`);
}

function tell(what: string, times: readonly number[]): void {
  const typical = median([...times]);
  const figures = `median ${typical.toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms`;
  const verdict = typical <= ASKED_MS ? 'met' : 'missed';
  console.log(`${what}: ${figures} (asked: ${ASKED_MS} ms, ${verdict})`);
}
