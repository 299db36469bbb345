import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { makeWasm } from '../scripts/make-wasm.ts';
import type { LaunchOptions } from '../test/browser/drivers/driver.ts';
import { launch } from '../test/browser/drivers/launch.ts';
import { serve } from '../test/browser/server.ts';
import { bundleForBrowser, bundleThreadsWorker } from './bundle.ts';
import type { Message, Order } from './order.ts';
import type { Request } from './run-in-node.ts';

const FOLDER = '.cache/bench/page';

type Browser = Awaited<ReturnType<typeof launch>>;
type Tab = Awaited<ReturnType<Browser['newTab']>>;

/**
 * Bundles a suite and runs it in a dedicated worker of a page, in a browser of its own.
 *
 * @param rows the module of its rows
 * @param tell receives each message as it comes
 * @param options of the browser
 * @returns the browser's name and version
 */
export async function runInBrowser(
  name: 'chromium' | 'firefox',
  rows: string,
  request: Request,
  tell: (message: Message) => void,
  options: Partial<LaunchOptions> = {},
): Promise<string> {
  await buildPage(rows);
  const server = await serve(FOLDER);
  const browser = await launch(name, options);
  try {
    const tab = await browser.newTab(`${server.origin}/index.html`);
    await startWorker(tab, { ...request, wasmFolder: 'wasm/' });
    await collect(tab, tell);
    return browser.version;
  } finally {
    await browser.close();
    await server.close();
  }
}

async function buildPage(rows: string): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/index.html`, '<!doctype html><title>bench</title>');
  await makeWasm(`${FOLDER}/wasm`);
  await bundleThreadsWorker(FOLDER);
  await bundleForBrowser(rows, `${FOLDER}/worker.js`);
}

function startWorker(tab: Tab, order: Order): Promise<unknown> {
  return tab.evaluate((given) => {
    const messages: unknown[] = [];
    const worker = new Worker('worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => messages.push(data);
    worker.onerror = ({ message }) => messages.push({ error: message });
    worker.postMessage(given);
    Object.assign(globalThis, { messages });
  }, order);
}

async function collect(tab: Tab, tell: (message: Message) => void): Promise<void> {
  for (;;) {
    const news = await tab.evaluate(() =>
      (globalThis as unknown as { messages: Message[] }).messages.splice(0),
    );
    for (const message of news) {
      if ('error' in message) throw new Error(message.error);
      if ('done' in message) return;
      tell(message);
    }
    await new Promise((resume) => setTimeout(resume, 500));
  }
}
