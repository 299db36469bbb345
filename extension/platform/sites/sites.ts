import type { Permissions, Scripting, Tabs, Runtime } from 'webextension-polyfill';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import { coveredByAny, type Sites } from '../../../src/service/system/sites.ts';
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
  /** Remembers what the user switched on. */
  readonly notes: SessionStore;
}

const LOCK = 'sealwright sites';
/** Notes are not encrypted: they name patterns, which the browser's own store names too. */
const GATHERS_MOVEMENTS = 'gathers movements';
const WITHOUT_MARKS = 'sites without marks';
const GUARDED = 'guarded sites';

/**
 * The browser's permission store is the record of what the user enabled, notes of what they chose
 * beside it; script registrations follow them. `reconcile` makes them agree and is run whenever they
 * may not: on install, start and every change of permissions.
 */
export class RegisteredSites implements Sites {
  readonly #deps: SitesDeps;

  constructor(deps: SitesDeps) {
    this.#deps = deps;
  }

  async enabled(): Promise<readonly string[]> {
    // First: one that is given back meanwhile has lost its permission before its note.
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
    // While we are still let into its tabs.
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
    return !(await this.#noted(WITHOUT_MARKS)).includes(pattern);
  }

  async setMarks(pattern: string, on: boolean): Promise<void> {
    await this.#note(WITHOUT_MARKS, pattern, !on);
    await this.reconcile();
    if (!on) await this.#end(MARKS_KEY, [pattern]);
  }

  async guard(pattern: string, on: boolean): Promise<void> {
    const isNew = await this.#note(GUARDED, pattern, on);
    await this.reconcile();
    if (!on) await this.#end(GUARD_KEY, [pattern]);
    else if (!isNew) await this.#inject({ pattern, worlds: GUARDS, excluded: [] });
  }

  /**
   * Registers what is permitted, unregisters what no longer is, and serves the tabs already open
   * on sites that are new.
   * @returns the patterns that were served and no longer are
   */
  async reconcile(): Promise<readonly string[]> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      const permitted = await this.enabled();
      const services = await this.#services(permitted);
      const wanted = services.flatMap(scriptsFor);
      const registered = await this.#deps.scripting.getRegisteredContentScripts();
      const stale = registered.filter((script) => !wanted.some((one) => isSame(one, script)));
      if (stale.length > 0) {
        await this.#deps.scripting.unregisterContentScripts({ ids: stale.map(({ id }) => id) });
      }
      const standing = registered.filter((script) => !stale.includes(script)).map(({ id }) => id);
      const missing = services
        .map((service) => missingIn(standing, service))
        .filter(({ worlds }) => worlds.length > 0);
      if (missing.length > 0) await this.#register(missing.flatMap(scriptsFor));
      for (const service of missing) await this.#inject(service);
      return patternsOf(stale).filter((pattern) => !permitted.includes(pattern));
    });
  }

  /** Scripts of every site anew in the tabs that are open: after an update the old ones are orphans. */
  async serveOpenTabs(): Promise<void> {
    for (const service of await this.#services(await this.enabled())) await this.#inject(service);
  }

  async #services(permitted: readonly string[]): Promise<readonly Service[]> {
    return servicesOf(permitted, {
      gathersMovements: await this.gathersMovements(),
      withoutMarks: await this.#noted(WITHOUT_MARKS),
      guarded: await this.#noted(GUARDED),
    });
  }

  /** `matchOriginAsFallback` reaches about:blank and srcdoc frames; older browsers refuse the word. */
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

  /** Ends a script that is at work in the tabs of these patterns. */
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

  /** A tab that is closing or shows an error page cannot be served, and need not be. */
  async #execute(injection: Scripting.ScriptInjection): Promise<void> {
    await this.#deps.scripting.executeScript(injection).catch(() => undefined);
  }

  async #noted(name: string): Promise<readonly string[]> {
    return ((await this.#deps.notes.get(name)) as readonly string[] | undefined) ?? [];
  }

  /** @returns whether it said otherwise before */
  #note(name: string, pattern: string, on: boolean): Promise<boolean> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      const before = await this.#noted(name);
      const others = before.filter((each) => each !== pattern);
      await this.#deps.notes.set(name, on ? [...others, pattern] : others);
      return before.includes(pattern) !== on;
    });
  }
}

/** Once in the life of an installation; not when it is updated, nor when the browser is. */
export function onInstall(
  { onInstalled }: Pick<Runtime.Static, 'onInstalled'>,
  listener: () => void,
): void {
  onInstalled.addListener(({ reason }) => {
    if (reason === 'install') listener();
  });
}
