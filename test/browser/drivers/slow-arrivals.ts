import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tab } from './driver.ts';
import { pageFunction } from './page-function.ts';

/*
 * The slow mode, with a seed in SLOW_ARRIVALS: messages of the background come late to the extension's own pages, as on a
 * busy machine, and a press there that does not meet what it is meant for fails its test at once.
 */
const SEED = process.env.SLOW_ARRIVALS;
/** The longest delay of a message, in ms. */
const LATE_MS = 400;
const SCRIPT = 'slow-arrivals.js';

/** Whether the extension has to be copied, to be changed. */
export const ARRIVES_SLOWLY = SEED !== undefined;

/** Changes a copy of the extension: each of its pages begins with a script that delays its messages. */
export async function delayMessages(folder: string): Promise<void> {
  const args = JSON.stringify(JSON.stringify([Number(SEED), LATE_MS]));
  await writeFile(join(folder, SCRIPT), `(${pageFunction(delayArrivals)})(${args});`);
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.html') || name === 'offscreen.html') continue;
    const page = await readFile(join(folder, name), 'utf8');
    const begun = page.replace('<head>', `<head><script src="${SCRIPT}"></script>`);
    await writeFile(join(folder, name), begun);
  }
}

interface Port {
  readonly onMessage: { addListener: (listener: (message: unknown) => void) => void };
}
interface Api {
  readonly runtime: { connect: (...how: never[]) => Port };
}
type Slow = typeof globalThis & {
  /** All that is on its way arrives. */
  arriveNow?: () => void;
  pressMet?: string;
};

/** Runs in a page before its scripts. Messages of one port keep their order. */
function delayArrivals(seed: number, lateMs: number): void {
  const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
  const { runtime } = (browser ?? chrome)!;
  let state = seed;
  const drawn = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const waiting: (() => void)[] = [];
  (globalThis as Slow).arriveNow = () => waiting.splice(0).forEach((arrive) => arrive());
  const connect = runtime.connect.bind(runtime);
  runtime.connect = (...how) => {
    const port = connect(...how);
    const add = port.onMessage.addListener.bind(port.onMessage);
    let due = 0;
    port.onMessage.addListener = (listener) =>
      add((message) => {
        const now = performance.now();
        due = Math.max(due, now + drawn() * lateMs);
        waiting.push(() => listener(message));
        setTimeout(() => waiting.shift()?.(), due - now);
      });
    return port;
  };
}

/**
 * Presses an element of a page, in a page of the extension as a slow person does: what is on its way arrives when the
 * pointer has been aimed.
 *
 * @throws Error that says what the press met, where that is something else
 */
export async function pressed(
  tab: Pick<Tab, 'evaluate' | 'clickAt'>,
  selector: string,
  press: () => Promise<void>,
): Promise<void> {
  const place = ARRIVES_SLOWLY && (await tab.evaluate(aim, selector));
  if (!place) return press();
  await tab.clickAt(...place);
  const met = await tab.evaluate(whatPressMet).catch(() => ''); // the press has closed the page
  if (met !== '') throw new Error(`the press on ${selector} met ${met}`);
}

/** Runs in a page. @returns the place to press; null in pages of others, which may keep events to themselves */
async function aim(selector: string): Promise<readonly [x: number, y: number] | null> {
  const page = globalThis as Slow;
  const wanted = document.querySelector(selector);
  delete page.pressMet;
  if (!wanted || !page.arriveNow) return null;
  wanted.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = wanted.getClientRects()[0]!;
  page.pressMet = 'nothing';
  const note = ({ target }: Event) => {
    const met = target as Element;
    const isLabel = met.closest('label')?.control === wanted;
    const isDrawnAnew = !wanted.isConnected && met.closest(selector) !== null;
    const isRight = wanted.contains(met) || isLabel || isDrawnAnew;
    page.pressMet = isRight ? '' : met.outerHTML.slice(0, 200);
  };
  addEventListener('click', note, { capture: true, once: true });
  page.arriveNow();
  for (let frames = 0; frames < 2; frames++) {
    await new Promise((resume) => {
      requestAnimationFrame(resume);
      setTimeout(resume, 100); // a window in the background has no frames
    });
  }
  return [left + width / 2, top + height / 2];
}

/** Runs in a page. @returns '' where the press has met what it was meant for, or another page */
async function whatPressMet(): Promise<string> {
  const page = globalThis as Slow;
  for (let left = 20; page.pressMet === 'nothing' && left > 0; left--) {
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return page.pressMet ?? '';
}
