/** Runs the leak test in Firefox, whose compiler is another one: a worker of a page for each primitive. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { makeWasm } from '../../scripts/make-wasm.ts';
import type { Tab } from '../../test/browser/drivers/driver.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import { serve } from '../../test/browser/server.ts';
import type { LeakRow } from './result.ts';
import type { Order } from './row.ts';
import type { Measuring } from './run-child.ts';

/** The clock of a page has steps of a millisecond else; now it has those of the system's. */
const EXACT_CLOCK = {
  'privacy.reduceTimerPrecision': false,
  'privacy.reduceTimerPrecision.unconditional': false,
};

/** @param folder for the page and what it loads */
export async function prepareFirefox(folder: string): Promise<Measuring> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/index.html`, '<!doctype html><title>leak test</title>');
  await makeWasm(`${folder}/wasm`);
  await build({
    entryPoints: ['bench/leak/worker.ts'],
    outfile: `${folder}/worker.js`,
    bundle: true,
    format: 'esm',
    target: 'es2022',
  });
  const server = await serve(folder);
  const browser = await launch('firefox', { switches: { chromium: [], firefox: EXACT_CLOCK } });
  const tab = await browser.newTab(`${server.origin}/index.html`);
  return {
    platform: browser.version,
    measure: (order) => measuredIn(tab, order),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

type Outcome = { readonly row: LeakRow } | { readonly error: string };
/** In the page. */
interface Held {
  outcome?: Outcome;
}

async function measuredIn(tab: Tab, order: Order): Promise<LeakRow> {
  await tab.evaluate((given) => {
    const held = globalThis as Held;
    delete held.outcome;
    const worker = new Worker('worker.js', { type: 'module' });
    const end = (outcome: Outcome): void => {
      held.outcome = outcome;
      worker.terminate();
    };
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => end(data);
    worker.onerror = ({ message }) => end({ error: message });
    worker.postMessage(given);
  }, order);
  for (;;) {
    // Seldom: what the page does meanwhile takes time from the worker.
    await new Promise((resume) => setTimeout(resume, 1000));
    const outcome = await tab.evaluate(() => (globalThis as Held).outcome ?? null);
    if (outcome === null) continue;
    if ('error' in outcome) throw new Error(`${order.name}: ${outcome.error}`);
    return outcome.row;
  }
}
