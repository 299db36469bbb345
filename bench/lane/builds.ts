/*
 * Two builds of the extension beside each other: what a change of the code costs in single calls. Each is driven by
 * the steps of its own checkout, because those follow its windows.
 *
 *   npx tsx bench/lane/builds.ts --before FOLDER [--browser chromium|firefox] [--rounds N]
 *
 * FOLDER is another checkout with its set-up done and its extension built. Both browsers are open all the time, and
 * take turns. Writes bench/results/builds-<browser>.json. Wants `npm run build` first, and a machine with nothing else to do.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../../src/engine/self-test/measure.ts';
import { describeMachine } from '../../scripts/machine.mjs';
import type * as Scenes from '../../test/browser/scene.ts';
import type * as Steps from '../../test/browser/steps.ts';
import type { BrowserName, BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    browser: { type: 'string', default: 'chromium' },
    rounds: { type: 'string', default: '15' },
  },
});
if (values.before === undefined) throw new Error('--before FOLDER names the other checkout');
const browser = values.browser as BrowserName;
const rounds = Number(values.rounds);

/** Calls of a page; all of 1 KiB but the first. Warm calls are timed together, the first ones each after a new start. */
const CALLS = ['seal', 'encrypt', 'sign', 'signByCurve'] as const;
type Call = (typeof CALLS)[number];
const TITLES: Record<Call, string> = {
  seal: '`seal` of 16 bytes',
  encrypt: '`subtle.encrypt`, AES-256-GCM, 1 KiB',
  sign: '`subtle.sign`, HMAC-SHA-256, 1 KiB',
  signByCurve: '`subtle.sign`, ECDSA P-256, 1 KiB',
};
const WARM_CALLS = 100;

interface Build {
  readonly session: BrowserSession;
  readonly site: Tab;
  close(): Promise<void>;
}

/** A browser with the extension of a checkout, an open vault in it and a site that may seal. */
async function open(folder: string): Promise<Build> {
  const part = async <T>(path: string) => (await import(join(folder, 'test/browser', path))) as T;
  const { openVaultScene } = await part<typeof Scenes>('scene.ts');
  const steps = await part<typeof Steps>('steps.ts');
  const extensionFolder = join(folder, 'dist', browser);
  const { session, server } = await openVaultScene(browser, { extensionFolder });
  const site = await steps.openEnabledSite(session, `${server.origin}/blank.html?isolated`);
  await steps.connect(session, site);
  await site.evaluate(prepare);
  const close = async () => {
    await session.close();
    await server.close();
  };
  return { session, site, close };
}

type Prepared = typeof globalThis & { calls: Record<Call, () => Promise<unknown>> };

/** In the page: makes the keys, whose handles outlive the extension's background. */
async function prepare(): Promise<void> {
  interface Api {
    readonly subtle: SubtleCrypto;
    seal(bytes: Uint8Array): Promise<Uint8Array>;
  }
  const { sealwright } = globalThis as unknown as { sealwright: Api };
  const { subtle } = sealwright;
  const message = new Uint8Array(1024).fill(7);
  const note = message.slice(0, 16);
  const gcm = { name: 'AES-GCM', iv: new Uint8Array(12) };
  const usages: KeyUsage[] = ['sign', 'verify'];
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const mac = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, usages);
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await subtle.generateKey(curve, false, usages);
  (globalThis as Prepared).calls = {
    seal: () => sealwright.seal(note),
    encrypt: () => subtle.encrypt(gcm, key, message),
    sign: () => subtle.sign('HMAC', mac, message),
    signByCurve: () => subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, message),
  };
}

/** In the page: milliseconds of each of so many calls, one after the other. */
async function timesOf(call: Call, count: number): Promise<number[]> {
  const run = (globalThis as Prepared).calls[call];
  const times: number[] = [];
  for (let left = count; left > 0; left--) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times;
}

const folders = { before: resolve(values.before), after: resolve('.') };
const names = ['before', 'after'] as const;
const builds = { before: await open(folders.before), after: await open(folders.after) };
const warm = { before: timesByCall(), after: timesByCall() };
const first = { before: timesByCall(), after: timesByCall() };
try {
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const call of CALLS) {
      for (const name of order) {
        const { session, site } = builds[name];
        await session.killBackground();
        const [firstMs] = await site.evaluate(timesOf, call, 1);
        const times = await site.evaluate(timesOf, call, WARM_CALLS);
        // The first round only warms both up.
        if (round === 0) continue;
        first[name][call].push(firstMs!);
        warm[name][call].push(median(times));
      }
    }
    console.log(`round ${round} of ${rounds}`);
  }
} finally {
  await Promise.all([builds.before.close(), builds.after.close()]);
}

const rows = CALLS.map((call) => ({
  call: TITLES[call],
  warmMs: { before: median(warm.before[call]), after: median(warm.after[call]) },
  firstMs: { before: median(first.before[call]), after: median(first.after[call]) },
}));
const result = {
  date: new Date().toISOString(),
  machine: describeMachine(),
  platform: builds.after.session.version,
  rounds,
  rows,
};
writeFileSync(`bench/results/builds-${browser}.json`, `${JSON.stringify(result, null, 1)}\n`);
for (const { call, warmMs, firstMs } of rows) {
  const pair = ({ before, after }: { before: number; after: number }) =>
    `${before.toFixed(2)} → ${after.toFixed(2)} ms`;
  console.log(`${call}: warm ${pair(warmMs)}; first after a start ${pair(firstMs)}`);
}

function timesByCall(): Record<Call, number[]> {
  return { seal: [], encrypt: [], sign: [], signByCurve: [] };
}
