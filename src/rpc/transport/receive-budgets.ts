import { Budget, SharedBytes } from './budget.ts';
import type { Caller } from '../channel.ts';
import { MAX_PARCEL_BYTES } from '../envelope.ts';
import { MAX_SUBTLE_BYTES } from '../limits.ts';
import { PIECE_SIZES, type HoldBody } from './chunks.ts';
import { MAX_PLAIN_WEIGHT } from './plain-value.ts';

/** Limits on half-received messages, in bytes. */
export interface ReceivingLimits {
  /** Half-received bytes of one origin, in all its tabs and frames. */
  readonly originBytes: number;
  /** Of all pages together. */
  readonly pagesBytes: number;
  /** Beyond that, of all origins' equal shares together. */
  readonly sharesBytes: number;
  /** Of the extension's own pages, which do not wait for pages of sites. */
  readonly surfacesBytes: number;
  /** Bodies of announced messages, of all pages together. Beyond it, an origin has its equal share. */
  readonly bodiesBytes: number;
  /** Of one origin: what its senders may have sent before the thread has taken it. */
  readonly windowBytes: number;
  /** The same of all pages together, as long as their senders keep to their turns. Others' messages come after that. */
  readonly turnsBytes: number;
}

/** Left for all other pages beside the largest message of one origin: batches of thousands. */
export const OTHERS_BYTES = 4 * 1024 * 1024;

/** Beyond both, of the equal shares of all origins: two of the largest arguments of `subtle`. */
export const SHARES_BYTES = 2 * MAX_SUBTLE_BYTES;

/**
 * Messages beyond 64 KiB are sealed and opened in content scripts, so pieces that arrive here are of
 * texts, batches and arguments of `subtle`. One of the largest is received at a time, which bounds
 * the background's memory; others of that size wait, and each origin has its share.
 */
export const RECEIVING_LIMITS: ReceivingLimits = {
  originBytes: MAX_PARCEL_BYTES,
  pagesBytes: MAX_PARCEL_BYTES + OTHERS_BYTES,
  sharesBytes: SHARES_BYTES,
  surfacesBytes: MAX_PARCEL_BYTES,
  bodiesBytes: MAX_PLAIN_WEIGHT,
  windowBytes: 2 * PIECE_SIZES.windowBytes,
  turnsBytes: PIECE_SIZES.windowBytes,
};

/** The budget of one channel. */
export interface Share {
  readonly budget: Budget;
  /** Absent for the extension's own pages, as are `turns` and `holdBody`. */
  readonly windows?: Budget;
  readonly turns?: Budget;
  readonly holdBody?: HoldBody;
  /** Must be called once, when the channel has closed. */
  readonly leave: () => void;
}

interface OriginBudget {
  readonly budget: Budget;
  readonly windows: Budget;
  readonly turns: Budget;
  channels: number;
}

/**
 * Limits the bytes that peers have announced and not yet sent, over all channels of the background.
 * An origin cannot exhaust them, however many frames it opens.
 */
export class ReceivingBudgets {
  readonly #limits: ReceivingLimits;
  readonly #pages: Budget;
  readonly #surfaces: Budget;
  readonly #turns: Budget;
  readonly #origins = new Map<string, OriginBudget>();
  readonly #bodies: SharedBytes;

  constructor(limits: ReceivingLimits = RECEIVING_LIMITS) {
    this.#limits = limits;
    this.#bodies = new SharedBytes(limits.bodiesBytes);
    this.#pages = new Budget(limits.pagesBytes, { sharesBytes: limits.sharesBytes });
    this.#surfaces = new Budget(limits.surfacesBytes);
    this.#turns = new Budget(limits.turnsBytes);
  }

  /** How many origins have channels open. */
  get origins(): number {
    return this.#origins.size;
  }

  /** The budget for one more channel of this caller. */
  join(caller: Caller): Share {
    if (caller.kind === 'surface') return { budget: this.#surfaces, leave: () => undefined };
    const { origin } = caller;
    const own = this.#origins.get(origin) ?? this.#opened(origin);
    own.channels++;
    return {
      budget: own.budget,
      windows: own.windows,
      turns: own.turns,
      holdBody: (bytes) => this.#holdBody(origin, bytes),
      leave: () => this.#left(origin, own),
    };
  }

  #holdBody(origin: string, bytes: number): (() => void) | undefined {
    if (!this.#bodies.fits(origin, bytes)) return undefined;
    this.#bodies.hold(origin, bytes);
    return () => this.#bodies.hold(origin, -bytes);
  }

  #opened(origin: string): OriginBudget {
    const { originBytes, windowBytes, turnsBytes } = this.#limits;
    const own = {
      budget: new Budget(originBytes, { whole: this.#pages, owner: origin }),
      windows: new Budget(windowBytes),
      turns: new Budget(turnsBytes, { whole: this.#turns, owner: origin }),
      channels: 0,
    };
    this.#origins.set(origin, own);
    return own;
  }

  #left(origin: string, own: OriginBudget): void {
    own.channels--;
    if (own.channels === 0) this.#origins.delete(origin);
  }
}
