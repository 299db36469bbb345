import type { Permissions, Scripting, Tabs } from 'webextension-polyfill';
import type { Locks } from '../../src/keys/locks.ts';
import { patternWithin, type Sites } from '../../src/service/sites.ts';

export interface SitesParts {
  readonly permissions: Permissions.Static;
  readonly scripting: Scripting.Static;
  readonly tabs: Tabs.Static;
  readonly locks: Locks;
}

type Script = Scripting.RegisteredContentScript & { matchOriginAsFallback?: boolean };

const LOCK = 'sealwright sites';

/** content.ts first: it then waits for page.ts's hello, whichever the browser starts first. */
const WORLDS = [
  { name: 'content', file: 'content.js', world: 'ISOLATED' },
  { name: 'page', file: 'page.js', world: 'MAIN' },
] as const;

/**
 * The browser's permission store is the record of what the user enabled; script registrations
 * follow it. `reconcile` makes them agree and is run whenever they may not: on install, start and
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
    await this.#parts.permissions.remove({ origins: [pattern] });
    await this.reconcile();
  }

  async tabAddress(tabId: number): Promise<string | undefined> {
    const { url } = await this.#parts.tabs.get(tabId);
    return url;
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
      const registered = await this.#parts.scripting.getRegisteredContentScripts();
      const stale = registered.filter(({ id }) => !scriptIds(wanted).includes(id));
      if (stale.length > 0) {
        await this.#parts.scripting.unregisterContentScripts({ ids: stale.map(({ id }) => id) });
      }
      const ids = registered.map(({ id }) => id);
      const added = wanted.filter(
        (pattern) => !scriptIds([pattern]).every((id) => ids.includes(id)),
      );
      for (const pattern of added) await this.#serve(pattern, ids);
      return patternsOf(stale).filter((pattern) => !permitted.includes(pattern));
    });
  }

  /** Scripts of every site anew in the tabs that are open: after an update the old ones are orphans. */
  async serveOpenTabs(): Promise<void> {
    for (const pattern of await this.enabled()) await this.#inject(pattern);
  }

  async #serve(pattern: string, registered: readonly string[]): Promise<void> {
    const missing = scriptsFor(pattern).filter(({ id }) => !registered.includes(id));
    await this.#register(missing);
    await this.#inject(pattern);
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

  async #inject(pattern: string): Promise<void> {
    const tabs = await this.#parts.tabs.query({ url: pattern });
    const ids = tabs.map(({ id }) => id).filter((id) => id !== undefined);
    await Promise.all(ids.map((tabId) => this.#injectInto(tabId)));
  }

  /** A tab that is closing or shows an error page cannot be served, and need not be. */
  async #injectInto(tabId: number): Promise<void> {
    for (const { file, world } of WORLDS) {
      const target = { tabId, allFrames: true };
      await this.#parts.scripting
        .executeScript({ target, files: [file], world, injectImmediately: true })
        .catch(() => undefined);
    }
  }
}

/** One pattern's two scripts; ids follow from the pattern alone, so they are the same at every start. */
function scriptsFor(pattern: string): Script[] {
  return WORLDS.map(({ name, file, world }) => ({
    id: `${name} ${pattern}`,
    matches: [pattern],
    js: [file],
    world,
    runAt: 'document_start',
    allFrames: true,
    persistAcrossSessions: true,
  }));
}

function scriptIds(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => WORLDS.map(({ name }) => `${name} ${pattern}`));
}

function patternsOf(scripts: readonly Scripting.RegisteredContentScript[]): string[] {
  return [...new Set(scripts.map(({ id }) => id.slice(id.indexOf(' ') + 1)))];
}

/** Two registrations that overlap would run a frame's scripts twice. */
function isWithinAnother(pattern: string, all: readonly string[]): boolean {
  return all.some((other) => other !== pattern && patternWithin(pattern, other));
}
