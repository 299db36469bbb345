import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { launch } from '../test/browser/drivers/launch.ts';
import { serve } from '../test/browser/server.ts';
import type { Row, SuiteOptions } from './aes-suite.ts';
import { bundleForBrowser } from './bundle.ts';
import type { Message } from './order.ts';

const FOLDER = '.cache/bench/page';

/** Runs the suite in a dedicated worker of a page and brings its rows back. */
export async function runInBrowser(
  name: string,
  options: SuiteOptions,
): Promise<{ platform: string; rows: Row[] }> {
  if (name !== 'chromium' && name !== 'firefox') {
    throw new RangeError(`--browser is chromium or firefox, not ${name}`);
  }
  await buildPage();
  const server = await serve(FOLDER);
  const browser = await launch(name);
  try {
    const tab = await browser.newTab(`${server.origin}/index.html`);
    const { rounds, minimumMs, largest } = options;
    await tab.evaluate(
      (order) => {
        const rows: unknown[] = [];
        const worker = new Worker('worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => rows.push(data);
        worker.onerror = ({ message }) => rows.push({ error: message });
        worker.postMessage(order);
        Object.assign(globalThis, { rows });
      },
      { rounds, minimumMs, largest },
    );
    return { platform: browser.version, rows: await collect(tab, options) };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function collect(
  tab: Awaited<ReturnType<Awaited<ReturnType<typeof launch>>['newTab']>>,
  { report }: SuiteOptions,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const news = await tab.evaluate(() =>
      (globalThis as unknown as { rows: Message[] }).rows.splice(0),
    );
    for (const message of news) {
      if ('error' in message) throw new Error(message.error);
      if ('done' in message) return rows;
      rows.push(message.row);
      report(message.row, message.progress);
    }
    await new Promise((resume) => setTimeout(resume, 500));
  }
}

async function buildPage(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/index.html`, '<!doctype html><title>bench</title>');
  await bundleForBrowser('bench/worker.ts', `${FOLDER}/worker.js`);
}
