import type { Permissions, Runtime, Scripting, Tabs } from 'webextension-polyfill';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import { coveredByAny, type Sites } from '../../../src/service/ports/sites.ts';
import type { TemporaryPermissions } from './temporary-permissions.ts';
import { GUARD_KEY, MARKS_KEY, MOVEMENTS_KEY, stopScript } from './page-scripts.ts';
import {
  GUARDS,
  isSame,
  missingIn,
  patternsOf,
  scriptsFor,
  servicesOf,
  type Script,
  type Service,
} from './site-scripts.ts';

export interface SitesDeps {
  readonly permissions: Permissions.Static;
  readonly scripting: Scripting.Static;
  readonly tabs: Tabs.Static;
  readonly temporary: Pick<TemporaryPermissions, 'patterns' | 'keep'>;
  readonly locks: Locks;
  /** Stores the user's settings. */
  readonly notes: SessionStore;
  /** Resolves when content scripts cannot reach what is stored; rejects where that fails. */
  readonly closed: Promise<void>;
}

const LOCK = 'sealwright sites';
/** Stored names. The values are not encrypted: they are patterns, which the browser's own store has too. */
const GATHERS_MOVEMENTS = 'gathers movements';
const WITHOUT_MARKS = 'sites without marks';
const GUARDED = 'guarded sites';

/**
 * The browser's permission store says which sites the user enabled, and `notes` hold the settings beside
 * it. `reconcile` makes script registrations agree with both. It runs on install, on start and on every
 * change of permissions.
 *
 * Where content scripts could reach what is stored, no site is served: all scripts are unregistered, and
 * every call that asks for the enabled sites fails.
 */
export class RegisteredSites implements Sites {
  readonly #deps: SitesDeps;

  constructor(deps: SitesDeps) {
    this.#deps = deps;
  }

  /** @throws why content scripts could reach what is stored */
  async enabled(): Promise<readonly string[]> {
    await this.#deps.closed;
    // Read first: a permission that is given back meanwhile is removed before its record.
    const temporary = await this.#deps.temporary.patterns();
    const { origins = [] } = await this.#deps.permissions.getAll();
    return origins.filter((pattern) => !temporary.includes(pattern));
  }

  async enable(pattern: string): Promise<boolean> {
    if (!(await this.#deps.permissions.contains({ origins: [pattern] }))) return false;
    await this.#deps.temporary.keep(pattern);
    await this.reconcile();
    return true;
  }

  async disable(pattern: string): Promise<void> {
    // Before the permission for its tabs is removed.
    for (const key of [MOVEMENTS_KEY, MARKS_KEY, GUARD_KEY]) await this.#end(key, [pattern]);
    await this.#deps.permissions.remove({ origins: [pattern] });
    await this.reconcile();
  }

  async tabAddress(tabId: number): Promise<string | undefined> {
    const { url } = await this.#deps.tabs.get(tabId);
    return url;
  }

  async gathersMovements(): Promise<boolean> {
    return (await this.#deps.notes.get(GATHERS_MOVEMENTS)) === true;
  }

  async gatherMovements(on: boolean): Promise<void> {
    await this.#deps.notes.set(GATHERS_MOVEMENTS, on);
    await this.reconcile();
    if (!on) await this.#end(MOVEMENTS_KEY, await this.enabled());
  }

  async hasMarks(pattern: string): Promise<boolean> {
    return !(await this.#patterns(WITHOUT_MARKS)).includes(pattern);
  }

  async setMarks(pattern: string, on: boolean): Promise<void> {
    await this.#setPattern(WITHOUT_MARKS, pattern, !on);
    await this.reconcile();
    if (!on) await this.#end(MARKS_KEY, [pattern]);
  }

  async guard(pattern: string, on: boolean): Promise<void> {
    const isNew = await this.#setPattern(GUARDED, pattern, on);
    await this.reconcile();
    if (!on) await this.#end(GUARD_KEY, [pattern]);
    else if (!isNew) await this.#inject({ pattern, worlds: GUARDS, excluded: [] });
  }

  /**
   * Registers scripts of permitted sites, unregisters others, and injects the new ones into open tabs.
   *
   * @returns the patterns that were served and no longer are
   */
  async reconcile(): Promise<readonly string[]> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      await this.#refuseUnlessClosed();
      const permitted = await this.enabled();
      const services = await this.#services(permitted);
      const wanted = services.flatMap(scriptsFor);
      const registered = await this.#deps.scripting.getRegisteredContentScripts();
      const stale = registered.filter((script) => !wanted.some((one) => isSame(one, script)));
      await this.#unregister(stale);
      const standing = registered.filter((script) => !stale.includes(script)).map(({ id }) => id);
      const missing = services
        .map((service) => missingIn(standing, service))
        .filter(({ worlds }) => worlds.length > 0);
      if (missing.length > 0) await this.#register(missing.flatMap(scriptsFor));
      for (const service of missing) await this.#inject(service);
      return patternsOf(stale).filter((pattern) => !permitted.includes(pattern));
    });
  }

  /** Injects all scripts into open tabs again: after an update the old ones are orphans. */
  async serveOpenTabs(): Promise<void> {
    for (const service of await this.#services(await this.enabled())) await this.#inject(service);
  }

  /** @throws why content scripts could reach what is stored. No script is registered then */
  async #refuseUnlessClosed(): Promise<void> {
    try {
      await this.#deps.closed;
    } catch (error) {
      await this.#unregister(await this.#deps.scripting.getRegisteredContentScripts());
      throw error;
    }
  }

  async #unregister(scripts: readonly Scripting.RegisteredContentScript[]): Promise<void> {
    if (scripts.length === 0) return;
    await this.#deps.scripting.unregisterContentScripts({ ids: scripts.map(({ id }) => id) });
  }

  async #services(permitted: readonly string[]): Promise<readonly Service[]> {
    return servicesOf(permitted, {
      gathersMovements: await this.gathersMovements(),
      withoutMarks: await this.#patterns(WITHOUT_MARKS),
      guarded: await this.#patterns(GUARDED),
    });
  }

  /** `matchOriginAsFallback` covers about:blank and srcdoc frames. Older browsers refuse the property. */
  async #register(scripts: Script[]): Promise<void> {
    const withFallback = scripts.map((script) => ({ ...script, matchOriginAsFallback: true }));
    try {
      await this.#deps.scripting.registerContentScripts(withFallback);
    } catch (error) {
      if (!String(error).includes('matchOriginAsFallback')) throw error;
      await this.#deps.scripting.registerContentScripts(scripts);
    }
  }

  async #inject({ pattern, worlds, excluded }: Service): Promise<void> {
    await this.#inTabsOf([pattern], excluded, async (target) => {
      for (const { file, world } of worlds) {
        await this.#execute({ target, files: [file], world, injectImmediately: true });
      }
    });
  }

  /** Stops a script in the tabs of these patterns. */
  async #end(key: string, patterns: readonly string[]): Promise<void> {
    await this.#inTabsOf(patterns, [], (target) =>
      this.#execute({ target, func: stopScript, args: [key] }),
    );
  }

  async #inTabsOf(
    patterns: readonly string[],
    excluded: readonly string[],
    work: (target: Scripting.InjectionTarget) => Promise<void>,
  ): Promise<void> {
    if (patterns.length === 0) return;
    const tabs = await this.#deps.tabs.query({ url: [...patterns] });
    const ids = tabs
      .filter(({ url = '' }) => !coveredByAny(excluded, url))
      .map(({ id }) => id)
      .filter((id) => id !== undefined);
    await Promise.all(ids.map((tabId) => work({ tabId, allFrames: true })));
  }

  /** Ignores failures: a tab that is closing or shows an error page takes no script. */
  async #execute(injection: Scripting.ScriptInjection): Promise<void> {
    await this.#deps.scripting.executeScript(injection).catch(() => undefined);
  }

  async #patterns(name: string): Promise<readonly string[]> {
    return ((await this.#deps.notes.get(name)) as readonly string[] | undefined) ?? [];
  }

  /** @returns whether the setting has changed */
  #setPattern(name: string, pattern: string, on: boolean): Promise<boolean> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      const before = await this.#patterns(name);
      const others = before.filter((each) => each !== pattern);
      await this.#deps.notes.set(name, on ? [...others, pattern] : others);
      return before.includes(pattern) !== on;
    });
  }
}

/** Calls back when the browser has started, and after an installation or an update. */
export function onStart(
  { onStartup, onInstalled }: Pick<Runtime.Static, 'onStartup' | 'onInstalled'>,
  listener: () => void,
): void {
  onStartup.addListener(() => listener());
  onInstalled.addListener(() => listener());
}
