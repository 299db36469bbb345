import type { ContentScriptFunctions } from './content-script-calls.ts';

/**
 * What an end-to-end test may do with a browser, the same for Chromium and Firefox.
 *
 * Everything goes through the browser's own automation protocol, with the built extension and
 * real clicks; nothing here reaches into the extension except `killBackground`, which does what
 * the browser itself does to an idle background.
 */
export type BrowserName = 'chromium' | 'firefox';

export interface LaunchOptions {
  /** The unpacked extension, such as dist/chromium. */
  readonly extensionFolder: string;
  /** Host patterns whose permission request the (test) user answers with yes. */
  readonly allowedHosts: readonly string[];
  readonly colorScheme?: 'light' | 'dark';
  /** Folders of further extensions, which ask for nothing. */
  readonly besides?: readonly string[];
  /** More of the command line in Chromium, more preferences in Firefox. */
  readonly switches?: {
    readonly chromium: readonly string[];
    readonly firefox: Readonly<Record<string, string | number | boolean>>;
  };
  /** More of the browser's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A profile in which no IndexedDB of the extension can be opened: a file lies in its way. */
  readonly brokenIndexedDb?: boolean;
  /** What a test runs in content scripts (content-script-calls.ts). */
  readonly contentScriptFunctions?: ContentScriptFunctions;
  /** False where a person is to see and use the window. */
  readonly headless?: boolean;
  /** A profile that a crash has left, at its place: the browser starts with it again. */
  readonly profile?: string;
  /** Keeps pages that were left, to show them again: Puppeteer switches that off in Chromium. */
  readonly backForwardCache?: true;
  /**
   * Leaves the tab open that the extension opens after its installation. Else `launch` waits for the tab
   * and closes it, so that no test sees a tab that it did not open. In Chromium with `allowedHosts` the
   * tab ends with the second installation.
   */
  readonly keepsWelcome?: true;
}

/** What the extension opens after its installation (extension/platform/windows/welcome.ts). */
export const WELCOME_PAGE = 'manager.html#welcome';

/** Whether `launch` has to close that tab: it comes in a new profile alone. */
export const opensWelcome = ({ keepsWelcome, profile }: LaunchOptions): boolean =>
  keepsWelcome === undefined && profile === undefined;

/** A document in a page. */
export interface Frame extends Pick<Tab, 'click' | 'undo' | 'evaluate'> {
  /** Waits until a node of its accessibility tree has a role and a name. */
  waitForNamed(role: string, name: string): Promise<void>;
}

/** Keys that tests press, by their names in `KeyboardEvent.key`. */
export type PressedKey = 'Tab' | 'Enter' | 'Escape' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export interface Tab {
  readonly url: () => Promise<string>;
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs `work` in the page's main world; arguments and result cross as JSON. */
  evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Runs a script's text in the page as automation does, past the page's CSP. */
  inject(source: string): Promise<void>;
  /**
   * As for a person who forces colours on all pages, and wants no motion. Absent where the protocol
   * has no such thing.
   */
  forceColors?(): Promise<void>;
  /** Waits until the selector matches a visible element. */
  waitFor(selector: string, timeoutMs?: number): Promise<void>;
  /** Waits until `condition` is true in the page. */
  waitUntil<Args extends unknown[]>(
    condition: (...args: Args) => boolean,
    options?: { timeoutMs?: number },
    ...args: Args
  ): Promise<void>;
  /** A real, trusted click in the middle of the element. */
  click(selector: string): Promise<void>;
  /** The same at a place of the window, whatever is there. */
  clickAt(x: number, y: number): Promise<void>;
  /** Real key strokes into the element, after the text that it holds already. */
  type(selector: string, text: string): Promise<void>;
  /** Real key strokes into whatever has the focus. */
  typeAtFocus(text: string): Promise<void>;
  press(key: PressedKey): Promise<void>;
  /**
   * Composes text in whatever has the focus, as an input method does: each state replaces the one before, and Enter
   * accepts the last one. Pages get the name of that key, as on a Mac; elsewhere it is "Process", as for the others.
   */
  compose(states: readonly string[]): Promise<void>;
  /** Control+Z, as a person takes back what was done last. */
  undo(): Promise<void>;
  /** The frame in this page whose address holds `part`; a click leads into no frame by itself. */
  frame(part: string): Promise<Frame>;
  moveMouse(points: readonly (readonly [number, number])[]): Promise<void>;
  chooseFile(selector: string, path: string): Promise<void>;
  text(selector: string): Promise<string>;
  screenshot(path: string): Promise<void>;
  /** The page as it is printed, without a dialog. @param paper by default A4 @returns a PDF file */
  print(paper?: Paper): Promise<Uint8Array>;
  setViewport(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** Kinds of paper. */
export type Paper = 'A4' | 'Letter';

export interface BrowserSession {
  readonly name: BrowserName;
  readonly version: string;
  /** The folder of the browser's profile. */
  readonly profile: string;
  /** Settles when the browser has gone. */
  readonly closed: Promise<void>;
  /** URL of a page of the extension. */
  extensionUrl(path: string): string;
  newTab(url?: string): Promise<Tab>;
  /** A private window, which the user has let the extension into. */
  newPrivateTab(url: string): Promise<Tab>;
  /** Firefox: makes a container, and opens tabs in it. Null where the browser has none. */
  readonly newContainer: (() => Promise<(url: string) => Promise<Tab>>) | null;
  /** Firefox: lets the extension into private windows, as the user's switch does. Null where no test needs it. */
  readonly allowPrivateWindows: (() => Promise<void>) | null;
  /** Firefox: clears everything that "Clear browsing data" offers. Null where automation cannot. */
  readonly clearBrowsingData: (() => Promise<void>) | null;
  /** Firefox: removes what the extension's origin has stored, all at once, as a full disk does. Null elsewhere. */
  readonly evictExtension: (() => Promise<void>) | null;
  /** Uncaught errors in pages and content scripts. */
  readonly uncaught: readonly string[];
  /** Ends the browser as a crash does. @returns its profile, which the caller removes */
  crash(): Promise<string>;
  /**
   * Clicks the extension's button while this tab is in front: the popup, about that tab. Firefox's
   * own popup is out of automation's reach; there its page opens in a tab, with the same
   * permission for the site's tab that the click gives (activeTab).
   */
  openPopupFor(site: Tab): Promise<Tab>;
  /** Waits for a window or tab whose URL holds `part` (the prompt window). */
  waitForTab(part: string, timeoutMs?: number): Promise<Tab>;
  /** How many open windows or tabs hold `part` in their URL. */
  countTabs(part: string): Promise<number>;
  /** How many frames, at any depth, show this address. */
  countFrames(url: string): Promise<number>;
  /** Ends the background as the browser would at idle; the next event starts it again. */
  killBackground(): Promise<void>;
  /** The (test) user will answer the next permission request for this host pattern with yes. */
  willAllow(host: string): Promise<void>;
  /** What the switch of the extension in the browser's own page does: off, nothing of it runs. */
  switchExtension(isOn: boolean): Promise<void>;
  /** Removes the extension, as its user does. */
  removeExtension(): Promise<void>;
  /** Reloads the extension, as an update does. */
  reloadExtension(): Promise<void>;
  /** Complaints of the browser about the manifest. */
  manifestWarnings(): Promise<string[]>;
  close(): Promise<void>;
}
