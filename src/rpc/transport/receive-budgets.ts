import { Budget } from './budget.ts';
import type { Caller } from '../channel.ts';
import { MAX_PARCEL_BYTES } from '../envelope.ts';

/** Limits on half-received messages, in bytes. */
export interface ReceivingLimits {
  /** Half-received bytes of one origin, in all its tabs and frames. */
  readonly originBytes: number;
  /** Of all pages together. */
  readonly pagesBytes: number;
  /** Of the extension's own pages, whom no page keeps waiting. */
  readonly surfacesBytes: number;
}

/** What stays free for all other pages beside the largest message of one: batches of thousands. */
export const OTHERS_BYTES = 4 * 1024 * 1024;

/**
 * Messages beyond 64 KiB are sealed and opened in content scripts, so what comes here in pieces are
 * texts, batches and arguments of `subtle`. One of the largest at a time, lest a flood of them grows
 * the background; what does not fit waits.
 */
export const RECEIVING_LIMITS: ReceivingLimits = {
  originBytes: MAX_PARCEL_BYTES,
  pagesBytes: MAX_PARCEL_BYTES + OTHERS_BYTES,
  surfacesBytes: MAX_PARCEL_BYTES,
};

/** A line's part in what is half received. */
export interface Share {
  readonly budget: Budget;
  /** To be called once, when the line has closed. */
  readonly leave: () => void;
}

interface OriginBudget {
  readonly budget: Budget;
  lines: number;
}

/**
 * Bounds what peers have announced and not yet sent whole, over all lines of the background: no
 * origin can exhaust it by announcing, however many frames it opens.
 */
export class ReceivingBudgets {
  readonly #limits: ReceivingLimits;
  readonly #pages: Budget;
  readonly #surfaces: Budget;
  readonly #origins = new Map<string, OriginBudget>();

  constructor(limits: ReceivingLimits = RECEIVING_LIMITS) {
    this.#limits = limits;
    this.#pages = new Budget(limits.pagesBytes);
    this.#surfaces = new Budget(limits.surfacesBytes);
  }

  /** How many origins have lines open. */
  get origins(): number {
    return this.#origins.size;
  }

  /** The budget for one more line of this caller. */
  join(caller: Caller): Share {
    if (caller.kind === 'surface') return { budget: this.#surfaces, leave: () => undefined };
    const { origin } = caller;
    const own = this.#origins.get(origin) ?? this.#opened(origin);
    own.lines++;
    return { budget: own.budget, leave: () => this.#left(origin, own) };
  }

  #opened(origin: string): OriginBudget {
    const own = { budget: new Budget(this.#limits.originBytes, this.#pages), lines: 0 };
    this.#origins.set(origin, own);
    return own;
  }

  #left(origin: string, own: OriginBudget): void {
    own.lines--;
    if (own.lines === 0) this.#origins.delete(origin);
  }
}
