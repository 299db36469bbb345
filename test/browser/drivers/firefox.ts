import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BidiConnection } from './bidi.ts';
import type { BrowserSession, LaunchOptions, Tab } from './driver.ts';
import { pageFunction, pageResult, poll } from './page-function.ts';

const EXECUTABLE = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
// A fixed host for the extension's pages, which Firefox otherwise draws at random.
const HOST = '11111111-2222-4333-8444-555555555555';

const PREFERENCES = (addonId: string, options: LaunchOptions) => ({
  'extensions.webextensions.uuids': JSON.stringify({ [addonId]: HOST }),
  // The test user says yes to every permission that the extension asks for after a click.
  'extensions.webextOptionalPermissionPrompts': options.allowedHosts.length === 0,
  // 0 is dark, 1 is light.
  'layout.css.prefers-color-scheme.content-override': options.colorScheme === 'dark' ? 0 : 1,
  'intl.locale.requested': 'en-US',
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
});

export async function launchFirefox(options: LaunchOptions): Promise<BrowserSession> {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-firefox-'));
  const manifest = JSON.parse(
    await readFile(join(options.extensionFolder, 'manifest.json'), 'utf8'),
  ) as { browser_specific_settings: { gecko: { id: string } } };
  const addonId = manifest.browser_specific_settings.gecko.id;
  const preferences = Object.entries(PREFERENCES(addonId, options))
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
    .join('\n');
  await writeFile(join(folder, 'user.js'), preferences);
  if (options.brokenIndexedDb) {
    const storage = join(folder, `storage/default/moz-extension+++${HOST}`);
    await mkdir(storage, { recursive: true });
    await writeFile(join(storage, 'idb'), 'not a folder');
  }
  const process_ = spawn(
    EXECUTABLE,
    [
      ...((options.headless ?? true) ? ['--headless'] : []),
      '--no-remote',
      '--profile',
      folder,
      '--remote-debugging-port',
      '0',
      '--remote-allow-system-access',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const connection = await BidiConnection.open(`${await listeningUrl(process_)}/session`);
  const session = await connection.send<{ capabilities: { browserVersion: string } }>(
    'session.new',
    { capabilities: {} },
  );
  const firefox = new FirefoxSession(connection, process_, folder, addonId, {
    extensionFolder: options.extensionFolder,
    version: session.capabilities.browserVersion,
  });
  await firefox.listen();
  await firefox.reloadExtension();
  for (const other of options.besides ?? []) await firefox.install(resolve(other));
  return firefox;
}

async function listeningUrl(browser: ChildProcess): Promise<string> {
  let log = '';
  for await (const chunk of browser.stderr!) {
    log += String(chunk);
    const match = /WebDriver BiDi listening on (ws:\S+)/.exec(log);
    if (match) {
      browser.stderr!.resume();
      return match[1]!;
    }
  }
  throw new Error(`Firefox did not start:\n${log}`);
}

interface ContextInfo {
  context: string;
  url: string;
  children: ContextInfo[] | null;
}

class FirefoxSession implements BrowserSession {
  readonly name = 'firefox';
  readonly version: string;
  readonly closed: Promise<void>;
  readonly uncaught: string[] = [];
  readonly #connection: BidiConnection;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #addonId: string;
  readonly #extensionFolder: string;

  constructor(
    connection: BidiConnection,
    process_: ChildProcess,
    folder: string,
    addonId: string,
    facts: { extensionFolder: string; version: string },
  ) {
    this.#connection = connection;
    this.#process = process_;
    this.closed = new Promise((gone) => process_.once('exit', () => gone()));
    this.#folder = folder;
    this.#addonId = addonId;
    this.#extensionFolder = facts.extensionFolder;
    this.version = `Firefox/${facts.version}`;
  }

  extensionUrl(path: string): string {
    return `moz-extension://${HOST}/${path}`;
  }

  /** Hears of errors from now on. */
  async listen(): Promise<void> {
    this.#connection.onEvent(({ params }) => {
      const { type, level, text } = params as { type: string; level: string; text: string };
      if (type === 'javascript' && level === 'error') this.uncaught.push(text);
    });
    await this.#connection.send('session.subscribe', { events: ['log.entryAdded'] });
  }

  newContainer = async () => {
    const { userContext } = await this.#connection.send<{ userContext: string }>(
      'browser.createUserContext',
      {},
    );
    return async (url: string): Promise<Tab> => {
      const tab = new FirefoxTab(this.#connection, await this.#newContext({ userContext }));
      await tab.goto(url);
      return tab;
    };
  };

  /** What the switch "Run in Private Windows" does, and a window of that kind. */
  async newPrivateTab(url: string): Promise<Tab> {
    await this.#privileged(`
      const { ExtensionPermissions } = ChromeUtils.importESModule(
        'resource://gre/modules/ExtensionPermissions.sys.mjs');
      await ExtensionPermissions.add(extension.id, {
        permissions: ['internal:privateBrowsingAllowed'], origins: [] }, extension);
      const { AddonManager } = ChromeUtils.importESModule(
        'resource://gre/modules/AddonManager.sys.mjs');
      await (await AddonManager.getAddonByID(extension.id)).reload();`);
    const known = new Set((await this.#contexts()).map(({ context }) => context));
    await this.#privileged('OpenBrowserWindow({ private: true });');
    const opened = await poll('a private window', 10_000, async () =>
      (await this.#contexts()).find(({ context }) => !known.has(context)),
    );
    const tab = new FirefoxTab(this.#connection, opened.context);
    // The window's own first page may still be on its way, and end the visit to another.
    await poll(url, 10_000, async () => {
      const isAborted = (error: unknown) => String(error).includes('NS_BINDING_ABORTED');
      return await tab.goto(url).then(
        () => true,
        (error: unknown) => {
          if (!isAborted(error)) throw error;
          return undefined;
        },
      );
    });
    return tab;
  }

  async newTab(url?: string): Promise<Tab> {
    const tab = new FirefoxTab(this.#connection, await this.#newContext());
    if (url !== undefined) await tab.goto(url);
    return tab;
  }

  /** Firefox's remote agent sometimes asks a new tab for its context before the tab has one. */
  async #newContext(more: object = {}, triesLeft = 3): Promise<string> {
    try {
      const { context } = await this.#connection.send<{ context: string }>(
        'browsingContext.create',
        { type: 'tab', ...more },
      );
      return context;
    } catch (error) {
      if (triesLeft === 0 || !String(error).includes('browsingContext is null')) throw error;
      return this.#newContext(more, triesLeft - 1);
    }
  }

  async openPopupFor(site: Tab): Promise<Tab> {
    const url = await site.url();
    const tabId = await this.#privileged<number>(`
      const tab = gBrowser.tabs.find((one) => one.linkedBrowser.currentURI.spec === ${JSON.stringify(url)});
      extension.tabManager.addActiveTabPermission(tab);
      return extension.tabManager.getWrapper(tab).id;`);
    return await this.newTab(this.extensionUrl(`popup.html?tab=${tabId}`));
  }

  async #contexts(): Promise<ContextInfo[]> {
    const tree = await this.#connection.send<{ contexts: ContextInfo[] }>(
      'browsingContext.getTree',
      { maxDepth: 0 },
    );
    return tree.contexts;
  }

  async waitForTab(part: string, timeoutMs = 10_000): Promise<Tab> {
    const context = await poll(`a window at ${part}`, timeoutMs, async () =>
      (await this.#contexts()).find(({ url }) => url.includes(part)),
    );
    await this.#connection.send('browsingContext.activate', { context: context.context });
    return new FirefoxTab(this.#connection, context.context);
  }

  async countTabs(part: string): Promise<number> {
    return (await this.#contexts()).filter(({ url }) => url.includes(part)).length;
  }

  async countFrames(url: string): Promise<number> {
    const { contexts } = await this.#connection.send<{ contexts: ContextInfo[] }>(
      'browsingContext.getTree',
      {},
    );
    const within = (one: ContextInfo): number =>
      (one.url === url ? 1 : 0) + (one.children ?? []).reduce((sum, c) => sum + within(c), 0);
    return contexts.reduce((sum, one) => sum + within(one), 0);
  }

  /** Runs privileged code in the browser's own window; `source` is the body of an async function. */
  async #privileged<Result>(source: string): Promise<Result> {
    const tree = await this.#connection.send<{ contexts: ContextInfo[] }>(
      'browsingContext.getTree',
      { 'moz:scope': 'chrome', maxDepth: 0 },
    );
    return await callIn<Result>(
      this.#connection,
      tree.contexts[0]!.context,
      `async (json) => {
        const { extension } = WebExtensionPolicy.getByID(${JSON.stringify(this.#addonId)});
        const result = await (async () => { ${source} })();
        return JSON.stringify({ result });
      }`,
      [],
    );
  }

  async killBackground(): Promise<void> {
    await this.#privileged('await extension.terminateBackground();');
  }

  async reloadExtension(): Promise<void> {
    await this.install(this.#extensionFolder);
  }

  async install(path: string): Promise<void> {
    await this.#connection.send('webExtension.install', { extensionData: { type: 'path', path } });
  }

  async manifestWarnings(): Promise<string[]> {
    return await this.#privileged<string[]>('return [...extension.warnings];');
  }

  async crash(): Promise<string> {
    this.#process.kill('SIGKILL');
    await this.closed;
    return this.#folder;
  }

  async close(): Promise<void> {
    await this.#connection.send('browser.close', {}).catch(() => this.#process.kill('SIGKILL'));
    await this.closed;
    this.#connection.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type ScriptResult =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };

async function callIn<Result>(
  connection: BidiConnection,
  context: string,
  source: string,
  args: unknown[],
): Promise<Result> {
  const reply = await connection.send<ScriptResult>('script.callFunction', {
    functionDeclaration: source,
    target: { context },
    awaitPromise: true,
    arguments: [{ type: 'string', value: JSON.stringify(args) }],
  });
  if (reply.type === 'exception') throw new Error(reply.exceptionDetails.text);
  return pageResult(reply.result.value) as Result;
}

// Code points of the WebDriver standard's table of keys.
const KEYS = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' } as const;
const CONTROL = '\uE009';

class FirefoxTab implements Tab {
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
      (wanted) => (document.querySelector(wanted)?.getClientRects().length ?? 0) > 0,
      timeoutMs === undefined ? {} : { timeoutMs },
      selector,
    );
  }

  async waitUntil<Args extends unknown[]>(
    condition: (...args: Args) => boolean,
    options: { timeoutMs?: number } = {},
    ...args: Args
  ): Promise<void> {
    let last: unknown;
    await poll(condition.toString(), options.timeoutMs ?? 10_000, async () => {
      try {
        return (await this.evaluate(condition, ...args)) ? true : undefined;
      } catch (error) {
        last = error; // The document may be in the middle of a navigation: try the next one.
        return undefined;
      }
    }).catch((error: unknown) => {
      throw last === undefined ? error : new Error(String(error), { cause: last });
    });
  }

  async #element(selector: string): Promise<{ sharedId: string }> {
    await this.waitFor(selector);
    await this.evaluate((wanted) => {
      document.querySelector(wanted)!.scrollIntoView({ block: 'center', behavior: 'instant' });
    }, selector);
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
    await this.#press({ x: 0, y: 0, origin: { type: 'element', element } });
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
    await this.click(selector);
    await this.#keys(Array.from(text));
  }

  async press(key: 'Tab' | 'Enter' | 'Escape'): Promise<void> {
    await this.#keys([KEYS[key]]);
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

  async frame(part: string): Promise<Tab> {
    const context = await poll(`a frame at ${part}`, 10_000, async () => {
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

  async setViewport(width: number, height: number): Promise<void> {
    await this.#connection.send('browsingContext.setViewport', {
      context: this.#context,
      viewport: { width, height },
    });
  }

  async close(): Promise<void> {
    await this.#connection.send('browsingContext.close', { context: this.#context });
  }
}
