import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserName, LaunchOptions, Tab } from './driver.ts';
import { PATIENCE_MS, poll } from './page-function.ts';

/** Of Debian's package libfaketime. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** How far the clock may be from what was set. */
const TOLERANCE_MS = 10_000;
const KEY = 'clock-of-a-test';

/** A wall clock of one browser alone. The machine's is left as it is, and so is the monotonic one. */
export interface BrowserClock {
  /** For `launch`. */
  readonly options: Partial<LaunchOptions>;
  /**
   * @param page of the extension
   * @param ms by which the clock is ahead of the machine's; negative: behind
   */
  set(page: Tab, ms: number): Promise<void>;
  remove(): Promise<void>;
}

/** Comes back when the page, whose process is the background's too, has that time. */
async function hasTaken(page: Tab, ms: number): Promise<void> {
  await poll(`a clock ${ms} ms ahead`, PATIENCE_MS, async () => {
    const ahead = (await page.evaluate(() => Date.now())) - Date.now();
    return Math.abs(ahead - ms) < TOLERANCE_MS || undefined;
  });
}

/** In Chromium: libfaketime answers the whole browser in place of the system. */
async function clockOfProcesses(folder: string): Promise<BrowserClock> {
  if (!existsSync(LIBRARY)) {
    throw new Error(`${LIBRARY} is missing: on Debian, apt-get install libfaketime`);
  }
  const file = join(folder, 'clock');
  const write = (ms: number) => writeFile(file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}\n`);
  await write(0);
  const environment = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Else it waits by another clock than the one that it leaves alone, and the browser hangs.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
    NO_FAKE_STAT: '1',
  };
  return {
    options: { environment },
    async set(page, ms) {
      await write(ms);
      await hasTaken(page, ms);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * In Firefox, which does not start under libfaketime: a build of the extension whose pages, the
 * background's among them, have another Date. What it adds is in their localStorage, which outlives them.
 */
async function clockOfPages(folder: string): Promise<BrowserClock> {
  await cp('dist/firefox', folder, { recursive: true });
  for (const name of ['background', 'popup', 'prompt', 'manager', 'fields-window']) {
    const path = join(folder, `${name}.js`);
    const change = `(${useOtherDate.toString()})(${JSON.stringify(KEY)});`;
    await writeFile(
      path,
      `{ const __name = (f) => f; ${change} }\n${await readFile(path, 'utf8')}`,
    );
  }
  return {
    options: { extensionFolder: folder },
    async set(page, ms) {
      await page.evaluate((key, ahead) => localStorage.setItem(key, String(ahead)), KEY, ms);
      await hasTaken(page, ms);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs in each page of the extension, before its own script. */
function useOtherDate(key: string): void {
  const System = Date;
  const now = (): number => System.now() + Number(localStorage.getItem(key) ?? 0);
  globalThis.Date = new Proxy(System, {
    construct: (_, args, target) =>
      Reflect.construct(System, args.length === 0 ? [now()] : args, target) as object,
    get: (_, name) => (name === 'now' ? now : (Reflect.get(System, name) as unknown)),
  });
}

/** Each browser has a clock of its own; `remove` it after the browser has ended. */
export async function browserClock(browser: BrowserName): Promise<BrowserClock> {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-clock-'));
  return browser === 'chromium' ? clockOfProcesses(folder) : clockOfPages(folder);
}
