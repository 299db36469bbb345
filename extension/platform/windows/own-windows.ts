import type { Tabs, Windows } from 'webextension-polyfill';

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** The extension's own windows in front of pages: for prompts and fields. */
export interface OwnWindows {
  /** @returns its id, where the browser gives it */
  open(url: string, size: WindowSize): Promise<number | undefined>;
  /** Rejects if the window has gone. */
  focus(id: number): Promise<void>;
  /** Does nothing if the user has closed it. */
  close(id: number): Promise<void>;
  isOpen(id: number): Promise<boolean>;
  /** Whether the user can act in the tab now: it is in front, and so is its window. */
  isInFront(tabId: number): Promise<boolean>;
  /** To be called in the first task. The listener gets the id of any window or tab that closes. */
  onClosed(listener: (id: number) => void): void;
}

type WindowsApi = Pick<
  Windows.Static,
  'create' | 'get' | 'getLastFocused' | 'onRemoved' | 'remove' | 'update'
>;
type TabsApi = Pick<Tabs.Static, 'create' | 'get' | 'onRemoved' | 'remove' | 'update'>;

interface OwnWindowsDeps {
  readonly windows?: WindowsApi;
  readonly tabs: TabsApi;
}

/**
 * Windows, or tabs where the browser has no windows of extensions: Firefox for Android, whose extensions have no
 * `browser.windows`.
 */
export function ownWindows({ windows, tabs }: OwnWindowsDeps): OwnWindows {
  return windows ? new PopupWindows(windows, tabs) : new FrontTabs(tabs);
}

class PopupWindows implements OwnWindows {
  readonly #windows: WindowsApi;
  readonly #tabs: Pick<TabsApi, 'get'>;

  constructor(windows: WindowsApi, tabs: Pick<TabsApi, 'get'>) {
    this.#windows = windows;
    this.#tabs = tabs;
  }

  async open(url: string, size: WindowSize): Promise<number | undefined> {
    const place = await placeInFront(this.#windows, size);
    const { id } = await this.#windows.create({ type: 'popup', url, ...size, ...place });
    return id;
  }

  async focus(id: number): Promise<void> {
    await this.#windows.update(id, { focused: true });
  }

  close(id: number): Promise<void> {
    return this.#windows.remove(id).catch(alreadyGone);
  }

  isOpen(id: number): Promise<boolean> {
    return succeeds(this.#windows.get(id));
  }

  async isInFront(tabId: number): Promise<boolean> {
    const { active, windowId } = await this.#tabs.get(tabId);
    return active && windowId !== undefined && (await this.#windows.get(windowId)).focused;
  }

  onClosed(listener: (id: number) => void): void {
    this.#windows.onRemoved.addListener(listener);
  }
}

/** The size of a tab is the browser's. */
class FrontTabs implements OwnWindows {
  readonly #tabs: TabsApi;

  constructor(tabs: TabsApi) {
    this.#tabs = tabs;
  }

  async open(url: string): Promise<number | undefined> {
    return (await this.#tabs.create({ url, active: true })).id;
  }

  async focus(id: number): Promise<void> {
    await this.#tabs.update(id, { active: true });
  }

  close(id: number): Promise<void> {
    return this.#tabs.remove(id).catch(alreadyGone);
  }

  isOpen(id: number): Promise<boolean> {
    return succeeds(this.#tabs.get(id));
  }

  async isInFront(tabId: number): Promise<boolean> {
    return (await this.#tabs.get(tabId)).active;
  }

  onClosed(listener: (id: number) => void): void {
    this.#tabs.onRemoved.addListener((id) => listener(id));
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Ignores the failure to close a window that the user has closed already. */
function alreadyGone(): undefined {
  return undefined;
}

/** Pixels below the top of the window beneath, so that its address bar stays visible. */
const FROM_TOP = 80;

/** A position over the window that had the focus last; empty where the browser does not give it. */
async function placeInFront(
  windows: Pick<WindowsApi, 'getLastFocused'>,
  size: WindowSize,
): Promise<{ left?: number; top?: number }> {
  const front = await windows.getLastFocused().catch(() => undefined);
  const { left, top, width } = front ?? {};
  if (left === undefined || top === undefined || width === undefined) return {};
  const centre = left + (width - size.width) / 2;
  return { left: Math.max(0, Math.round(centre)), top: Math.max(0, top + FROM_TOP) };
}
