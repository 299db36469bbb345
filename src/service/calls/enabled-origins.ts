import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { Caller } from '../../rpc/channel.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { coveredByAny, type Sites } from '../ports/sites.ts';

/** Origins that are remembered: far more than a browser has in its tabs. */
const MAX_KNOWN = 1_000;

/**
 * Whether the user has enabled the sites that call. The scripts of a site that was disabled stay in its
 * open tabs until they are reloaded, and get nothing any more.
 */
export class EnabledOrigins {
  readonly #sites: Pick<Sites, 'enabled'>;
  /** Those that were found enabled since a site was last removed. */
  #known = new Set<string>();

  constructor({ sites }: { readonly sites: Pick<Sites, 'enabled'> }) {
    this.#sites = sites;
  }

  /** At once for an origin that is known. @throws SealwrightError UNSUPPORTED */
  require(caller: Caller): Awaitable<void> {
    if (caller.kind !== 'page' || this.#known.has(caller.origin)) return undefined;
    return then(this.#isEnabled(caller.origin), (isEnabled) => {
      if (isEnabled) return;
      throw new SealwrightError('UNSUPPORTED', 'This site is not enabled in Sealwright');
    });
  }

  /** A site was removed. */
  forget(): void {
    this.#known = new Set();
  }

  async #isEnabled(origin: string): Promise<boolean> {
    const known = this.#known; // what was asked before a removal is not remembered after it
    const isEnabled = coveredByAny(await this.#sites.enabled(), origin);
    if (isEnabled && known.size < MAX_KNOWN) known.add(origin);
    return isEnabled;
  }
}
