import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import type { BrowserSession, LaunchOptions, Tab } from './driver.ts';
import { pageFunction, pageResult, poll } from './page-function.ts';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
// What keeps a fresh profile quiet on a machine without a network, and lets root run it.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=en-US',
];

export async function launchChromium(options: LaunchOptions): Promise<BrowserSession> {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-chromium-'));
  const extension = join(folder, 'extension');
  await cp(options.extensionFolder, extension, { recursive: true });
  if (options.brokenIndexedDb) {
    await mkdir(join(folder, 'profile/Default'), { recursive: true });
    await writeFile(join(folder, 'profile/Default/IndexedDB'), 'not a folder');
  }
  const browser = await puppeteer.launch({
    executablePath: EXECUTABLE,
    headless: options.headless ?? true,
    ...(options.headless === false && { defaultViewport: null }),
    pipe: true,
    enableExtensions: true,
    userDataDir: join(folder, 'profile'),
    args: ARGUMENTS,
    protocolTimeout: 120_000,
  });
  const id = await installWithHosts(browser, extension, options.allowedHosts);
  for (const other of options.besides ?? []) await browser.installExtension(resolve(other));
  await poll('the service worker', 10_000, async () => Promise.resolve(worker(browser, id)));
  return new ChromiumSession(browser, {
    ...{ id, extension, folder, version: await browser.version() },
    colorScheme: options.colorScheme ?? 'light',
  });
}

/**
 * Headless Chromium cannot answer a permission prompt. A permission that an extension once had as
 * a required one stays granted when it becomes optional: then `permissions.request` says yes.
 */
async function installWithHosts(browser: Browser, folder: string, hosts: readonly string[]) {
  if (hosts.length === 0) return await browser.installExtension(folder);
  const path = join(folder, 'manifest.json');
  const text = await readFile(path, 'utf8');
  const manifest = JSON.parse(text) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...manifest, host_permissions: hosts }));
  await browser.installExtension(folder);
  await writeFile(path, text);
  return await browser.installExtension(folder);
}

function worker(browser: Browser, id: string) {
  return browser
    .targets()
    .find(
      (t) =>
        (t.type() as string) === 'service_worker' &&
        t.url().startsWith(`chrome-extension://${id}/`),
    );
}

interface Facts {
  readonly id: string;
  readonly extension: string;
  readonly folder: string;
  readonly version: string;
  readonly colorScheme: 'light' | 'dark';
}

class ChromiumSession implements BrowserSession {
  readonly name = 'chromium';
  readonly newContainer = null;
  readonly uncaught: string[] = [];
  readonly version: string;
  readonly closed: Promise<void>;
  readonly #browser: Browser;
  readonly #id: string;
  readonly #extension: string;
  readonly #folder: string;
  readonly #colorScheme: string;

  constructor(browser: Browser, facts: Facts) {
    this.#browser = browser;
    this.closed = new Promise((gone) => browser.once('disconnected', gone));
    this.#id = facts.id;
    this.#extension = facts.extension;
    this.#folder = facts.folder;
    this.#colorScheme = facts.colorScheme;
    this.version = facts.version;
  }

  extensionUrl(path: string): string {
    return `chrome-extension://${this.#id}/${path}`;
  }

  async newTab(url?: string): Promise<Tab> {
    const tab = await this.#tab(await this.#browser.newPage());
    if (url !== undefined) await tab.goto(url);
    return tab;
  }

  async newPrivateTab(url: string): Promise<Tab> {
    await this.#manage(async (id) => {
      const { developerPrivate } = (globalThis as never as ChromeGlobal).chrome;
      await developerPrivate.updateExtensionConfiguration({
        extensionId: id,
        incognitoAccess: true,
      });
    });
    const context = await this.#browser.createBrowserContext();
    const tab = await this.#tab(await context.newPage());
    await tab.goto(url);
    return tab;
  }

  async openPopupFor(site: Tab): Promise<Tab> {
    if (!(site instanceof ChromiumTab)) throw new TypeError('not a tab of this browser');
    const { page } = site;
    await page.bringToFront();
    const extension = (await this.#browser.extensions()).get(this.#id);
    await extension!.triggerAction(page);
    return await this.waitForTab(this.extensionUrl('popup.html'));
  }

  async waitForTab(part: string, timeoutMs = 10_000): Promise<Tab> {
    const target = await this.#browser.waitForTarget((t) => t.url().includes(part), {
      timeout: timeoutMs,
    });
    const page = await target.asPage();
    // A headless window never has the system's focus; the prompt arms only when focused.
    await page.bringToFront();
    return await this.#tab(page);
  }

  async #tab(page: Page): Promise<ChromiumTab> {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: this.#colorScheme }]);
    page.on('pageerror', (error) => this.uncaught.push(String(error)));
    return new ChromiumTab(page);
  }

  countTabs(part: string): Promise<number> {
    return Promise.resolve(this.#browser.targets().filter((t) => t.url().includes(part)).length);
  }

  async countFrames(url: string): Promise<number> {
    const pages = await this.#browser.pages();
    return pages.flatMap((page) => page.frames()).filter((frame) => frame.url() === url).length;
  }

  async killBackground(): Promise<void> {
    const running = await worker(this.#browser, this.#id)?.worker();
    await running?.close().catch((error: unknown) => {
      // It was on its way out already: the protocol lost it before or between two messages.
      if (!/No (target|session) with given id/.test(String(error))) throw error;
    });
  }

  async reloadExtension(): Promise<void> {
    await this.#browser.installExtension(this.#extension);
  }

  async manifestWarnings(): Promise<string[]> {
    return await this.#manage(async (id) => {
      const api = (globalThis as never as ChromeGlobal).chrome.developerPrivate;
      await api.updateProfileConfiguration({ inDeveloperMode: true });
      const all = await api.getExtensionsInfo({});
      return all.find((one) => one.id === id)?.manifestErrors.map((e) => e.message) ?? [];
    });
  }

  /** Runs `work` in the browser's own page of extensions. */
  async #manage<Result>(work: (id: string) => Promise<Result>): Promise<Result> {
    const page = await this.#browser.newPage();
    await page.goto('chrome://extensions');
    const result = await page.evaluate(work, this.#id);
    await page.close();
    return result;
  }

  async crash(): Promise<string> {
    this.#browser.process()!.kill('SIGKILL');
    await this.closed;
    return this.#folder;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface ChromeGlobal {
  readonly chrome: { readonly developerPrivate: DeveloperPrivate };
}

interface DeveloperPrivate {
  updateExtensionConfiguration(update: {
    extensionId: string;
    incognitoAccess: boolean;
  }): Promise<void>;
  updateProfileConfiguration(update: { inDeveloperMode: boolean }): Promise<void>;
  getExtensionsInfo(
    options: object,
  ): Promise<{ id: string; manifestErrors: { message: string }[] }[]>;
}

/** What a virtual authenticator can (CDP, WebAuthn.VirtualAuthenticatorOptions). */
export interface Authenticator {
  /** Whether it has a PRF at all, and one that is evaluated when a passkey is made. */
  readonly prf: 'no' | 'for-known-passkeys' | 'at-once';
}

/** A virtual authenticator for one tab, whose user agrees to everything. */
export async function addAuthenticator(tab: Tab, { prf }: Authenticator): Promise<void> {
  if (!(tab instanceof ChromiumTab)) throw new TypeError('not a tab of this browser');
  const protocol = await tab.page.createCDPSession();
  await protocol.send('WebAuthn.enable', { enableUI: false });
  const options = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: prf === 'at-once' ? 'internal' : 'usb',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    hasPrf: prf === 'at-once',
    hasHmacSecret: prf === 'for-known-passkeys',
  } as const;
  await protocol.send('WebAuthn.addVirtualAuthenticator', { options });
}

/** Evaluates an expression in the extension's own world of a page. @returns its value, as JSON */
export async function inContentScript(tab: Tab, expression: string): Promise<unknown> {
  if (!(tab instanceof ChromiumTab)) throw new TypeError('not a tab of this browser');
  const protocol = await tab.page.createCDPSession();
  const contextId = await new Promise<number>((found) => {
    protocol.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.origin.startsWith('chrome-extension:')) found(context.id);
    });
    void protocol.send('Runtime.enable');
  });
  const how = { expression, contextId, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await protocol.send('Runtime.evaluate', how);
  await protocol.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'failed');
  return result.value as unknown;
}

/** What the main thread of a page has worked so far, in seconds. */
export async function taskSeconds(tab: Tab): Promise<number> {
  if (!(tab instanceof ChromiumTab)) throw new TypeError('not a tab of this browser');
  return (await tab.page.metrics()).TaskDuration!;
}

class ChromiumTab implements Tab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  url = () => Promise.resolve(this.page.url());

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
    const call = `(${pageFunction(work)})(${JSON.stringify(JSON.stringify(args))})`;
    return pageResult((await this.page.evaluate(call)) as string) as Result;
  }

  async inject(source: string): Promise<void> {
    await this.page.evaluate(`${source};undefined`);
  }

  async #element(selector: string, timeoutMs = 10_000): Promise<ElementHandle> {
    const found = await this.page.waitForSelector(selector, { visible: true, timeout: timeoutMs });
    return found!;
  }

  async waitFor(selector: string, timeoutMs?: number): Promise<void> {
    await this.#element(selector, timeoutMs);
  }

  async waitUntil<Args extends unknown[]>(
    condition: (...args: Args) => boolean,
    options: { timeoutMs?: number } = {},
    ...args: Args
  ): Promise<void> {
    await poll(condition.toString(), options.timeoutMs ?? 10_000, async () =>
      (await this.evaluate(condition, ...args)) ? true : undefined,
    );
  }

  async click(selector: string): Promise<void> {
    await (await this.#element(selector)).click();
  }

  async clickAt(x: number, y: number): Promise<void> {
    await this.page.mouse.click(x, y);
  }

  async type(selector: string, text: string): Promise<void> {
    await (await this.#element(selector)).type(text);
  }

  async press(key: 'Tab' | 'Enter' | 'Escape'): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async undo(): Promise<void> {
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('z');
    await this.page.keyboard.up('Control');
  }

  async frame(part: string): Promise<Pick<Tab, 'click' | 'undo'>> {
    const frame = await this.page.waitForFrame((one) => one.url().includes(part));
    return {
      click: async (selector) =>
        (await frame.waitForSelector(selector, { visible: true }))!.click(),
      undo: () => this.undo(),
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

  async setViewport(width: number, height: number): Promise<void> {
    await this.page.setViewport({ width, height });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
