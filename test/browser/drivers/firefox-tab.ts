import { writeFile } from 'node:fs/promises';
import { callIn, callPrivileged, type BidiConnection, type ContextInfo } from './bidi.ts';
import { caretToEnd, hasFocus } from './caret.ts';
import type { Frame, Paper, PressedKey, Tab } from './driver.ts';
import { PATIENCE_MS, pageFunction, poll, pollInPage, scrollToRest } from './page-function.ts';
import { pressed } from './slow-arrivals.ts';

/** Until the field has the focus. */
const CLICKS = 5;

// Code points of the WebDriver standard's table of keys.
const KEYS: Readonly<Record<PressedKey, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
};
const CONTROL = '\uE009';

/** Width and height in cm. */
const PAPERS = {
  A4: { width: 21, height: 29.7 },
  Letter: { width: 21.59, height: 27.94 },
} as const satisfies Record<Paper, object>;

export class FirefoxTab implements Tab {
  readonly #connection: BidiConnection;
  readonly #context: string;

  constructor(connection: BidiConnection, context: string) {
    this.#connection = connection;
    this.#context = context;
  }

  url = async (): Promise<string> => {
    const tree = await this.#connection.send<{ contexts: ContextInfo[] }>(
      'browsingContext.getTree',
      { root: this.#context, maxDepth: 0 },
    );
    return tree.contexts[0]!.url;
  };

  async goto(url: string): Promise<void> {
    // Pages of an extension never report their load event here.
    const wait = url.startsWith('moz-extension:') ? 'none' : 'complete';
    await this.#connection.send('browsingContext.navigate', { context: this.#context, url, wait });
    await this.waitUntil(
      (expected) => location.href.startsWith(expected) && document.readyState === 'complete',
      {},
      url,
    );
  }

  async reload(): Promise<void> {
    await this.#connection.send('browsingContext.reload', {
      context: this.#context,
      wait: 'complete',
    });
  }

  async evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return await callIn<Result>(this.#connection, this.#context, pageFunction(work), args);
  }

  async inject(source: string): Promise<void> {
    const wrapped = `async () => { ${source}; return JSON.stringify({}); }`;
    await callIn(this.#connection, this.#context, wrapped, []);
  }

  async waitFor(selector: string, timeoutMs?: number): Promise<void> {
    await this.waitUntil(
      (wanted) => document.querySelector(wanted)?.checkVisibility() === true,
      timeoutMs === undefined ? {} : { timeoutMs },
      selector,
    );
  }

  async waitUntil<Args extends unknown[]>(
    condition: (...args: Args) => boolean,
    options: { timeoutMs?: number } = {},
    ...args: Args
  ): Promise<void> {
    await pollInPage(this, condition, options, ...args);
  }

  async #element(selector: string): Promise<{ sharedId: string }> {
    await this.waitFor(selector);
    await this.evaluate(scrollToRest, selector);
    const { nodes } = await this.#connection.send<{ nodes: { sharedId: string }[] }>(
      'browsingContext.locateNodes',
      { context: this.#context, locator: { type: 'css', value: selector }, maxNodeCount: 1 },
    );
    return { sharedId: nodes[0]!.sharedId };
  }

  async #actions(source: object): Promise<void> {
    await this.#connection.send('input.performActions', {
      context: this.#context,
      actions: [source],
    });
  }

  /** A page that still grows may move the element after it was scrolled to: then once more. */
  async click(selector: string): Promise<void> {
    await this.#clickOnce(selector).catch(async (error: unknown) => {
      if (!String(error).includes('out of bounds')) throw error;
      await this.#clickOnce(selector);
    });
  }

  async #clickOnce(selector: string): Promise<void> {
    const element = await this.#element(selector);
    const place = { x: 0, y: 0, origin: { type: 'element', element } };
    await pressed(this, selector, () => this.#press(place));
  }

  async clickAt(x: number, y: number): Promise<void> {
    await this.#press({ x: Math.round(x), y: Math.round(y) });
  }

  async #press(place: object): Promise<void> {
    await this.#actions({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', ...place },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    });
  }

  async type(selector: string, text: string): Promise<void> {
    // A page that still grows may move the field away between the move of the pointer and its press.
    for (let left = CLICKS; left > 0; left--) {
      await this.click(selector);
      if (await this.evaluate(hasFocus, selector)) break;
    }
    await this.evaluate(caretToEnd);
    await this.#keys(Array.from(text));
  }

  async typeAtFocus(text: string): Promise<void> {
    await this.#keys(Array.from(text));
  }

  async press(key: PressedKey): Promise<void> {
    await this.#keys([KEYS[key]]);
  }

  /**
   * By Firefox's own interface for input methods: WebDriver BiDi has no compositions. The page's process gets it later;
   * key strokes of WebDriver are made there, and are lost while it composes.
   */
  async compose(states: readonly string[]): Promise<void> {
    await callPrivileged(
      this.#connection,
      `const processor = Cc['@mozilla.org/text-input-processor;1'].createInstance(
        Ci.nsITextInputProcessor);
      if (!processor.beginInputTransactionForTests(window)) throw new Error('another one composes');
      const key = (name) => new KeyboardEvent('', { key: name });
      for (const state of ${JSON.stringify(states)}) {
        processor.setPendingCompositionString(state);
        processor.appendClauseToPendingComposition(state.length, processor.ATTR_RAW_CLAUSE);
        processor.setCaretInPendingComposition(state.length);
        processor.flushPendingComposition(key(state.at(-1)));
      }
      processor.commitComposition(key('Enter'), processor.KEY_DONT_MARK_KEYDOWN_AS_PROCESSED);`,
    );
  }

  async undo(): Promise<void> {
    const keys = [
      ...[CONTROL, 'z'].map((value) => ({ type: 'keyDown', value })),
      ...['z', CONTROL].map((value) => ({ type: 'keyUp', value })),
    ];
    await this.#actions({ type: 'key', id: 'keyboard', actions: keys });
  }

  async #keys(values: string[]): Promise<void> {
    const strokes = values.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#actions({ type: 'key', id: 'keyboard', actions: strokes });
  }

  async waitForNamed(role: string, name: string): Promise<void> {
    const locator = { type: 'accessibility', value: { role, name } };
    await poll(`${role} "${name}"`, PATIENCE_MS, async () => {
      const { nodes } = await this.#connection.send<{ nodes: unknown[] }>(
        'browsingContext.locateNodes',
        { context: this.#context, locator },
      );
      return nodes[0];
    });
  }

  async frame(part: string): Promise<Frame> {
    const context = await poll(`a frame at ${part}`, PATIENCE_MS, async () => {
      const { contexts } = await this.#connection.send<{ contexts: ContextInfo[] }>(
        'browsingContext.getTree',
        { root: this.#context },
      );
      return contexts[0]!.children!.find(({ url }) => url.includes(part));
    });
    return new FirefoxTab(this.#connection, context.context);
  }

  async moveMouse(points: readonly (readonly [number, number])[]): Promise<void> {
    const moves = points.map(([x, y]) => ({ type: 'pointerMove', x, y, duration: 5 }));
    await this.#actions({ type: 'pointer', id: 'mouse', actions: moves });
  }

  async chooseFile(selector: string, path: string): Promise<void> {
    const { nodes } = await this.#connection.send<{ nodes: { sharedId: string }[] }>(
      'browsingContext.locateNodes',
      { context: this.#context, locator: { type: 'css', value: selector }, maxNodeCount: 1 },
    );
    await this.#connection.send('input.setFiles', {
      context: this.#context,
      element: { sharedId: nodes[0]!.sharedId },
      files: [path],
    });
  }

  async text(selector: string): Promise<string> {
    return await this.evaluate(
      (wanted) => document.querySelector(wanted)?.textContent ?? '',
      selector,
    );
  }

  async screenshot(path: string): Promise<void> {
    const { data } = await this.#connection.send<{ data: string }>(
      'browsingContext.captureScreenshot',
      { context: this.#context },
    );
    await writeFile(path, Buffer.from(data, 'base64'));
  }

  async print(paper: Paper = 'A4'): Promise<Uint8Array> {
    const page = PAPERS[paper];
    const { data } = await this.#connection.send<{ data: string }>('browsingContext.print', {
      context: this.#context,
      page,
    });
    return Buffer.from(data, 'base64');
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.#connection.send('browsingContext.setViewport', {
      context: this.#context,
      viewport: { width, height },
    });
  }

  async close(): Promise<void> {
    // A window may have closed itself since it was listed.
    await this.#connection
      .send('browsingContext.close', { context: this.#context })
      .catch((error: unknown) => {
        if (!String(error).includes('no such frame')) throw error;
      });
  }
}
