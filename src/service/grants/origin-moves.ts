import type { KeyRing } from '../../keys/ring/key-ring.ts';
import {
  ORIGIN_MOVE,
  originMoveId,
  originMoveOf,
  originMoveRecord,
  type OriginMove,
} from '../../keys/ring/origin-move.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Activity } from '../audit/activity.ts';
import { coveredByAny, type Sites } from '../ports/sites.ts';
import type { StateEvents } from '../ports/state-events.ts';
import type { Grants } from './grants.ts';

/** What moving data between origins needs, and who is told. */
export interface OriginMovesDeps {
  readonly vault: Vault;
  readonly keyRing: Pick<KeyRing, 'origins'>;
  readonly sites: Pick<Sites, 'enabled'>;
  readonly grants: Pick<Grants, 'all'>;
  readonly events: Pick<StateEvents, 'grantchange'>;
  readonly activity: Pick<Activity, 'record'>;
  /** ms since the epoch */
  readonly now: () => number;
}

/**
 * Which origin may open what another one has sealed. The user alone decides it, in the extension's own pages: no method of
 * pages asks for it, and none tells of it. It is a right like a grant, so it is not in backups, and it ends where the site
 * that has it is taken away. Every method rejects with VaultError LOCKED while the vault is locked.
 */
export class OriginMoves {
  readonly #deps: OriginMovesDeps;

  constructor(deps: OriginMovesDeps) {
    this.#deps = deps;
  }

  async all(): Promise<readonly OriginMove[]> {
    return (await this.#deps.vault.list(ORIGIN_MOVE)).map(originMoveOf);
  }

  /** The enabled origins that have sealed something: those that data can be moved from. */
  async sealing(): Promise<readonly string[]> {
    const enabled = await this.#deps.sites.enabled();
    return (await this.#deps.keyRing.origins())
      .filter((origin) => coveredByAny(enabled, origin))
      .sort();
  }

  /** @throws SealwrightError INVALID_ARGUMENT unless both are enabled and `from` has sealed something */
  async allow(from: string, to: string): Promise<void> {
    const isEnabled = coveredByAny(await this.#deps.sites.enabled(), to);
    const isOrigin = URL.canParse(to) && new URL(to).origin === to;
    if (!isEnabled || !isOrigin || from === to || !(await this.sealing()).includes(from)) {
      throw new SealwrightError(
        'INVALID_ARGUMENT',
        'from, to: expected two enabled sites, of which one has sealed',
      );
    }
    const move = { from, to, created: Math.trunc(this.#deps.now()) };
    await this.#deps.vault.commit((draft) => draft.put(originMoveRecord(move)));
    await this.#tell('moveData', [move]);
  }

  /** @param concerns which of them end */
  async end(concerns: (move: OriginMove) => boolean): Promise<void> {
    const ended = (await this.all()).filter(concerns);
    if (ended.length === 0) return;
    await this.#deps.vault.commit((draft) => removeMovesIn(draft, concerns));
    await this.#tell('endMove', ended);
  }

  /** In the log of both sites; pages of the one that opens look at their rows again. */
  async #tell(operation: string, moves: readonly OriginMove[]): Promise<void> {
    const { activity, events, grants } = this.#deps;
    for (const { from, to } of moves) {
      for (const of of [from, to]) activity.record({ operation, of });
    }
    for (const { scope } of await grants.all()) {
      if (moves.some(({ to }) => to === scope.origin)) events.grantchange(scope);
    }
  }
}

/** Removes moves as a part of a larger commit. */
export async function removeMovesIn(
  draft: VaultDraft,
  concerns: (move: OriginMove) => boolean,
): Promise<void> {
  const moves = (await draft.list(ORIGIN_MOVE)).map(originMoveOf).filter(concerns);
  for (const { from, to } of moves) draft.remove(originMoveId(from, to));
}
