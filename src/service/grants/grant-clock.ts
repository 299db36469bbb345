import { CLOCK_TOLERANCE_MS } from '../../keys/unlock/auto-lock.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/** The vault record with the latest time at which grants were judged, ms since the epoch. */
const MARK_ID = 'grant-clock';
const MARK_TYPE = 'setting';

/** The mark is saved to the minute: less is lost with a worker than an inaccurate clock costs. */
const MARK_STEP_MS = 60_000;

/** What the clock of grants is built from. */
export interface GrantClockDeps {
  readonly vault: Vault;
  /** The system's clock: ms since the epoch. */
  readonly now: () => number;
}

/**
 * The clock by which grants end. It never goes back: a grant that was over stays over when the system's
 * clock is set back, in this worker's life and after it. A clock that was set back by more than a few
 * minutes also locks the vault (src/keys/unlock/auto-lock.ts); at the next unlock `correction` says by
 * how much the times of grants have to be moved, and the clock goes on from the system's new time. So
 * neither does a clock that was once far ahead stop this one for years.
 */
export class GrantClock implements PiggybackedWrite {
  readonly #deps: GrantClockDeps;
  #seen = Number.NEGATIVE_INFINITY;
  #saved = Number.NEGATIVE_INFINITY;

  constructor(deps: GrantClockDeps) {
    this.#deps = deps;
  }

  now(): number {
    this.#seen = Math.max(this.#seen, this.#deps.now());
    return this.#seen;
  }

  /** Reads the mark of earlier workers. @throws VaultError LOCKED */
  async load(): Promise<void> {
    const mark = (await this.#deps.vault.read(MARK_ID))?.value;
    if (typeof mark === 'number') this.#seen = Math.max(this.#seen, mark);
  }

  /** Call after `load`: the difference to the system's clock where that was set back, in ms; else 0. */
  correction(): number {
    const ms = this.#deps.now() - this.#seen;
    return ms < -CLOCK_TOLERANCE_MS ? ms : 0;
  }

  /** Goes on from the system's time, within the commit that moves the times of all grants. */
  restartIn(draft: VaultDraft): void {
    this.#seen = this.#deps.now();
    this.#saved = this.#seen;
    putMark(draft, this.#seen);
  }

  take(): Taken {
    const seen = this.#seen;
    const isDue = seen - this.#saved >= MARK_STEP_MS;
    return {
      write: (draft) => {
        if (isDue) putMark(draft, seen);
        return Promise.resolve();
      },
      settle: (saved) => {
        if (isDue && saved) this.#saved = seen;
      },
    };
  }
}

function putMark(draft: VaultDraft, value: number): void {
  draft.put({ id: MARK_ID, type: MARK_TYPE, value });
}
