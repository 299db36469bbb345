import type { CachedSession } from './cached-session.ts';

/**
 * When an unlocked vault locks itself. The decisions are pure functions over a clock that is handed
 * in; the deadline lives in the session store, so that it outlives the worker, and is looked at
 * again at every use of the key. An alarm may lock sooner; nothing here depends on one.
 */
export interface AutoLockLimits {
  /** Without a use. */
  readonly idleMs: number;
  /** After the unlock, used or not. */
  readonly absoluteMs: number;
}

export interface Deadline extends AutoLockLimits {
  readonly unlockedAt: number;
  readonly lastUse: number;
}

export const DEFAULT_LIMITS: AutoLockLimits = {
  idleMs: 10 * 60_000, // security.md 5.3: 10 min idle
  absoluteMs: 12 * 3_600_000, // NIST SP 800-63B section 4.2.3: at least once per 12 hours
};

/** A clock that the system set back by less than this (NTP) means nothing; by more, it locks. */
export const CLOCK_TOLERANCE_MS = 120_000;

/** Uses nearer to each other than this are written down as one. */
export const USE_GRAIN_MS = 5_000;

export function lockAt({ unlockedAt, lastUse, idleMs, absoluteMs }: Deadline): number {
  return Math.min(lastUse + idleMs, unlockedAt + absoluteMs);
}

/** A clock set back hides how long the vault lay unlocked, so it locks rather than trusts. */
export function isDue(deadline: Deadline, now: number): boolean {
  return now >= lockAt(deadline) || now < deadline.lastUse - CLOCK_TOLERANCE_MS;
}

/** Whether another use now would be written down. */
function isWorthNoting({ lastUse, idleMs }: Deadline, now: number): boolean {
  return now - lastUse >= Math.min(USE_GRAIN_MS, idleMs / 20);
}

export function used(deadline: Deadline, now: number): Deadline {
  return { ...deadline, lastUse: Math.max(deadline.lastUse, now) };
}

/** @throws RangeError unless both limits are positive numbers of ms */
export function checkLimits({ idleMs, absoluteMs }: AutoLockLimits): void {
  for (const ms of [idleMs, absoluteMs]) {
    if (!(Number.isFinite(ms) && ms > 0)) throw new RangeError('limits: must be positive ms');
  }
}

const KEY = 'vault/deadline';

export class AutoLock {
  readonly #session: CachedSession;
  readonly #now: () => number;

  constructor(session: CachedSession, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  async start(limits: AutoLockLimits): Promise<void> {
    const now = this.#now();
    await this.#session.set(KEY, { ...limits, unlockedAt: now, lastUse: now });
  }

  async stop(): Promise<void> {
    await this.#session.remove(KEY);
  }

  /** True where the deadline has passed, and also where there is none to be read. */
  async due(): Promise<boolean> {
    const deadline = await this.#read();
    return deadline === undefined || isDue(deadline, this.#now());
  }

  /** Counts a use, which moves the idle deadline. A deadline that has passed stays passed. */
  async touch(): Promise<void> {
    const deadline = await this.#read();
    const now = this.#now();
    if (deadline === undefined || isDue(deadline, now)) return;
    if (isWorthNoting(deadline, now)) await this.#session.set(KEY, used(deadline, now));
  }

  /**
   * Whether what is remembered tells that the deadline has not passed, and that a use now is as good
   * as noted. Asks nobody: false may mean that one has to look.
   */
  hasNotedUse(): boolean {
    const deadline = parseDeadline(this.#session.known(KEY));
    const now = this.#now();
    return deadline !== undefined && !isDue(deadline, now) && !isWorthNoting(deadline, now);
  }

  async setLimits(limits: Partial<AutoLockLimits>): Promise<void> {
    const deadline = await this.#read();
    if (deadline !== undefined) await this.#session.set(KEY, { ...deadline, ...limits });
  }

  /** When the vault will lock by itself, on the clock of `now`. */
  async lockAt(): Promise<number | undefined> {
    const deadline = await this.#read();
    return deadline && lockAt(deadline);
  }

  async #read(): Promise<Deadline | undefined> {
    return parseDeadline(await this.#session.get(KEY));
  }
}

function parseDeadline(value: unknown): Deadline | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { idleMs, absoluteMs, unlockedAt, lastUse } = value as Record<string, unknown>;
  const numbers = [idleMs, absoluteMs, unlockedAt, lastUse];
  if (!numbers.every((number) => typeof number === 'number')) return undefined;
  return value as Deadline;
}
