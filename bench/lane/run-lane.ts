import { setTimeout as pause } from 'node:timers/promises';
import { IN_PLACE_BYTES } from '../../src/rpc/methods/content.ts';
import { MESSAGE_KEY_QUOTA } from '../../src/service/messages/one-message-keys.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import type { BrowserName, BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';
import { serve } from '../../test/browser/server.ts';
import { connect, createVault, openEnabledSite } from '../../test/browser/steps.ts';
import type { BrowserRun } from '../suite.ts';
import type { Result, Row } from '../row.ts';
import { prepare, timeCalls } from './in-page.ts';
import { countingFigures } from './counting.ts';
import { deathsSurvived } from './deaths.ts';
import { documentFigures } from './documents.ts';
import { idleFigures } from './idle.ts';
import { batchFigures, floodFigures, rowFigures } from './many.ts';
import { peakExtraBytes } from '../../test/browser/drivers/memory.ts';
import {
  ECHO,
  ECHO_OF_16,
  JSON_BASE64,
  laneRow,
  OURS,
  OURS_BOTH,
  TASKS,
  WEBCRYPTO,
  WEBCRYPTO_CHUNKS,
  WEBCRYPTO_SAME,
  WEBCRYPTO_STREAM,
} from './task.ts';
import type { LaneTask } from './task.ts';

const ECHO_EXTENSION = 'bench/lane/echo-extension';
const NAMES = {
  ours: OURS,
  both: OURS_BOTH,
  native: WEBCRYPTO,
  chunks: WEBCRYPTO_CHUNKS,
  stream: WEBCRYPTO_STREAM,
  same: WEBCRYPTO_SAME,
  echo: ECHO,
  small: ECHO_OF_16,
  json: JSON_BASE64,
};
const LATENCY_CALLS = 1_000;
/** Until the engines have compiled what a call runs through: in ours, and in the echo. */
const WARM_UP_CALLS = 1_500;
/** Before each row, of each contender: the figures are those of warm calls, and `open` comes in a new document. */
const ROW_WARM_UP = { calls: 300, ms: 400 };
const TABLE_ROWS = 1000;
const BATCH_ITEMS = 10_000;
const FLOOD_CALLS = 100_000;
const DOCUMENTS = { messages: 500, bytes: 2 ** 18 };
const MIB = 2 ** 20;

/**
 * The built extension in a page, beside what the page could do itself and what other extensions do;
 * everybody takes turns, round after round. The memory of streams is measured in browsers of their own:
 * after other rows it depends on what those have left to be collected.
 */
export const runLane: BrowserRun = async (name, { rounds, minimumMs, largest }, tell) => {
  // A stream of the page is made of pieces of a MiB.
  const streamBytes = Math.max(MIB, Math.min(largest, 1024 * MIB));
  const memory = await streamMemory(name, streamBytes);
  const counting = await countingFigures(name);
  return await inBrowser(name, async (scene) => {
    const { session, other, openSite } = scene;
    let { site } = scene;
    const tasks = TASKS.filter(({ bytes }) => bytes <= largest);
    for (const [index, task] of tasks.entries()) {
      if (task.operation === 'open') {
        await site.close();
        site = await openSite();
      }
      // The keys of the row before count for a minute.
      if (takesKeys(task)) await pause(MESSAGE_KEY_QUOTA.withinMs);
      await site.evaluate(prepare, task, NAMES);
      const row = await measuredRow(site, task, { rounds, minimumMs });
      tell({ row, progress: (index + 1) / tasks.length });
    }
    const lane = {
      latency: await latencies(site, 'seal'),
      openLatency: await latencies(site, 'open'),
      streamBytes,
      ...memory,
      counting,
      streamDeaths: await deathsSurvived(session, site, streamBytes),
      ...(await batches(site)),
      ...(await rowFigures(site, TABLE_ROWS)),
      ...(await floodFigures(site, other, FLOOD_CALLS)),
      ...(await documents(openSite)),
      idle: await idleFigures(session, other),
    };
    return { platform: session.version, extras: { lane } };
  });
};

interface Scene {
  readonly session: BrowserSession;
  readonly site: Tab;
  /** A page of another site. */
  readonly other: Tab;
  /** Another page of the first site. */
  readonly openSite: () => Promise<Tab>;
}

/** Runs in a new browser, with two sites that may seal and open. Isolated, because a page's clock is finer then. */
async function inBrowser<T>(name: BrowserName, work: (scene: Scene) => Promise<T>): Promise<T> {
  const server = await serve('test/browser/fixtures');
  const session = await launch(name, { besides: [ECHO_EXTENSION] });
  try {
    await createVault(session);
    const openSite = () => openEnabledSite(session, `${server.origin}/blank.html?isolated`);
    const site = await openSite();
    await connect(session, site);
    const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?isolated`);
    await connect(session, other);
    return await work({ session, site, other, openSite });
  } finally {
    await session.close();
    await server.close();
  }
}

async function streamMemory(name: BrowserName, bytes: number) {
  const peak = (contender: string) =>
    inBrowser(name, ({ site }) => streamPeakBytes(site, contender, bytes));
  return {
    streamPeakBytes: await peak(OURS),
    nativeStreamPeakBytes: await peak(WEBCRYPTO_STREAM),
    openStreamPeakBytes: await peak(OURS_BOTH),
  };
}

async function measuredRow(
  site: Tab,
  task: LaneTask,
  { rounds, minimumMs }: { rounds: number; minimumMs: number },
): Promise<Row> {
  const times = new Map(task.names.map((name) => [name, [] as number[]]));
  const calls = new Map<string, number>();
  for (const name of task.names) {
    const first = Math.min(...(await site.evaluate(timeCalls, name, 2)));
    const warmUp = Math.min(ROW_WARM_UP.calls, Math.floor(ROW_WARM_UP.ms / Math.max(first, 0.02)));
    if (warmUp > 0) await site.evaluate(timeCalls, name, warmUp);
    const wanted = Math.max(1, Math.ceil(minimumMs / Math.max(first, 0.02)));
    calls.set(name, takesKeys(task) ? Math.min(wanted, mostCalls(rounds)) : wanted);
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < task.names.length; turn++) {
      const name = task.names[(turn + round) % task.names.length]!;
      const list = await site.evaluate(timeCalls, name, calls.get(name)!);
      times.get(name)!.push(sum(list) / list.length / 1e3);
    }
  }
  const results = task.names.map((name) => resultOf(name, times.get(name)!));
  const { operation, bytes, contextBytes } = task;
  return { ...laneRow(operation, bytes, contextBytes), bytes, results };
}

/** Longer messages are sealed and opened in the page's process. */
const takesKeys = ({ bytes }: LaneTask): boolean => bytes >= IN_PLACE_BYTES;

/** So few that the page gets a key for each: beyond, messages are sealed and opened in the background. */
const mostCalls = (rounds: number): number =>
  Math.floor((MESSAGE_KEY_QUOTA.perScope.replaces - ROW_WARM_UP.calls) / (rounds + 1));

function resultOf(name: string, rounds: readonly number[]): Result {
  const kind = name === OURS ? 'ours' : 'native';
  return { name, kind, rounds, median: quantile(rounds, 0.5), best: Math.min(...rounds) };
}

/** Of a call of 16 bytes and of a bare echo, call by call in turns, when both are warm. */
async function latencies(site: Tab, operation: 'seal' | 'open') {
  const task = { operation, bytes: 16, contextBytes: 0, names: [OURS, ECHO] };
  await site.evaluate(prepare, task, NAMES);
  for (const name of [OURS, ECHO]) await site.evaluate(timeCalls, name, WARM_UP_CALLS);
  const lists: Record<string, number[]> = { [OURS]: [], [ECHO]: [] };
  for (let turn = 0; turn < LATENCY_CALLS / 50; turn++) {
    for (const name of [OURS, ECHO]) {
      lists[name]!.push(...(await site.evaluate(timeCalls, name, 50)));
    }
  }
  return Object.entries(lists).map(([name, list]) => ({
    name,
    medianMs: quantile(list, 0.5),
    p99Ms: quantile(list, 0.99),
  }));
}

/** With a line to the echo that is not older than its background. */
async function batches(site: Tab) {
  await site.evaluate(
    prepare,
    { operation: 'seal', bytes: 1024, contextBytes: 0, names: [ECHO] },
    NAMES,
  );
  return await batchFigures(site, BATCH_ITEMS);
}

/** What all processes of the browser take more while a stream is sealed, and dropped. */
async function streamPeakBytes(site: Tab, name: string, bytes: number): Promise<number> {
  const task: LaneTask = { operation: 'sealStream', bytes, contextBytes: 0, names: [name] };
  await site.evaluate(prepare, task, NAMES);
  const { browser } = await peakExtraBytes(() => site.evaluate(timeCalls, name, 1));
  return browser;
}

/** In a document of its own, which has been given no keys yet. */
async function documents(open: () => Promise<Tab>) {
  const site = await open();
  try {
    const { messages, bytes } = DOCUMENTS;
    return await documentFigures(site, messages, bytes);
  } finally {
    await site.close();
  }
}

function quantile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
