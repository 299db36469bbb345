import type { Permissions } from 'webextension-polyfill';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import type { OwnWindows } from '../windows/own-windows.ts';

export interface TemporaryPermissionsDeps {
  readonly permissions: Pick<Permissions.Static, 'contains' | 'getAll' | 'onAdded' | 'remove'>;
  readonly windows: Pick<OwnWindows, 'isOpen' | 'onClosed'>;
  /** Outlives the browser, as permissions do. */
  readonly notes: SessionStore;
  readonly session: SessionStore;
  readonly locks: Locks;
}

/** A site that one window of the extension may ask the user for, for one use of one frame. */
interface TemporaryPermission {
  readonly pattern: string;
  readonly windowId: number;
}

/**
 * Stored name, in both stores. Not encrypted: while a permission lasts, the browser's own store names the
 * site too. Those of private windows are in the session store alone, which is never on disk.
 */
const PERMISSIONS_KEY = 'lent sites';
/**
 * Stored name: the sites that the user has enabled, as long as a private window has a permission. After
 * a crash, which ends the session store, every other permission is one of those.
 */
const LASTING_KEY = 'lasting sites';
/** Stored name, in the session store: after a restart the same ids belong to other windows. */
const WINDOWS_KEY = 'windows with loans';
const LOCK = 'sealwright lent sites';

/**
 * Permissions for one use. The browser's permissions do not end by themselves, so each is recorded
 * before its window can ask for it; a recorded one does not count as enabled (`RegisteredSites.enabled`).
 * It is removed after its use, and when its window has gone: closed by the user, or with the browser.
 * Of a private window's, no record with its site is on disk.
 */
export class TemporaryPermissions {
  readonly #deps: TemporaryPermissionsDeps;

  constructor(deps: TemporaryPermissionsDeps) {
    this.#deps = deps;
  }

  /** To be called in the first task. Also removes what an earlier run left behind. */
  watch(): void {
    const { locks, permissions, windows } = this.#deps;
    windows.onClosed(() => void this.reclaim());
    permissions.onAdded.addListener(
      () => void locks.exclusive(LOCK, () => this.#recordLasting('if-recorded')),
    );
    void this.reclaim();
  }

  /** Patterns that the browser may have permitted although the user has not enabled them. */
  async patterns(): Promise<readonly string[]> {
    const known = (await this.#permissions()).map(({ pattern }) => pattern);
    return [...known, ...(await this.#leftBehind(known))];
  }

  /**
   * Records that the window may ask the browser for the site.
   *
   * @param isPrivate whether it does so for a private window
   * @returns false where the site is permitted already
   */
  offer(pattern: string, windowId: number, isPrivate: boolean): Promise<boolean> {
    const { permissions, notes, session, locks } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      if (await permissions.contains({ origins: [pattern] })) return false;
      await session.set(WINDOWS_KEY, [...(await this.#windows()), windowId]);
      const store = isPrivate ? session : notes;
      const recorded = await this.#recorded(store);
      if (isPrivate) await this.#recordLasting('always');
      await store.set(PERMISSIONS_KEY, [...recorded, { pattern, windowId }]);
      return true;
    });
  }

  /** Removes the permissions of a window after their use. The window may ask again. */
  giveBack(windowId: number): Promise<void> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      const permissions = await this.#permissions();
      const ofWindow = permissions.filter((permission) => permission.windowId === windowId);
      await this.#remove(ofWindow.map(({ pattern }) => pattern));
    });
  }

  /** Makes a permission a lasting one, because the user has enabled its site meanwhile. */
  keep(pattern: string): Promise<void> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      await this.#retain((permission) => permission.pattern !== pattern);
      await this.#recordLasting('if-recorded');
    });
  }

  /** Removes the permissions of windows that have gone. */
  async reclaim(): Promise<void> {
    const patterns = await this.patterns();
    const { notes, locks } = this.#deps;
    const isLastingRecorded = (await notes.get(LASTING_KEY)) !== undefined;
    if (patterns.length === 0 && !isLastingRecorded) return; // the usual case
    await locks.exclusive(LOCK, async () => {
      const permissions = await this.#permissions();
      const open = await this.#openWindows();
      const isOpen = ({ windowId }: TemporaryPermission): boolean => open.includes(windowId);
      const known = permissions.map(({ pattern }) => pattern);
      const gone = permissions.filter((permission) => !isOpen(permission));
      const leftBehind = await this.#leftBehind(known);
      await this.#remove([...gone.map(({ pattern }) => pattern), ...leftBehind]);
      await this.#retain(isOpen);
      const ofPrivateWindows = await this.#recorded(this.#deps.session);
      if (ofPrivateWindows.length === 0) await notes.remove(LASTING_KEY);
    });
  }

  async #remove(patterns: readonly string[]): Promise<void> {
    if (patterns.length === 0) return;
    await this.#deps.permissions.remove({ origins: [...patterns] });
  }

  /** Records the sites that the user has enabled: what is permitted and not temporary. */
  async #recordLasting(when: 'always' | 'if-recorded'): Promise<void> {
    const { permissions, notes } = this.#deps;
    if (when === 'if-recorded' && (await notes.get(LASTING_KEY)) === undefined) return;
    const temporary = await this.patterns();
    const { origins = [] } = await permissions.getAll();
    const lasting = origins.filter((pattern) => !temporary.includes(pattern));
    await notes.set(LASTING_KEY, lasting);
  }

  /** What is permitted, neither lasting nor recorded: private windows had it when the browser ended. */
  async #leftBehind(recorded: readonly string[]): Promise<readonly string[]> {
    const { permissions, notes, session } = this.#deps;
    const lasting = (await notes.get(LASTING_KEY)) as readonly string[] | undefined;
    if (lasting === undefined || (await session.get(PERMISSIONS_KEY)) !== undefined) return [];
    const { origins = [] } = await permissions.getAll();
    return origins.filter((pattern) => !lasting.includes(pattern) && !recorded.includes(pattern));
  }

  async #openWindows(): Promise<readonly number[]> {
    const { windows, session } = this.#deps;
    const ids = await this.#windows();
    const open = await Promise.all(ids.map((id) => windows.isOpen(id)));
    const left = ids.filter((_, i) => open[i]);
    await session.set(WINDOWS_KEY, left);
    return left;
  }

  /** Drops the records of other permissions. */
  async #retain(isRetained: (permission: TemporaryPermission) => boolean): Promise<void> {
    const { notes, session } = this.#deps;
    for (const store of [notes, session]) {
      const recorded = await this.#recorded(store);
      const retained = recorded.filter(isRetained);
      if (retained.length < recorded.length) await store.set(PERMISSIONS_KEY, retained);
    }
  }

  async #permissions(): Promise<readonly TemporaryPermission[]> {
    const { notes, session } = this.#deps;
    return [...(await this.#recorded(notes)), ...(await this.#recorded(session))];
  }

  async #recorded(store: SessionStore): Promise<readonly TemporaryPermission[]> {
    return ((await store.get(PERMISSIONS_KEY)) ?? []) as readonly TemporaryPermission[];
  }

  async #windows(): Promise<readonly number[]> {
    return ((await this.#deps.session.get(WINDOWS_KEY)) ?? []) as readonly number[];
  }
}
