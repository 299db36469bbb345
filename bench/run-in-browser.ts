import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { launch } from '../test/browser/drivers/launch.ts';
import { serve } from '../test/browser/server.ts';
import type { Row, SuiteOptions } from './aes-suite.ts';
import { writeSjclModule } from './sjcl-source.ts';

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

type Message = { row: Row; progress: number } | { done: true } | { error: string };

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
  await build({
    entryPoints: ['bench/worker.ts'],
    outfile: `${FOLDER}/worker.js`,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: { 'sjcl-joined': writeSjclModule(), ...NODE_MODULES },
    define: { global: 'globalThis' },
    inject: [resolve('bench/browser-globals.ts')],
    logLevel: 'error',
  });
}

// browserify-aes expects Node's modules; these are the packages that browserify gives it.
const NODE_MODULES = {
  buffer: resolve('node_modules/buffer/index.js'),
  stream: resolve('node_modules/stream-browserify/index.js'),
  crypto: resolve('bench/no-crypto.ts'),
};
