import { MAX_PARCEL_BYTES } from '../../rpc/envelope.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { SharedBytes } from '../../rpc/transport/budget.ts';
import { OTHERS_BYTES, SHARES_BYTES } from '../../rpc/transport/receive-budgets.ts';

/*
 * How much one origin may ask of the background. The limits hold in one worker's life: a page
 * cannot end it, and what a restart forgives is one burst.
 */

/** The reasons stand beside the numbers; `retryAfterMs` of QUOTA follows from them. */
export const LIMITS = {
  /** A page may seal or open a few large lists in one go… */
  burstCalls: 50_000,
  /** …but not keep that up: 10^6 chosen calls, what a timing attack wants, take over half an hour. */
  callsPerSecond: 500,
  /** One message of the largest size at once, and what goes with it. */
  originBytesInFlight: MAX_PARCEL_BYTES,
  /** All pages together: beside that one, small messages of others. Beyond it, an origin has its share. */
  totalBytesInFlight: MAX_PARCEL_BYTES + OTHERS_BYTES,
  /** What to suggest when bytes are the matter: about the time a large message takes. */
  bytesRetryMs: 500,
  /** A page's derivations and keys may take half of one slow core for any length of time… */
  effortMsPerMinute: 30_000,
  /** …and as much at once as a page that opens many old files needs. */
  burstEffortMs: 30_000,
  /** Less than this in one call is free. */
  effortFromMs: 1,
} as const;

/** The size of a token bucket, and how much it regains in a ms. */
interface Bucket {
  readonly burst: number;
  readonly perMs: number;
}

const CALLS: Bucket = { burst: LIMITS.burstCalls, perMs: LIMITS.callsPerSecond / 1000 };
const EFFORT: Bucket = {
  burst: LIMITS.burstEffortMs,
  perMs: LIMITS.effortMsPerMinute / 60_000,
};

/** What is in a token bucket some time later; a clock set back gives and takes nothing. */
function refilled(left: number, elapsedMs: number, { burst, perMs }: Bucket): number {
  return Math.min(burst, left + Math.max(0, elapsedMs) * perMs);
}

interface Budget {
  calls: number;
  effortMs: number;
  refilledAt: number;
}

/** Counts the calls, bytes and effort of each origin, and refuses what is beyond LIMITS. */
export class Limits {
  readonly #now: () => number;
  readonly #budgets = new Map<string, Budget>();
  readonly #bytes = new SharedBytes(LIMITS.totalBytesInFlight, SHARES_BYTES);

  /** @param now a clock in ms; a clock set back gives and takes nothing */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Admits one call that holds `bytes` in memory while it runs.
   * @param items of a batch. Each costs as much as a call of its own: the time of a batch of equal
   * items tells an attacker no less than that many calls would, and with less noise.
   * @returns what must be called, once, when the call has ended
   * @throws SealwrightError QUOTA with `retryAfterMs`
   */
  admit(origin: string, bytes: number, items = 1): () => void {
    const budget = this.#refilled(origin);
    const price = Math.max(1, items);
    if (budget.calls < price) throw quota((price - budget.calls) * (1000 / LIMITS.callsPerSecond));
    const tooMuch =
      this.#bytes.heldBy(origin) + bytes > LIMITS.originBytesInFlight ||
      !this.#bytes.fits(origin, bytes);
    if (tooMuch) throw quota(LIMITS.bytesRetryMs);
    budget.calls -= price;
    this.#bytes.hold(origin, bytes);
    return () => this.#bytes.hold(origin, -bytes);
  }

  /**
   * Charges work whose time does not depend on bytes: derivations of keys, and keys that take long
   * to make.
   * @param effortMs as effort.ts estimates it
   * @throws SealwrightError QUOTA with `retryAfterMs`
   */
  spend(origin: string, effortMs: number): void {
    if (effortMs < LIMITS.effortFromMs) return;
    const budget = this.#refilled(origin);
    const missingMs = effortMs - budget.effortMs;
    if (missingMs > 0) throw quota(missingMs / EFFORT.perMs);
    budget.effortMs -= effortMs;
  }

  #refilled(origin: string): Budget {
    const now = this.#now();
    const budget = this.#budgets.get(origin) ?? this.#opened(origin, now);
    const elapsedMs = now - budget.refilledAt;
    budget.calls = refilled(budget.calls, elapsedMs, CALLS);
    budget.effortMs = refilled(budget.effortMs, elapsedMs, EFFORT);
    budget.refilledAt = now;
    return budget;
  }

  #opened(origin: string, now: number): Budget {
    this.#forgetIdle(now);
    const { burstCalls: calls, burstEffortMs: effortMs } = LIMITS;
    const budget = { calls, effortMs, refilledAt: now };
    this.#budgets.set(origin, budget);
    return budget;
  }

  /** A budget that would be full again by now says nothing: dropping it changes nothing. */
  #forgetIdle(now: number): void {
    const fullAfterMs = Math.max(
      (LIMITS.burstCalls / LIMITS.callsPerSecond) * 1000,
      LIMITS.burstEffortMs / EFFORT.perMs,
    );
    for (const [origin, budget] of this.#budgets) {
      if (now - budget.refilledAt >= fullAfterMs) this.#budgets.delete(origin);
    }
  }
}

function quota(retryAfterMs: number): SealwrightError {
  return new SealwrightError('QUOTA', 'Too many calls from this site at once', {
    retryAfterMs: Math.ceil(retryAfterMs),
  });
}
