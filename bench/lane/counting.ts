import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { median } from '../../src/engine/self-test/measure.ts';
import type { BrowserName, BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import { serve } from '../../test/browser/server.ts';
import {
  answerPrompt,
  call,
  createVault,
  openEnabledSite,
  SEAL_AND_OPEN,
} from '../../test/browser/steps.ts';
import { buildScript } from './trace/build-script.ts';

/*
 * What it costs a call to open that its opening is counted: by grant and hour (opening-hours.ts), and against `maxPerHour`
 * (opening-limit.ts). One page has two keys, each with a grant of its own, and opens a message of each in turns. One grant
 * has a limit. The other one has none, and the extension is built for that so that its openings are not counted by hour
 * either: that is the only difference of the two.
 */

/** Until the engines have compiled what a call runs through. */
const WARM_UP_CALLS = 1_500;
const TURN_CALLS = 50;
const MESSAGE_BYTES = 16;
/** Openings that the limit leaves after the last turn: more than one commit counts in advance. */
const LEFT_OVER = 4_000;

const HOURS = 'src/service/grants/opening-hours.ts';
const NOTE = 'note(grant: G, uses: number, now: number): void {';
const UNCOUNTED = 'if ((grant as { maxPerHour?: unknown }).maxPerHour === null) return;';

/** Of opens of 16 bytes with and without the counting of openings, in one browser. */
export interface CountingFigures {
  /** Openings by each grant that were timed. */
  readonly calls: number;
  /** Medians of turns of 50 calls each, in ms a call. */
  readonly countedMs: number;
  readonly uncountedMs: number;
  /** The median over pairs of turns: the time of one with counting over that of one without. */
  readonly medianRatio: number;
  /** The same of all turns together, the commits included that count openings in advance. */
  readonly totalRatio: number;
}

type Name = 'counted' | 'uncounted';
const NAMES = ['counted', 'uncounted'] as const satisfies readonly Name[];

/** @param turns of each grant; each has 50 calls */
export async function countingFigures(name: BrowserName, turns = 200): Promise<CountingFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-counting-'));
  try {
    cpSync(resolve(`dist/${name}`), folder, { recursive: true });
    await buildScript('background', name, folder, { plugins: [notCounting] });
    return await measuredIn(name, folder, turns);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Leaves out the counts by hour of grants without a limit. */
const notCounting: Plugin = {
  name: 'not counting',
  setup(build) {
    build.onLoad({ filter: /opening-hours\.ts$/ }, ({ path }) => ({
      contents: notCounted(readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** @throws Error where what counts is called otherwise by now */
export function notCounted(source: string): string {
  const parts = source.split(NOTE);
  if (parts.length !== 2) throw new Error(`${HOURS} has no ${NOTE}`);
  return parts.join(`${NOTE}\n    ${UNCOUNTED}`);
}

async function measuredIn(
  name: BrowserName,
  folder: string,
  turns: number,
): Promise<CountingFigures> {
  const server = await serve('test/browser/fixtures');
  const session = await launch(name, { extensionFolder: folder });
  try {
    await createVault(session);
    const site = await openEnabledSite(session, `${server.origin}/blank.html?isolated`);
    const calls = turns * TURN_CALLS;
    const limit = WARM_UP_CALLS + calls + LEFT_OVER;
    const counted = await keyWith(session, site, 'Counted', limit);
    const uncounted = await keyWith(session, site, 'Uncounted', null);
    await site.evaluate(prepare, { counted, uncounted }, MESSAGE_BYTES);
    for (const each of NAMES) await site.evaluate(timeOfOpens, each, WARM_UP_CALLS);
    const times: Record<Name, number[]> = { counted: [], uncounted: [] };
    for (let turn = 0; turn < turns; turn++) {
      for (const each of turn % 2 === 0 ? NAMES : NAMES.toReversed()) {
        times[each].push(await site.evaluate(timeOfOpens, each, TURN_CALLS));
      }
    }
    await requireCounted(site);
    return figuresOf(times, calls);
  } finally {
    await session.close();
    await server.close();
  }
}

/** Of turns of both, in ms: the first of one was made beside the first of the other. */
export function figuresOf(
  { counted, uncounted }: Record<Name, readonly number[]>,
  calls: number,
): CountingFigures {
  const sum = (times: readonly number[]) => times.reduce((total, one) => total + one, 0);
  return {
    calls,
    countedMs: median(counted) / TURN_CALLS,
    uncountedMs: median(uncounted) / TURN_CALLS,
    medianRatio: median(counted.map((time, turn) => time / uncounted[turn]!)),
    totalRatio: sum(counted) / sum(uncounted),
  };
}

/** A key of the page alone that may seal and open. @returns its id */
async function keyWith(
  session: BrowserSession,
  site: Tab,
  label: string,
  maxPerHour: number | null,
): Promise<string> {
  const key = { kind: 'sealing', label };
  const limited = maxPerHour === null ? {} : { maxPerHour };
  const asked = call(site, 'connect', { ...SEAL_AND_OPEN, key, ...limited });
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#allow[aria-disabled="false"]');
  // The key that was made before is offered too.
  const isOffered = await prompt.evaluate(() => document.querySelector('#key-new') !== null);
  if (isOffered) await prompt.click('#key-new');
  await answerPrompt(session);
  const outcome = await asked;
  if (!outcome.ok) throw new Error(`connect: ${outcome.code}`);
  const grants = outcome.value as readonly { keyId: string; maxPerHour: number | null }[];
  const grant = grants.at(-1)!;
  if (grant.maxPerHour !== maxPerHour) throw new Error(`${label}: another limit was granted`);
  return grant.keyId;
}

/** The limit holds after the turns: all of its openings were counted. @throws Error where they were not */
async function requireCounted(site: Tab): Promise<void> {
  const ends = await Promise.all(NAMES.map((each) => site.evaluate(opensUntilRefused, each)));
  const [counted, uncounted] = ends as [number, number];
  if (counted > LEFT_OVER) throw new Error('The limit does not hold: not all was counted');
  if (uncounted <= LEFT_OVER) throw new Error('The grant without a limit refused to open');
}

/* What runs in the page. Each function is sent there as text, so it holds all that it needs. */

interface Api {
  seal(bytes: Uint8Array, options: { key: string }): Promise<Uint8Array>;
  open(bytes: Uint8Array): Promise<Uint8Array>;
}
declare const sealwright: Api;
type Prepared = typeof globalThis & {
  messages: Record<string, { readonly sealed: Uint8Array; readonly plain: string }>;
};

/** Seals a message with each key; they differ, so that what is opened can be told apart. */
async function prepare(keys: Record<string, string>, bytes: number): Promise<void> {
  const messages: Prepared['messages'] = {};
  for (const [at, [name, key]] of Object.entries(keys).entries()) {
    const plain = new Uint8Array(bytes).fill(at + 1);
    messages[name] = { sealed: await sealwright.seal(plain, { key }), plain: plain.join() };
  }
  (globalThis as Prepared).messages = messages;
}

/** Milliseconds of so many calls, one after the other. @throws Error for a result that is not the message */
async function timeOfOpens(name: string, calls: number): Promise<number> {
  const { sealed, plain } = (globalThis as Prepared).messages[name]!;
  const results: Uint8Array[] = [];
  const start = performance.now();
  for (let made = 0; made < calls; made++) results.push(await sealwright.open(sealed));
  const time = performance.now() - start;
  if (!results.every((result) => result.join() === plain)) throw new Error(`${name}: wrong bytes`);
  return time;
}

/** How many more messages are opened before QUOTA; 5,000 where it does not come. */
async function opensUntilRefused(name: string): Promise<number> {
  const { sealed } = (globalThis as Prepared).messages[name]!;
  for (let made = 0; made < 5_000; made++) {
    try {
      await sealwright.open(sealed);
    } catch (error) {
      if ((error as { code?: string }).code === 'QUOTA') return made;
      throw error;
    }
  }
  return 5_000;
}
