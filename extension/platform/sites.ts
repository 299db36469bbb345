import type { Permissions, Scripting, Tabs } from 'webextension-polyfill';
import type { Locks } from '../../src/keys/locks.ts';
import type { SessionStore } from '../../src/keys/session-store.ts';
import { patternWithin, type Sites } from '../../src/service/sites.ts';
import { MOVEMENTS_KEY, stopMovements } from './movements-once.ts';

export interface SitesParts {
  readonly permissions: Permissions.Static;
  readonly scripting: Scripting.Static;
  readonly tabs: Tabs.Static;
  readonly locks: Locks;
  /** Remembers what the user switched on. */
  readonly notes: SessionStore;
}

type Script = Scripting.RegisteredContentScript & { matchOriginAsFallback?: boolean };

interface World {
  readonly name: string;
  readonly file: string;
  readonly world: 'ISOLATED' | 'MAIN';
  readonly runAt: 'document_start' | 'document_idle';
}

const LOCK = 'sealwright sites';
const GATHERS_MOVEMENTS = 'gathers movements';

const EARLY = { runAt: 'document_start' } as const;

/**
 * content.ts first: it then waits for page.ts's hello, whichever the browser starts first. The marks
 * have nothing to do before there is text.
 */
const ALWAYS: readonly World[] = [
  { name: 'content', file: 'content.js', world: 'ISOLATED', ...EARLY },
  { name: 'page', file: 'page.js', world: 'MAIN', ...EARLY },
  { name: 'marks', file: 'marks.js', world: 'ISOLATED', runAt: 'document_idle' },
];
const ON_REQUEST: World = { name: 'movements', file: 'movements.js', world: 'ISOLATED', ...EARLY };

/**
 * The browser's permission store is the record of what the user enabled, a note that of the
 * movements; script registrations follow them. `reconcile` makes them agree and is run whenever they may not: on install, start and
 * every change of permissions.
 */
export class RegisteredSites implements Sites {
  readonly #parts: SitesParts;

  constructor(parts: SitesParts) {
    this.#parts = parts;
  }

  async enabled(): Promise<readonly string[]> {
    const { origins = [] } = await this.#parts.permissions.getAll();
    return origins;
  }

  async enable(pattern: string): Promise<void> {
    if (!(await this.#parts.permissions.contains({ origins: [pattern] }))) {
      throw new Error('The browser has not been asked for this site yet');
    }
    await this.reconcile();
  }

  async disable(pattern: string): Promise<void> {
    await this.#endMovements([pattern]); // while we are still let into its tabs
    await this.#parts.permissions.remove({ origins: [pattern] });
    await this.reconcile();
  }

  async tabAddress(tabId: number): Promise<string | undefined> {
    const { url } = await this.#parts.tabs.get(tabId);
    return url;
  }

  async gathersMovements(): Promise<boolean> {
    return (await this.#parts.notes.get(GATHERS_MOVEMENTS)) === true;
  }

  async gatherMovements(on: boolean): Promise<void> {
    await this.#parts.notes.set(GATHERS_MOVEMENTS, on);
    await this.reconcile();
    if (!on) await this.#endMovements(await this.enabled());
  }

  /**
   * Registers what is permitted, unregisters what no longer is, and serves the tabs already open
   * on sites that are new.
   * @returns the patterns that were served and no longer are
   */
  async reconcile(): Promise<readonly string[]> {
    return this.#parts.locks.exclusive(LOCK, async () => {
      const permitted = await this.enabled();
      const wanted = permitted.filter((pattern) => !isWithinAnother(pattern, permitted));
      const worlds = await this.#worlds();
      const registered = await this.#parts.scripting.getRegisteredContentScripts();
      const stale = registered.filter(({ id }) => !scriptIds(wanted, worlds).includes(id));
      if (stale.length > 0) {
        await this.#parts.scripting.unregisterContentScripts({ ids: stale.map(({ id }) => id) });
      }
      const ids = registered.map(({ id }) => id);
      for (const pattern of wanted) {
        const missing = worlds.filter(({ name }) => !ids.includes(scriptId(name, pattern)));
        if (missing.length > 0) await this.#serve(pattern, missing);
      }
      return patternsOf(stale).filter((pattern) => !permitted.includes(pattern));
    });
  }

  /** Scripts of every site anew in the tabs that are open: after an update the old ones are orphans. */
  async serveOpenTabs(): Promise<void> {
    const worlds = await this.#worlds();
    for (const pattern of await this.enabled()) await this.#inject(pattern, worlds);
  }

  async #worlds(): Promise<readonly World[]> {
    return (await this.gathersMovements()) ? [...ALWAYS, ON_REQUEST] : ALWAYS;
  }

  async #serve(pattern: string, missing: readonly World[]): Promise<void> {
    await this.#register(missing.map((world) => scriptFor(pattern, world)));
    await this.#inject(pattern, missing);
  }

  /** `matchOriginAsFallback` reaches about:blank and srcdoc frames; older browsers refuse the word. */
  async #register(scripts: Script[]): Promise<void> {
    const withFallback = scripts.map((script) => ({ ...script, matchOriginAsFallback: true }));
    try {
      await this.#parts.scripting.registerContentScripts(withFallback);
    } catch (error) {
      if (!String(error).includes('matchOriginAsFallback')) throw error;
      await this.#parts.scripting.registerContentScripts(scripts);
    }
  }

  async #inject(pattern: string, worlds: readonly World[]): Promise<void> {
    await this.#inTabsOf([pattern], async (target) => {
      for (const { file, world } of worlds) {
        await this.#execute({ target, files: [file], world, injectImmediately: true });
      }
    });
  }

  async #endMovements(patterns: readonly string[]): Promise<void> {
    await this.#inTabsOf(patterns, (target) =>
      this.#execute({ target, func: stopMovements, args: [MOVEMENTS_KEY] }),
    );
  }

  async #inTabsOf(
    patterns: readonly string[],
    work: (target: Scripting.InjectionTarget) => Promise<void>,
  ): Promise<void> {
    if (patterns.length === 0) return;
    const tabs = await this.#parts.tabs.query({ url: [...patterns] });
    const ids = tabs.map(({ id }) => id).filter((id) => id !== undefined);
    await Promise.all(ids.map((tabId) => work({ tabId, allFrames: true })));
  }

  /** A tab that is closing or shows an error page cannot be served, and need not be. */
  async #execute(injection: Scripting.ScriptInjection): Promise<void> {
    await this.#parts.scripting.executeScript(injection).catch(() => undefined);
  }
}

function scriptFor(pattern: string, { name, file, world, runAt }: World): Script {
  return {
    id: scriptId(name, pattern),
    matches: [pattern],
    js: [file],
    world,
    runAt,
    allFrames: true,
    persistAcrossSessions: true,
  };
}

/** Follows from script and pattern alone, so it is the same at every start. */
const scriptId = (name: string, pattern: string): string => `${name} ${pattern}`;

function scriptIds(patterns: readonly string[], worlds: readonly World[]): string[] {
  return patterns.flatMap((pattern) => worlds.map(({ name }) => scriptId(name, pattern)));
}

function patternsOf(scripts: readonly Scripting.RegisteredContentScript[]): string[] {
  return [...new Set(scripts.map(({ id }) => id.slice(id.indexOf(' ') + 1)))];
}

/** Two registrations that overlap would run a frame's scripts twice. */
function isWithinAnother(pattern: string, all: readonly string[]): boolean {
  return all.some((other) => other !== pattern && patternWithin(pattern, other));
}
