import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ChromiumTab, pageOf } from './chromium-tab.ts';
import { copyWithFunctions } from './content-script-calls.ts';
import { opensWelcome, WELCOME_PAGE } from './driver.ts';
import type { BrowserSession, LaunchOptions, Tab } from './driver.ts';
import { PATIENCE_MS, poll } from './page-function.ts';

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
  const folder = options.profile ?? (await mkdtemp(join(tmpdir(), 'sealwright-chromium-')));
  const extension = join(folder, 'extension');
  await copyWithFunctions(options.extensionFolder, extension, options.contentScriptFunctions ?? {});
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
    ...(options.backForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    userDataDir: join(folder, 'profile'),
    args: [...ARGUMENTS, ...(options.switches?.chromium ?? [])],
    env: { ...process.env, ...options.environment },
    protocolTimeout: 120_000,
  });
  const id = await installWithHosts(browser, extension, options);
  for (const other of options.besides ?? []) await browser.installExtension(resolve(other));
  await poll('the service worker', PATIENCE_MS, async () => Promise.resolve(worker(browser, id)));
  return new ChromiumSession(browser, {
    id,
    extension,
    folder,
    version: await browser.version(),
    colorScheme: options.colorScheme ?? 'light',
  });
}

/**
 * Headless Chromium cannot answer a permission prompt. A permission that an extension once had as
 * a required one stays granted when it becomes optional: then `permissions.request` says yes.
 */
async function installWithHosts(browser: Browser, folder: string, options: LaunchOptions) {
  const { allowedHosts: hosts } = options;
  if (hosts.length === 0) return await installFirst(browser, folder, options);
  const path = join(folder, 'manifest.json');
  const text = await readFile(path, 'utf8');
  const manifest = JSON.parse(text) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...manifest, host_permissions: hosts }));
  await installFirst(browser, folder, options);
  await writeFile(path, text);
  return await browser.installExtension(folder);
}

/** Installs the extension, and closes the tab that it opens in a new profile. */
async function installFirst(browser: Browser, folder: string, options: LaunchOptions) {
  const id = await browser.installExtension(folder);
  if (!opensWelcome(options)) return id;
  const timeout = PATIENCE_MS;
  const opened = await browser.waitForTarget((t) => t.url().endsWith(WELCOME_PAGE), { timeout });
  await (await opened.asPage()).close();
  return id;
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
  readonly allowPrivateWindows = null;
  readonly clearBrowsingData = null;
  readonly evictExtension = null;
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
      // It is loaded anew for that, and without this mode no extension is that is not from the store.
      await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
      await developerPrivate.updateExtensionConfiguration({
        extensionId: id,
        incognitoAccess: true,
      });
    });
    await this.#isBack();
    const context = await this.#browser.createBrowserContext();
    const tab = await this.#tab(await context.newPage());
    await tab.goto(url);
    return tab;
  }

  async #isBack(): Promise<void> {
    const page = await this.#browser.newPage();
    const open = () => page.goto(this.extensionUrl('manifest.json'));
    await poll('the extension', PATIENCE_MS, () =>
      open().then(
        () => true,
        () => undefined, // blocked, as long as it is not there
      ),
    );
    await page.close();
  }

  async openPopupFor(site: Tab): Promise<Tab> {
    const page = pageOf(site);
    await page.bringToFront();
    const extension = (await this.#browser.extensions()).get(this.#id);
    await extension!.triggerAction(page);
    return await this.waitForTab(this.extensionUrl('popup.html'));
  }

  async waitForTab(part: string, timeoutMs = PATIENCE_MS): Promise<Tab> {
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
    // The test user leaves pages that ask whether to.
    page.on('dialog', (dialog) => dialog.type() === 'beforeunload' && void dialog.accept());
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
    const target = worker(this.#browser, this.#id);
    const running = await target?.worker();
    await running?.close().catch((error: unknown) => {
      // It was on its way out already: the protocol lost it before or between two messages.
      if (!/No (target|session) with given id/.test(String(error))) throw error;
    });
    // The answer may come before the end, which takes milliseconds. What is there after a second has started again: a worker
    // that starts at once keeps its target. A session would tell, but such a worker would wait for its debugger.
    const deadline = Date.now() + 1_000;
    while (target && this.#browser.targets().includes(target) && Date.now() < deadline) {
      await new Promise((resume) => setTimeout(resume, 10));
    }
  }

  /** What is granted in the browser's own page of extensions is not asked for again. */
  async willAllow(host: string): Promise<void> {
    await this.#manage((id, wanted) => {
      const { developerPrivate } = (globalThis as never as ChromeGlobal).chrome;
      return developerPrivate.addHostPermission(id, wanted);
    }, host);
  }

  async switchExtension(isOn: boolean): Promise<void> {
    const wanted = isOn ? 'on' : '';
    await this.#manage((id, on) => {
      const { management } = (globalThis as never as ChromeGlobal).chrome;
      return management.setEnabled(id, on !== '');
    }, wanted);
  }

  async removeExtension(): Promise<void> {
    await this.#browser.uninstallExtension(this.#id);
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
  async #manage<Result>(
    work: (id: string, argument: string) => Promise<Result>,
    argument = '',
  ): Promise<Result> {
    const page = await this.#browser.newPage();
    await page.goto('chrome://extensions');
    const result = await page.evaluate(work, this.#id, argument);
    await page.close();
    return result;
  }

  get profile(): string {
    return this.#folder;
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
  readonly chrome: {
    readonly developerPrivate: DeveloperPrivate;
    readonly management: { setEnabled(id: string, isEnabled: boolean): Promise<void> };
  };
}

interface DeveloperPrivate {
  updateExtensionConfiguration(update: {
    extensionId: string;
    incognitoAccess: boolean;
  }): Promise<void>;
  addHostPermission(extensionId: string, host: string): Promise<void>;
  updateProfileConfiguration(update: { inDeveloperMode: boolean }): Promise<void>;
  getExtensionsInfo(
    options: object,
  ): Promise<{ id: string; manifestErrors: { message: string }[] }[]>;
}
