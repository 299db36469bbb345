import { inContentScript, taskSeconds } from '../../test/browser/drivers/chromium-tools.ts';
import type { Tab } from '../../test/browser/drivers/driver.ts';
import { closeScene, openSiteScene } from '../../test/browser/scene.ts';
import { serve } from '../../test/browser/server.ts';

const AFTERWARDS_MS = 500;

/** In the extension's world of a page. */
const START = `(async () => {
  const marks = globalThis[Symbol.for('sealwright marks')];
  const before = performance.now();
  marks.start();
  const scriptMs = performance.now() - before;
  await new Promise((resume) => setTimeout(resume, ${AFTERWARDS_MS}));
  return { scriptMs, count: marks.count };
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
  /**
   * All that the page's main thread did until half a second later, less what it does in as long when
   * nothing happens.
   */
  readonly tasksMs: number;
  readonly count: number;
}

export interface ChromiumRounds {
  readonly version: string;
  readonly rounds: readonly Round[];
  readonly nodes: number;
  /** Layout shifts, as the browser counts them, in the last round. */
  readonly shifts: number;
}

/** Marks a fresh document for each round, by the extension itself. */
export async function markInChromium(count: number): Promise<ChromiumRounds> {
  const scene = await openSiteScene('chromium');
  const pages = await serve('bench/fields');
  const { site, session } = scene;
  try {
    const rounds: Round[] = [];
    for (let round = 0; round < count; round++) {
      await site.goto(`${pages.origin}/page.html`);
      await site.waitUntil(() => document.querySelector('sealwright-marks') !== null);
      rounds.push(await oneRound(site));
    }
    const [nodes, shifts] = await site.evaluate(() => {
      const page = globalThis as unknown as { nodes(): number; shifts: number[] };
      return [page.nodes(), page.shifts.length] as const;
    });
    return { version: session.version, rounds, nodes, shifts };
  } finally {
    await pages.close();
    await closeScene(scene);
  }
}

async function oneRound(site: Tab): Promise<Round> {
  await inContentScript(site, ANEW);
  const idleFrom = await taskSeconds(site);
  await inContentScript(site, IDLE);
  const from = await taskSeconds(site);
  const marked = (await inContentScript(site, START)) as Omit<Round, 'tasksMs'>;
  return { ...marked, tasksMs: 1000 * ((await taskSeconds(site)) - from - (from - idleFrom)) };
}
