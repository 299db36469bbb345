import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Tab } from '../../test/browser/drivers/driver.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import { serve } from '../../test/browser/server.ts';
import type { Marking } from './probe.ts';

/** Firefox's version, and a marking of a fresh document for each round. */
export async function markInFirefox(
  rounds: number,
): Promise<{ readonly version: string; readonly markings: readonly Marking[] }> {
  const extensionFolder = await buildProbe();
  const pages = await serve('bench/fields');
  const session = await launch('firefox', { extensionFolder, allowedHosts: [] });
  try {
    const tab = await session.newTab();
    const markings: Marking[] = [];
    for (let round = 0; round < rounds; round++) {
      await tab.goto(`${pages.origin}/page.html`);
      markings.push(await marking(tab));
    }
    return { version: session.version, markings };
  } finally {
    await session.close();
    await pages.close();
  }
}

async function marking(tab: Tab): Promise<Marking> {
  const told = await tab.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data as string);
        window.postMessage('mark this page', '*', [port2]);
      }),
  );
  return JSON.parse(told) as Marking;
}

async function buildProbe(): Promise<string> {
  const folder = resolve('.cache/fields-probe');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(MANIFEST));
  writeFileSync(`${folder}/background.js`, '');
  await build({
    entryPoints: [resolve('bench/fields/probe.ts')],
    outfile: `${folder}/content.js`,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  });
  return folder;
}

const MANIFEST = {
  manifest_version: 3,
  name: 'Probe, for bench:fields',
  version: '1.0',
  background: { scripts: ['background.js'] },
  content_scripts: [
    { matches: ['http://localhost/*'], js: ['content.js'], run_at: 'document_end' },
  ],
  browser_specific_settings: { gecko: { id: 'probe@fields.sealwright.org' } },
};
