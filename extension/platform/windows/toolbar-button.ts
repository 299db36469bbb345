import type { Action, Tabs } from 'webextension-polyfill';
import type { SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import type { Sites } from '../../../src/service/ports/sites.ts';
import type { ToolbarButton, ToolbarState } from '../../../src/service/status/toolbar.ts';
import type { Words } from './chosen-words.ts';

/** What the button looks like in a state: for one tab, or wherever no tab says otherwise. */
export interface ButtonLook {
  readonly icon: 'icon' | 'icon-locked';
  readonly badge: string;
  readonly colour: string;
  /** The message of its title. */
  readonly title: ToolbarTitle;
}

type ToolbarTitle =
  | 'toolbarLocked'
  | 'toolbarLockedOn'
  | 'toolbarOpen'
  | 'toolbarOn'
  | 'toolbarRequest'
  | 'toolbarFrozen'
  | 'toolbarUnusual'
  | 'toolbarNewDevice'
  | 'toolbarRecovery';

/** As in extension/ui/ui.css, in light: badges have the same colours on every toolbar. */
const ACCENT = '#0b626d';
const WARNING = '#8a5a00';
const GREY = '#4a5963';

/** What waits for the user comes before what merely is. @param isOn whether the tab's site is enabled */
export function lookOf(state: ToolbarState, isOn: boolean): ButtonLook {
  const { isOpen, requests, isFrozen, isUnusual, hasNewDevice, needsRecoveryCode } = state;
  const icon = isOpen ? 'icon' : 'icon-locked';
  if (requests > 0) {
    return { icon, badge: String(requests), colour: WARNING, title: 'toolbarRequest' };
  }
  if (hasNewDevice) return { icon, badge: '!', colour: WARNING, title: 'toolbarNewDevice' };
  if (isFrozen) return { icon, badge: '!', colour: WARNING, title: 'toolbarFrozen' };
  if (isUnusual) return { icon, badge: '!', colour: WARNING, title: 'toolbarUnusual' };
  if (needsRecoveryCode) return { icon, badge: '!', colour: WARNING, title: 'toolbarRecovery' };
  const badge = isOn ? '✓' : '';
  if (isOpen) return { icon, badge, colour: ACCENT, title: isOn ? 'toolbarOn' : 'toolbarOpen' };
  return { icon, badge, colour: GREY, title: isOn ? 'toolbarLockedOn' : 'toolbarLocked' };
}

export interface ToolbarButtonDeps {
  readonly action: Pick<
    Action.Static,
    'setIcon' | 'setTitle' | 'setBadgeText' | 'setBadgeBackgroundColor'
  >;
  readonly tabs: Pick<Tabs.Static, 'query'>;
  readonly sites: Pick<Sites, 'enabled'>;
  readonly session: SessionStore;
  readonly words: () => Promise<Words>;
}

/** In the session store: the tabs that show that their site is enabled. */
const STORE_KEY = 'toolbar-tabs';

/**
 * The button in the browser's toolbar. A tab of an enabled site has a title and a badge of its own,
 * which the browser takes away when the tab leaves the page; others have those of all tabs. No page can
 * read any of it.
 */
export class BrowserToolbarButton implements ToolbarButton {
  readonly #deps: ToolbarButtonDeps;
  #last: Promise<void> = Promise.resolve();
  #wanted: ToolbarState | undefined;

  constructor(deps: ToolbarButtonDeps) {
    this.#deps = deps;
  }

  /** One after the other; of several that wait, the newest counts. */
  show(state: ToolbarState): void {
    this.#wanted = state;
    this.#last = this.#last.then(async () => {
      const newest = this.#wanted;
      this.#wanted = undefined;
      if (newest) await this.#show(newest).catch(() => undefined);
    });
  }

  async #show(state: ToolbarState): Promise<void> {
    const { session } = this.#deps;
    const words = await this.#deps.words();
    await this.#apply(lookOf(state, false), words);
    const before = ((await session.get(STORE_KEY)) ?? []) as readonly number[];
    const on = await this.#tabsOfSites();
    await session.set(STORE_KEY, on);
    const gone = before.filter((tabId) => !on.includes(tabId));
    await Promise.all([
      ...on.map((tabId) => this.#apply(lookOf(state, true), words, tabId)),
      ...gone.map((tabId) => this.#apply(lookOf(state, false), words, tabId)),
    ]);
  }

  /** Not the icon: it says only what holds for all tabs. */
  async #apply(
    { icon, badge, colour, title }: ButtonLook,
    words: Words,
    tabId?: number,
  ): Promise<void> {
    const { action } = this.#deps;
    const where = tabId === undefined ? {} : { tabId };
    const path = { 16: `/icons/${icon}-16.png`, 32: `/icons/${icon}-32.png` };
    const work = [
      () => action.setTitle({ ...where, title: words(title) }),
      () => action.setBadgeText({ ...where, text: badge }),
      () => action.setBadgeBackgroundColor({ ...where, color: colour }),
      ...(tabId === undefined ? [() => action.setIcon({ path })] : []),
    ];
    // A tab may have been closed meanwhile; and Firefox for Android has not all of these functions.
    await Promise.allSettled(work.map(async (change) => change()));
  }

  async #tabsOfSites(): Promise<readonly number[]> {
    const { tabs, sites } = this.#deps;
    const url = [...(await sites.enabled())];
    if (url.length === 0) return [];
    const open = await tabs.query({ url });
    return open.map(({ id }) => id).filter((id) => id !== undefined);
  }
}
