import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { OriginMoves } from './origin-moves.ts';
import type { Revoker } from './revoker.ts';
import type { EnabledOrigins } from '../calls/enabled-origins.ts';
import { coveredByAny, type Sites } from '../ports/sites.ts';

/** What the removal of a site's grants needs. */
export interface SiteGrantsDeps {
  readonly revoker: Revoker;
  readonly originMoves: Pick<OriginMoves, 'end'>;
  readonly sites: Sites;
  readonly isUnlocked: () => Promise<boolean>;
  readonly enabledOrigins: Pick<EnabledOrigins, 'forget'>;
  /** Like a session store, but durable. Holds match patterns, which the browser has in clear too. */
  readonly notes: SessionStore;
}

const NOTE = 'removed-sites';

/**
 * A site that the user takes away is served no more, loses its grants, and opens no data that was moved to it. While the
 * vault is locked that cannot be written: the removal is noted, and carried out before anything else after the unlock.
 */
export class SiteGrants {
  readonly #deps: SiteGrantsDeps;

  constructor(deps: SiteGrantsDeps) {
    this.#deps = deps;
  }

  async removed(patterns: readonly string[]): Promise<void> {
    if (patterns.length === 0) return;
    this.#deps.enabledOrigins.forget();
    const { notes } = this.#deps;
    await notes.set(NOTE, [...new Set([...(await this.#recorded()), ...patterns])]);
    if (await this.#deps.isUnlocked()) await this.settle();
  }

  /** Carries out what was noted. To be called after each unlock. */
  async settle(): Promise<void> {
    const { notes, revoker, originMoves, sites } = this.#deps;
    const removed = await this.#recorded();
    if (removed.length === 0) return;
    const enabled = (await sites.enabled()).filter((pattern) => !removed.includes(pattern));
    const isGone = (origin: string): boolean =>
      coveredByAny(removed, origin) && !coveredByAny(enabled, origin);
    const isSaved = await revoker.takeBack(({ scope }) => isGone(scope.origin));
    const isEnded = await originMoves
      .end(({ to }) => isGone(to))
      .then(
        () => true,
        () => false,
      );
    if (isSaved && isEnded) await notes.remove(NOTE);
  }

  async #recorded(): Promise<readonly string[]> {
    return ((await this.#deps.notes.get(NOTE)) as readonly string[] | undefined) ?? [];
  }
}
