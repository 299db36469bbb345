import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeMachine } from '../../../scripts/machine.mjs';
import type { BrowserName } from '../../../test/browser/drivers/driver.ts';
import { launch } from '../../../test/browser/drivers/launch.ts';
import { serve } from '../../../test/browser/server.ts';
import { connect, createVault, openEnabledSite } from '../../../test/browser/steps.ts';
import { accountOf, type Account } from './account.ts';
import { buildScript } from './build-script.ts';
import { marking } from './instrument.ts';
import { answerWithTrace, handOver, record, tracedCalls, type Trace } from './recorder.ts';
import { SPANS } from './spans.ts';

/** The lengths of which site/measurements.md has an account. */
const SIZES: readonly number[] = [2 ** 10, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22];
const OPERATIONS = ['seal', 'open'] as const;
/** A document is given the keys of 1,000 messages a minute to open. */
const MOST_CALLS = 120;
const BYTES_OF_CALLS = 2 ** 28;
/** Seals before the account of the first length, until the engines have compiled what a call runs through. */
const FIRST_WARM_UP = 1_500;
const WARM_UP = 40;

/** What bench/results/lane-trace-<browser>.json holds. */
export interface LaneTrace {
  readonly date: string;
  readonly machine: string;
  readonly platform: string;
  readonly kind: BrowserName;
  readonly accounts: readonly Account[];
}

/**
 * Traces warm calls of each length in a browser of its own, with marks in the extension.
 *
 * @param isTrial few calls, for trying
 */
export async function traceLane(
  name: BrowserName,
  isTrial: boolean,
  tell: (account: Account) => void,
): Promise<LaneTrace> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-trace-'));
  try {
    await buildWithMarks(name, folder);
    return await tracedIn(name, folder, isTrial ? 24 : MOST_CALLS, tell);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tracedIn(
  name: BrowserName,
  folder: string,
  mostCalls: number,
  tell: (account: Account) => void,
): Promise<LaneTrace> {
  const server = await serve('test/browser/fixtures');
  const session = await launch(name, { extensionFolder: folder, switches: FINE_CLOCKS });
  try {
    await createVault(session);
    const openSite = () => openEnabledSite(session, `${server.origin}/blank.html?isolated`);
    let site = await openSite();
    await connect(session, site);
    const accounts: Account[] = [];
    let warmUp = FIRST_WARM_UP;
    for (const operation of OPERATIONS) {
      for (const bytes of SIZES) {
        if (operation === 'open') {
          await site.close();
          site = await openSite();
        }
        const calls = Math.min(mostCalls, Math.max(24, BYTES_OF_CALLS / bytes));
        const asked = { operation, bytes, warmUp, calls };
        const trace = JSON.parse(await site.evaluate(tracedCalls, asked)) as Trace;
        accounts.push(accountOf(operation, bytes, trace));
        tell(accounts.at(-1)!);
        warmUp = WARM_UP;
      }
    }
    const date = new Date().toISOString().slice(0, 10);
    return { date, machine: describeMachine(), platform: session.version, kind: name, accounts };
  } finally {
    await session.close();
    await server.close();
  }
}

/** Chromium's clock ticks in 5 µs in an isolated page. Firefox's would in milliseconds. */
const FINE_CLOCKS = { chromium: [], firefox: { 'privacy.reduceTimerPrecision': false } };

/** The shipped extension, with the three scripts of a call built again with marks. */
async function buildWithMarks(name: BrowserName, folder: string): Promise<void> {
  cpSync(resolve(`dist/${name}`), folder, { recursive: true });
  await buildScripts(name, folder);
}

/** Builds these scripts, with what records the spans before them. */
export async function buildScripts(name: BrowserName, folder: string): Promise<void> {
  const before = {
    page: [sourceOf(record, false)],
    content: [sourceOf(record, true), sourceOf(handOver)],
    background: [sourceOf(record, false), sourceOf(answerWithTrace)],
  };
  for (const script of ['page', 'content', 'background'] as const) {
    const plugins = [marking(SPANS[script])];
    await buildScript(script, name, folder, { plugins, banner: before[script].join('\n') });
  }
}

/** A call of this function as text. The tool that runs TypeScript here names functions by `__name`. */
const sourceOf = <Args extends unknown[]>(work: (...args: Args) => void, ...args: Args): string =>
  `{ const __name = (value) => value; (${work.toString()})(${args.map(String).join(', ')}); }`;
