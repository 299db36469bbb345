import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { callPrivileged, type BidiConnection, type ContextInfo } from './bidi.ts';
import type { BrowserSession, Tab } from './driver.ts';
import { FirefoxTab } from './firefox-tab.ts';
import { PATIENCE_MS, poll } from './page-function.ts';

/** For a visit that may have to be begun again. */
const NAVIGATION_MS = 5_000;

export interface FirefoxFacts {
  /** The profile's. */
  readonly folder: string;
  readonly addonId: string;
  /** Of the extension's pages. */
  readonly host: string;
  readonly extensionFolder: string;
  readonly version: string;
}

export class FirefoxSession implements BrowserSession {
  readonly name = 'firefox';
  readonly version: string;
  readonly closed: Promise<void>;
  readonly uncaught: string[] = [];
  readonly #connection: BidiConnection;
  readonly #process: ChildProcess;
  readonly #facts: FirefoxFacts;
  /** The tab that the browser began with; nothing closes it. */
  #firstContext: string | undefined;

  constructor(connection: BidiConnection, process_: ChildProcess, facts: FirefoxFacts) {
    this.#connection = connection;
    this.#process = process_;
    this.closed = new Promise((gone) => process_.once('exit', () => gone()));
    this.#facts = facts;
    this.version = facts.version;
  }

  extensionUrl(path: string): string {
    return `moz-extension://${this.#facts.host}/${path}`;
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

  /** What the switch "Run in Private Windows" does. */
  allowPrivateWindows = async (): Promise<void> => {
    await this.#privileged(`
      const { ExtensionPermissions } = ChromeUtils.importESModule(
        'resource://gre/modules/ExtensionPermissions.sys.mjs');
      await ExtensionPermissions.add(extension.id, {
        permissions: ['internal:privateBrowsingAllowed'], origins: [] }, extension);
      const { AddonManager } = ChromeUtils.importESModule(
        'resource://gre/modules/AddonManager.sys.mjs');
      await (await AddonManager.getAddonByID(extension.id)).reload();`);
  };

  /** By the code of the dialog, with each of its items, of all times, and that of the settings. */
  clearBrowsingData = async (): Promise<void> => {
    await this.#privileged(`
      const { Sanitizer } = ChromeUtils.importESModule('resource:///modules/Sanitizer.sys.mjs');
      const { SiteDataManager } = ChromeUtils.importESModule(
        'resource:///modules/SiteDataManager.sys.mjs');
      const items = ['cookiesAndStorage', 'cache', 'browsingHistoryAndDownloads', 'formdata',
        'sessions', 'siteSettings'];
      await Sanitizer.sanitize(items, { ignoreTimespan: true, range: null });
      await SiteDataManager.removeAll();`);
  };

  /** By the quota manager: an eviction, which comes when it likes, removes the same folder. */
  evictExtension = async (): Promise<void> => {
    await this.#privileged(`
      await new Promise((resolve, reject) => {
        const request = Services.qms.clearStoragesForPrincipal(extension.principal);
        request.callback = () =>
          request.resultCode === Cr.NS_OK ? resolve() : reject(new Error(request.resultName));
      });`);
  };

  async newPrivateTab(url: string): Promise<Tab> {
    await this.allowPrivateWindows();
    const known = new Set((await this.#contexts()).map(({ context }) => context));
    await this.#privileged('OpenBrowserWindow({ private: true });');
    const opened = await poll('a private window', PATIENCE_MS, async () =>
      (await this.#contexts()).find(({ context }) => !known.has(context)),
    );
    const tab = new FirefoxTab(this.#connection, opened.context);
    // The window's own first page may still be on its way: it ends the visit to another, or holds it up.
    await poll(url, PATIENCE_MS, async () => {
      const isAborted = (error: unknown) => String(error).includes('NS_BINDING_ABORTED');
      const visited = tab.goto(url).then(
        () => true,
        (error: unknown) => {
          if (!isAborted(error)) throw error;
          return undefined;
        },
      );
      visited.catch(() => undefined); // of one that was given up
      const givenUp = new Promise<undefined>((resolve) =>
        setTimeout(resolve, NAVIGATION_MS, undefined),
      );
      return await Promise.race([visited, givenUp]);
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
    // Without a reference the tab opens in the window in front. That may be a prompt window about to
    // close, and then the command is never answered.
    this.#firstContext ??= (await this.#contexts())[0]!.context;
    const referenceContext = this.#firstContext;
    try {
      const { context } = await this.#connection.send<{ context: string }>(
        'browsingContext.create',
        { type: 'tab', referenceContext, ...more },
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
      const windows = [...Services.wm.getEnumerator('navigator:browser')];
      const tabs = windows.flatMap((window) => window.gBrowser.tabs);
      const tab = tabs.find((one) => one.linkedBrowser.currentURI.spec === ${JSON.stringify(url)});
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

  async waitForTab(part: string, timeoutMs = PATIENCE_MS): Promise<Tab> {
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

  /**
   * Runs privileged code (`callPrivileged`) that finds `addonId` and `extension`, which is undefined while the
   * extension is switched off.
   */
  async #privileged<Result>(source: string): Promise<Result> {
    return await callPrivileged<Result>(
      this.#connection,
      `const addonId = ${JSON.stringify(this.#facts.addonId)};
      const { extension } = WebExtensionPolicy.getByID(addonId) ?? {};
      ${source}`,
    );
  }

  /**
   * The browser spares a background that is answering an event, or gets one while it is about to end
   * (ext-backgroundPage.js, terminateBackground), and says nothing: so once more, until it has ended.
   */
  async killBackground(): Promise<void> {
    await this.#privileged(`
      let hasEnded = extension.backgroundState === 'stopped';
      const note = () => { hasEnded = true; };
      extension.on('shutdown-background-script', note);
      while (!hasEnded) {
        await extension.terminateBackground({ disableResetIdleForTest: true });
        if (!hasEnded) await new Promise((resume) => setTimeout(resume, 20));
      }
      extension.off('shutdown-background-script', note);`);
  }

  async switchExtension(isOn: boolean): Promise<void> {
    await this.#privileged(`
      const { AddonManager } = ChromeUtils.importESModule(
        'resource://gre/modules/AddonManager.sys.mjs');
      const addon = await AddonManager.getAddonByID(addonId);
      await addon.${isOn ? 'enable' : 'disable'}();`);
  }

  /** Here it is every request from now on. */
  async willAllow(): Promise<void> {
    await this.#privileged(
      `Services.prefs.setBoolPref('extensions.webextOptionalPermissionPrompts', false);`,
    );
  }

  async removeExtension(): Promise<void> {
    await this.#connection.send('webExtension.uninstall', { extension: this.#facts.addonId });
  }

  async reloadExtension(): Promise<void> {
    await this.install(this.#facts.extensionFolder);
  }

  async install(path: string): Promise<void> {
    await this.#connection.send('webExtension.install', { extensionData: { type: 'path', path } });
  }

  async manifestWarnings(): Promise<string[]> {
    return await this.#privileged<string[]>('return [...extension.warnings];');
  }

  get profile(): string {
    return this.#facts.folder;
  }

  async crash(): Promise<string> {
    this.#process.kill('SIGKILL');
    await this.closed;
    return this.#facts.folder;
  }

  async close(): Promise<void> {
    await this.#connection.send('browser.close', {}).catch(() => this.#process.kill('SIGKILL'));
    await this.closed;
    this.#connection.close();
    await rm(this.#facts.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
