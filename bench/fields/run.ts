/*
 * What finding and marking sealed texts costs a page of an enabled site: 5,000 elements with 200 texts.
 *
 *   npx tsx bench/fields/run.ts [--rounds N]
 *
 * Chromium alone, because its protocol reaches the extension's world in a page: there the marks are ended and
 * begun anew, in a fresh document each round. `script` is the walk with the marks drawn and placed, `tasks`
 * all that the page's main thread did until half a second later (style, layout and painting too), less
 * what it does in as long when nothing happens. Wants `npm run build` first, and a quiet machine.
 */
import { parseArgs } from 'node:util';
import { median } from '../../src/engine/measure.ts';
import { inContentScript, taskSeconds } from '../../test/browser/drivers/chromium-tools.ts';
import { closeScene, openSiteScene } from '../../test/browser/scene.ts';
import { serve } from '../../test/browser/server.ts';

const ASKED_MS = 100;
const AFTERWARDS_MS = 500;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '15' } },
});

/** In the extension's world of a page. */
const START = `(async () => {
  const before = performance.now();
  globalThis[Symbol.for('sealwright marks')].start();
  const scriptMs = performance.now() - before;
  await new Promise((resume) => setTimeout(resume, ${AFTERWARDS_MS}));
  return { scriptMs, count: globalThis[Symbol.for('sealwright marks')].count };
})()`;
const ANEW = `(() => {
  const key = Symbol.for('sealwright marks');
  const { constructor: Marks } = globalThis[key];
  globalThis[key].stop();
  globalThis[key] = new Marks({ document, label: 'Open', onPress: () => undefined });
})()`;
const IDLE = `new Promise((resume) => setTimeout(resume, ${AFTERWARDS_MS}))`;

interface Round {
  readonly scriptMs: number;
  readonly tasksMs: number;
}

const scene = await openSiteScene('chromium');
const pages = await serve('bench/fields');
const { site } = scene;
try {
  const rounds: Round[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    await site.goto(`${pages.origin}/page.html`);
    await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
    await inContentScript(site, ANEW);
    const idleFrom = await taskSeconds(site);
    await inContentScript(site, IDLE);
    const from = await taskSeconds(site);
    const { scriptMs, count } = (await inContentScript(site, START)) as {
      scriptMs: number;
      count: number;
    };
    const tasksMs = 1000 * ((await taskSeconds(site)) - from - (from - idleFrom));
    if (count !== 200) throw new Error(`${count} marks for 200 texts`);
    rounds.push({ scriptMs, tasksMs });
  }
  const [nodes, shifts] = await site.evaluate(() => {
    const page = globalThis as unknown as { nodes(): number; shifts: number[] };
    return [page.nodes(), page.shifts.length] as const;
  });
  console.log(
    `${scene.session.version}, ${nodes} elements, 200 sealed texts, ${shifts} layout shifts`,
  );
  for (const [what, of] of [
    ['script', 'scriptMs'],
    ['tasks', 'tasksMs'],
  ] as const) {
    const times = rounds.map((round) => round[of]);
    const typical = median(times);
    const figures = `median ${typical.toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms`;
    console.log(
      `${what}: ${figures} (asked: ${ASKED_MS} ms, ${typical <= ASKED_MS ? 'met' : 'missed'})`,
    );
  }
} finally {
  await pages.close();
  await closeScene(scene);
}
