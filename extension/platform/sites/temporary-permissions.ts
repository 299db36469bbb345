import type { Permissions, Windows } from 'webextension-polyfill';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';

export interface TemporaryPermissionsDeps {
  readonly permissions: Pick<Permissions.Static, 'contains' | 'remove'>;
  readonly windows: Pick<Windows.Static, 'get' | 'onRemoved'>;
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

/** Stored name. Not encrypted: while a permission lasts, the browser's own store names the site too. */
const PERMISSIONS_KEY = 'lent sites';
/** Stored name, in the session store: after a restart the same ids belong to other windows. */
const WINDOWS_KEY = 'windows with loans';
const LOCK = 'sealwright lent sites';

/**
 * Permissions for one use. The browser's permissions do not end by themselves, so each is recorded
 * before its window can ask for it; a recorded one does not count as enabled (`RegisteredSites.enabled`).
 * It is removed after its use, and when its window has gone: closed by the user, or with the browser.
 */
export class TemporaryPermissions {
  readonly #deps: TemporaryPermissionsDeps;

  constructor(deps: TemporaryPermissionsDeps) {
    this.#deps = deps;
  }

  /** To be called in the first task. Also removes what an earlier run left behind. */
  watch(): void {
    this.#deps.windows.onRemoved.addListener(() => void this.reclaim());
    void this.reclaim();
  }

  /** Patterns that the browser may have permitted although the user has not enabled them. */
  async patterns(): Promise<readonly string[]> {
    return (await this.#permissions()).map(({ pattern }) => pattern);
  }

  /**
   * Records that the window may ask the browser for the site.
   *
   * @returns false where the site is permitted already
   */
  offer(pattern: string, windowId: number): Promise<boolean> {
    const { permissions, notes, session, locks } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      if (await permissions.contains({ origins: [pattern] })) return false;
      await session.set(WINDOWS_KEY, [...(await this.#windows()), windowId]);
      await notes.set(PERMISSIONS_KEY, [...(await this.#permissions()), { pattern, windowId }]);
      return true;
    });
  }

  /** Removes the permissions of a window after their use. The window may ask again. */
  giveBack(windowId: number): Promise<void> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      await this.#remove(
        (await this.#permissions()).filter((permission) => permission.windowId === windowId),
      );
    });
  }

  /** Makes a permission a lasting one, because the user has enabled its site meanwhile. */
  keep(pattern: string): Promise<void> {
    const { notes, locks } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const permissions = await this.#permissions();
      const others = permissions.filter((permission) => permission.pattern !== pattern);
      if (others.length < permissions.length) await notes.set(PERMISSIONS_KEY, others);
    });
  }

  /** Removes the permissions of windows that have gone. */
  async reclaim(): Promise<void> {
    if ((await this.#permissions()).length === 0) return; // the usual case
    const { notes, locks } = this.#deps;
    await locks.exclusive(LOCK, async () => {
      const permissions = await this.#permissions();
      const open = await this.#openWindows();
      const isOpen = ({ windowId }: TemporaryPermission): boolean => open.includes(windowId);
      await this.#remove(permissions.filter((permission) => !isOpen(permission)));
      await notes.set(PERMISSIONS_KEY, permissions.filter(isOpen));
    });
  }

  async #remove(permissions: readonly TemporaryPermission[]): Promise<void> {
    if (permissions.length === 0) return;
    await this.#deps.permissions.remove({ origins: permissions.map(({ pattern }) => pattern) });
  }

  async #openWindows(): Promise<readonly number[]> {
    const { windows, session } = this.#deps;
    const ids = await this.#windows();
    const isOpen = (id: number): Promise<boolean> =>
      windows.get(id).then(
        () => true,
        () => false,
      );
    const open = await Promise.all(ids.map(isOpen));
    const left = ids.filter((_, i) => open[i]);
    await session.set(WINDOWS_KEY, left);
    return left;
  }

  async #permissions(): Promise<readonly TemporaryPermission[]> {
    return ((await this.#deps.notes.get(PERMISSIONS_KEY)) ?? []) as readonly TemporaryPermission[];
  }

  async #windows(): Promise<readonly number[]> {
    return ((await this.#deps.session.get(WINDOWS_KEY)) ?? []) as readonly number[];
  }
}
