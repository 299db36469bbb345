import { SHOWN_STATE } from '../../../src/rpc/methods/ui.ts';
import { browser } from '../browser.ts';
import { connectToBackground } from '../channels/background-channel.ts';
import { AreaSessionStore } from '../storage/session-store.ts';
import { reportPageEnd } from '../storage/temporary-files.ts';

/** Separates what the views store from the vault and the grants in the same storage area. */
const PREFIX = 'ui.';

const urlOf = (path: string): string => browser.runtime.getURL(path);

/** What the extension's own pages use of the browser. */
export const extensionPage = Object.freeze({
  connect: () => connectToBackground(browser.runtime),
  /** @param path of a file of the package, with a query or fragment */
  urlOf,
  /** When this page ends, the background removes the files that it has left. */
  reportEnd: (): void => reportPageEnd(browser.runtime),
  /** Whether this page is in a private window. */
  isPrivate: (): boolean => browser.extension.inIncognitoContext === true,
  /** A file of the package, as it is installed. */
  ownFile: async (path: string): Promise<Uint8Array> => {
    const response = await fetch(urlOf(path));
    return new Uint8Array(await response.arrayBuffer());
  },
  message: (name: string, values?: string | string[]): string =>
    browser.i18n.getMessage(name, values),
  uiLanguage: (): string => browser.i18n.getUILanguage(),
  /** Calls the listener after changes of what the background has put on show (`SHOWN_STATE`), while this page lives. */
  onShownState: (listener: () => void): void => {
    const shown: readonly string[] = Object.values(SHOWN_STATE);
    const session = new AreaSessionStore(browser.storage.session, '');
    session.watch((key) => shown.includes(key) && listener());
  },
  /** Values that end with the browser; content scripts cannot read them. */
  sessionValues: () => new AreaSessionStore(browser.storage.session, PREFIX),
  /** Removes all that ends with the browser, of the background too. */
  forgetSession: (): Promise<void> => browser.storage.session.clear(),
  /** Asks the user for access to a site. The browser allows it in the task of a click only. */
  requestSite: (pattern: string): Promise<boolean> =>
    browser.permissions.request({ origins: [pattern] }),
  /** What is stored on the device, without the extension's own code; and whether the browser keeps it when the device is full. */
  storageUse: async (): Promise<{ readonly bytes: number; readonly isKept: boolean }> => {
    const estimate: StorageEstimate & { usageDetails?: Record<string, number> } =
      await navigator.storage.estimate();
    const { usage = 0, usageDetails } = estimate;
    const code = usageDetails?.['serviceWorkerRegistrations'] ?? 0; // Chromium counts it
    const area: { getBytesInUse?: (keys: null) => Promise<number> } = browser.storage.local;
    const inArea = (await area.getBytesInUse?.(null)) ?? 0; // Firefox keeps it in IndexedDB
    return { bytes: usage - code + inArea, isKept: await navigator.storage.persisted() };
  },
  /** Whether this page has a tab of its own: false in the browser's popup. */
  isTab: (): Promise<boolean> =>
    browser.tabs.getCurrent().then((own: object | undefined) => own !== undefined),
  activeTabId: async (): Promise<number | undefined> => {
    const [active] = await browser.tabs.query({ active: true, currentWindow: true });
    return active?.id;
  },
  /** Reloads the open pages of an enabled site. */
  reloadPages: async (pattern: string): Promise<void> => {
    const tabs = await browser.tabs.query({ url: pattern });
    const ids = tabs.map(({ id }) => id).filter((id) => id !== undefined);
    await Promise.all(ids.map((id) => browser.tabs.reload(id)));
  },
  /** Shows a page of the package: in the tab that has it already, else in a new one. */
  showPage: async (path: string): Promise<void> => {
    const url = urlOf(path);
    const [page, fragment] = url.split('#') as [string, string | undefined];
    const [open] = await browser.tabs.query({ url: page });
    if (open?.id === undefined) {
      await browser.tabs.create({ url });
      return;
    }
    // Without a fragment the page stays as it was left, and with the same one too: it would reload.
    const isElsewhere = fragment !== undefined && open.url !== url;
    await browser.tabs.update(open.id, { active: true, ...(isElsewhere && { url }) });
    if (open.windowId !== undefined) {
      await browser.windows?.update(open.windowId, { focused: true });
    }
  },
  /** Closes the window of this page; its tab, where the extension has no windows: no script closes a tab in Firefox. */
  closeWindow: async (): Promise<void> => {
    if (browser.windows) {
      window.close();
      return;
    }
    const { id } = await browser.tabs.getCurrent();
    if (id !== undefined) await browser.tabs.remove(id);
  },
  /** The extension's commands, and their keys as the user has them; none where the browser has no commands. */
  shortcuts: async (): Promise<{ readonly command: string; readonly keys: string }[]> => {
    const commands = (await browser.commands?.getAll()) ?? [];
    return commands.map(({ name = '', shortcut = '' }) => ({ command: name, keys: shortcut }));
  },
  /** Firefox has a function for its page; Chromium lets extensions open it by its address. */
  openShortcutSettings: async (): Promise<void> => {
    const commands: { openShortcutSettings?: () => Promise<void> } | undefined = browser.commands;
    if (commands?.openShortcutSettings) await commands.openShortcutSettings();
    else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
  },
});
