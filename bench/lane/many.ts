import { median } from '../../src/engine/self-test/measure.ts';
import type { Tab } from '../../test/browser/drivers/driver.ts';
import { peakExtraBytes } from '../../test/browser/drivers/memory.ts';

/*
 * Many small messages: in one call, and from one site while another calls. What runs in a page is
 * sent there as text, so each function holds all that it needs.
 */

interface Api {
  seal(bytes: Uint8Array): Promise<Uint8Array>;
  sealMany(items: Uint8Array[], options?: Contexts): Promise<Outcome[]>;
  openMany(items: Uint8Array[], options?: Contexts): Promise<Outcome[]>;
}
interface Outcome {
  readonly ok: boolean;
  readonly value: Uint8Array;
}
/** One for all items, or one for each. */
interface Contexts {
  readonly context?: string;
  readonly contexts?: readonly string[];
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;
declare const echo: MessagePort;

/** As many as a page may have waiting. */
const WAITING = 10_000;

export interface BatchFigures {
  /** How many times the rate of single calls, one after the other, a batch has. */
  readonly batchSpeedup: number;
  /** Its rate over that of a bare echo of the same bytes over the same two ports. */
  readonly batchOverEcho: number;
}

/** The best of three turns of each: a batch and its echo are few long calls. */
export async function batchFigures(site: Tab, items: number): Promise<BatchFigures> {
  const times = await site.evaluate(async (count) => {
    const list = Array.from({ length: count }, (_, i) => new Uint8Array(1024).fill(i));
    const singles = Math.min(count, 500);
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const one = async (): Promise<void> => {
      for (let i = 0; i < singles; i++) await sealwright.seal(list[i]!);
    };
    const echoed = () =>
      new Promise((resolve) => {
        const bytes = new Uint8Array(count * 1024);
        echo.onmessage = resolve;
        echo.postMessage({ way: 'port', bytes }, [bytes.buffer]);
      });
    await sealwright.sealMany(list.slice(0, singles));
    const best = { single: Infinity, batch: Infinity, echo: Infinity };
    for (let turn = 0; turn < 3; turn++) {
      best.single = Math.min(best.single, (await timed(one)) / singles);
      best.batch = Math.min(best.batch, (await timed(() => sealwright.sealMany(list))) / count);
      best.echo = Math.min(best.echo, (await timed(echoed)) / count);
    }
    return best;
  }, items);
  return {
    batchSpeedup: times.single / times.batch,
    batchOverEcho: times.echo / times.batch,
  };
}

export interface RowFigures {
  /** How many times as long rows with a context of each take as the same rows under one context. */
  readonly sealOwnContexts: number;
  readonly openOwnContexts: number;
}

/** Rows of a table in one call, in turns, with contexts that are new in each turn. */
export async function rowFigures(site: Tab, rows: number): Promise<RowFigures> {
  const times = await site.evaluate(async (count) => {
    const list = Array.from({ length: count }, (_, i) => new Uint8Array(1024).fill(i));
    const taken = { seal: { one: [], own: [] }, open: { one: [], own: [] } } as Record<
      'seal' | 'open',
      Record<'one' | 'own', number[]>
    >;
    const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
      // A site may not call without a pause (service/calls/rate-limits.ts).
      await new Promise((resume) => setTimeout(resume, 1000));
      const start = performance.now();
      const result = await work();
      into.push(performance.now() - start);
      return result;
    };
    for (let turn = 0; turn < 9; turn++) {
      const ways = {
        one: { context: `table ${turn}` },
        own: { contexts: list.map((_, i) => `row ${i} of table ${turn}`) },
      };
      for (const way of ['one', 'own'] as const) {
        const sealed = await timed(taken.seal[way], () => sealwright.sealMany(list, ways[way]));
        const messages = sealed.map(({ value }) => value);
        const opened = await timed(taken.open[way], () => sealwright.openMany(messages, ways[way]));
        const isRight = opened.every(({ ok, value }, i) => ok && value[0] === list[i]![0]);
        if (!isRight) throw new Error('A row did not come back');
      }
    }
    return taken;
  }, rows);
  const over = ({ own, one }: typeof times.seal) => median(own) / median(one);
  return { sealOwnContexts: over(times.seal), openOwnContexts: over(times.open) };
}

export interface FloodFigures {
  /** How many times as long a call of another site takes, in the median over the whole flood. */
  readonly floodSlowdown: number;
  /** Calls that came to no answer, neither a result nor a refusal. */
  readonly floodLost: number;
  readonly floodRefused: number;
  /** Of the processes of extensions, and of all of the browser's, the flooding page's included. */
  readonly floodPeakBytes: number;
  readonly floodPeakBytesOfAll: number;
}

/** One site makes so many calls, as many at the same time as it may, while another calls on. */
export async function floodFigures(site: Tab, other: Tab, calls: number): Promise<FloodFigures> {
  await other.evaluate(timesOf, 100);
  const quietMs = median(await other.evaluate(timesOf, 300));
  let answers = { sealed: 0, refused: 0 };
  await other.evaluate(startCalling);
  const peak = await peakExtraBytes(async () => {
    answers = await site.evaluate(flood, calls, WAITING);
  });
  const floodedMs = median(await other.evaluate(endCalling));
  return {
    floodSlowdown: floodedMs / quietMs,
    floodLost: calls - answers.sealed - answers.refused,
    floodRefused: answers.refused,
    floodPeakBytes: peak.extensions,
    floodPeakBytesOfAll: peak.browser,
  };
}

/** In the page: keeps so many calls waiting until all have been made, and counts the answers. */
async function flood(calls: number, waiting: number): Promise<{ sealed: number; refused: number }> {
  const answers = { sealed: 0, refused: 0 };
  let made = 0;
  const one = async (): Promise<void> => {
    while (made < calls) {
      made++;
      try {
        const sealed = await sealwright.seal(new Uint8Array(16));
        if (sealed.length > 16) answers.sealed++;
      } catch (error) {
        if ((error as { code?: string }).code === 'QUOTA') answers.refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: waiting }, one));
  return answers;
}

/** In the page: milliseconds of so many calls of 16 bytes, one after the other. */
async function timesOf(calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    await sealwright.seal(new Uint8Array(16));
    times.push(performance.now() - start);
  }
  return times;
}

interface Calling {
  readonly times: number[];
  isOver: boolean;
}
type World = typeof globalThis & { calling: Calling };

/** In the page: the same without end. A flood takes a while to begin, so it is measured as a whole. */
function startCalling(): void {
  const calling: Calling = { times: [], isOver: false };
  (globalThis as World).calling = calling;
  const on = async (): Promise<void> => {
    while (!calling.isOver) {
      const start = performance.now();
      await sealwright.seal(new Uint8Array(16));
      calling.times.push(performance.now() - start);
    }
  };
  void on();
}

function endCalling(): number[] {
  const { calling } = globalThis as World;
  calling.isOver = true;
  return calling.times;
}
