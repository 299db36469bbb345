import { TimeoutError, type ElementHandle, type Page } from 'puppeteer-core';
import type { Frame, Paper, PressedKey, Tab } from './driver.ts';
import {
  PATIENCE_MS,
  pageFunction,
  pageResult,
  poll,
  pollInPage,
  withShown,
} from './page-function.ts';
import { pressed } from './slow-arrivals.ts';

export class ChromiumTab implements Tab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** A window that has just opened is found by its target's address, before its page has one. */
  url = () =>
    poll('the address of a page', PATIENCE_MS, () => Promise.resolve(this.page.url() || undefined));

  async goto(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: 'load' });
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'load' });
  }

  async evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return await evaluateIn(this.page, work, args);
  }

  async inject(source: string): Promise<void> {
    await this.page.evaluate(`${source};undefined`);
  }

  /**
   * By the protocol itself: Puppeteer knows of no forced colours. One emulation replaces the other, so the page's own
   * scheme goes into this one.
   */
  async forceColors(): Promise<void> {
    const isDark = await this.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    const features = [
      { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' },
      { name: 'forced-colors', value: 'active' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ];
    const session = await this.page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', { features });
  }

  /** Puppeteer alone takes for visible what a folded `details` hides, which has a box all the same. */
  async #element(selector: string, timeoutMs = PATIENCE_MS): Promise<ElementHandle> {
    const options = { visible: true, timeout: timeoutMs };
    return await poll(`${selector} to be visible`, timeoutMs, async () => {
      const found = await this.page
        .waitForSelector(selector, options)
        .catch(async (error: unknown) => {
          throw error instanceof TimeoutError ? await withShown(this, error) : error;
        });
      return (await found!.evaluate((one) => one.checkVisibility())) ? found! : undefined;
    });
  }

  async waitFor(selector: string, timeoutMs?: number): Promise<void> {
    await this.#element(selector, timeoutMs);
  }

  async waitUntil<Args extends unknown[]>(
    condition: (...args: Args) => boolean,
    options: { timeoutMs?: number } = {},
    ...args: Args
  ): Promise<void> {
    await pollInPage(this, condition, options, ...args);
  }

  /**
   * A view may be drawn anew between finding the element and the click: then once more. The window may close by the
   * click, before the browser has answered that the button was released: then it was.
   */
  async click(selector: string): Promise<void> {
    await poll(`a click on ${selector}`, PATIENCE_MS, () => this.#clicked(selector));
  }

  /** @returns undefined where the element was drawn anew between the look and the click */
  async #clicked(selector: string): Promise<true | undefined> {
    try {
      const element = await this.#element(selector);
      await pressed(this, selector, () => element.click());
      return true;
    } catch (error) {
      if (/dispatchMouseEvent\): Target closed/.test(String(error))) return true;
      if (/detached|not clickable/.test(String(error))) return undefined;
      throw error;
    }
  }

  async clickAt(x: number, y: number): Promise<void> {
    await this.page.mouse.click(x, y);
  }

  async type(selector: string, text: string): Promise<void> {
    await (await this.#element(selector)).type(text);
  }

  async typeAtFocus(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(key: PressedKey): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async compose(states: readonly string[]): Promise<void> {
    const protocol = await this.page.createCDPSession();
    const key = async (how: object, work: () => Promise<unknown>) => {
      await protocol.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...how });
      await work();
      await protocol.send('Input.dispatchKeyEvent', { type: 'keyUp', ...how });
    };
    for (const text of states) {
      const [selectionStart, selectionEnd] = [text.length, text.length];
      const composition = { text, selectionStart, selectionEnd };
      await key({ key: 'Process', windowsVirtualKeyCode: 229 }, () =>
        protocol.send('Input.imeSetComposition', composition),
      );
    }
    await key({ key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }, () =>
      protocol.send('Input.insertText', { text: states.at(-1)! }),
    );
    await protocol.detach();
  }

  async undo(): Promise<void> {
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('z');
    await this.page.keyboard.up('Control');
  }

  async frame(part: string): Promise<Frame> {
    const frame = await this.page.waitForFrame((one) => one.url().includes(part));
    return {
      evaluate: (work, ...args) => evaluateIn(frame, work, args),
      click: async (selector) =>
        (await frame.waitForSelector(selector, { visible: true }))!.click(),
      undo: () => this.undo(),
      waitForNamed: async (role, name) => {
        await frame.waitForSelector(`aria/${name}[role="${role}"]`);
      },
    };
  }

  async moveMouse(points: readonly (readonly [number, number])[]): Promise<void> {
    for (const [x, y] of points) await this.page.mouse.move(x, y);
  }

  async chooseFile(selector: string, path: string): Promise<void> {
    const input = (await this.page.waitForSelector(selector)) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  }

  async text(selector: string): Promise<string> {
    return await this.page.$eval(selector, (element) => element.textContent);
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path: path });
  }

  print(paper: Paper = 'A4'): Promise<Uint8Array> {
    return this.page.pdf({ format: paper });
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.page.setViewport({ width, height });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

async function evaluateIn<Args extends unknown[], Result>(
  place: Pick<Page, 'evaluate'>,
  work: (...args: Args) => Result | Promise<Result>,
  args: Args,
): Promise<Result> {
  const call = `(${pageFunction(work)})(${JSON.stringify(JSON.stringify(args))})`;
  return pageResult((await place.evaluate(call)) as string) as Result;
}

export function pageOf(tab: Tab): Page {
  if (!(tab instanceof ChromiumTab)) throw new TypeError('not a tab of this browser');
  return tab.page;
}
