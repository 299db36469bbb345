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

/** A site that one of our windows may ask the user for, to reach into one frame of it once. */
interface TemporaryPermission {
  readonly pattern: string;
  readonly windowId: number;
}

/** Not encrypted: while a loan lasts, the browser's own store names the site too. */
const LOANS = 'lent sites';
/** Of this run of the browser, because the next one gives the same numbers to other windows. */
const WINDOWS = 'windows with loans';
const LOCK = 'sealwright lent sites';

/**
 * Permissions for one act. Browsers have none that end by themselves, so each is noted before its
 * window can ask for it, and what is noted does not count as enabled (`RegisteredSites.enabled`). It is
 * given back when it was used, and when its window has gone, in whatever way: the user closed it, or the
 * browser ended with it.
 */
export class TemporaryPermissions {
  readonly #deps: TemporaryPermissionsDeps;

  constructor(deps: TemporaryPermissionsDeps) {
    this.#deps = deps;
  }

  /** Register synchronously at start. What an earlier run of the background or browser left is taken back. */
  watch(): void {
    this.#deps.windows.onRemoved.addListener(() => void this.reclaim());
    void this.reclaim();
  }

  /** What the browser may have permitted and the user has not enabled. */
  async patterns(): Promise<readonly string[]> {
    return (await this.#loans()).map(({ pattern }) => pattern);
  }

  /**
   * From now on the window may ask the browser for the site.
   * @returns false where there is nothing to ask for
   */
  offer(pattern: string, windowId: number): Promise<boolean> {
    const { permissions, notes, session, locks } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      if (await permissions.contains({ origins: [pattern] })) return false;
      await session.set(WINDOWS, [...(await this.#windows()), windowId]);
      await notes.set(LOANS, [...(await this.#loans()), { pattern, windowId }]);
      return true;
    });
  }

  /** The act is done. The window may ask again. */
  giveBack(windowId: number): Promise<void> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      await this.#remove(
        (await this.#loans()).filter((permission) => permission.windowId === windowId),
      );
    });
  }

  /** The user enabled the site meanwhile: it is theirs, and stays. */
  keep(pattern: string): Promise<void> {
    const { notes, locks } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const permissions = await this.#loans();
      const others = permissions.filter((permission) => permission.pattern !== pattern);
      if (others.length < permissions.length) await notes.set(LOANS, others);
    });
  }

  /** Ends the loans of windows that are gone. */
  async reclaim(): Promise<void> {
    if ((await this.#loans()).length === 0) return; // nearly always
    const { notes, locks } = this.#deps;
    await locks.exclusive(LOCK, async () => {
      const permissions = await this.#loans();
      const open = await this.#openWindows();
      const isOpen = ({ windowId }: TemporaryPermission): boolean => open.includes(windowId);
      await this.#remove(permissions.filter((permission) => !isOpen(permission)));
      await notes.set(LOANS, permissions.filter(isOpen));
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
    await session.set(WINDOWS, left);
    return left;
  }

  async #loans(): Promise<readonly TemporaryPermission[]> {
    return ((await this.#deps.notes.get(LOANS)) ?? []) as readonly TemporaryPermission[];
  }

  async #windows(): Promise<readonly number[]> {
    return ((await this.#deps.session.get(WINDOWS)) ?? []) as readonly number[];
  }
}
