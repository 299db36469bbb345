import type { CachedSession } from './cached-session.ts';

/*
 * When an unlocked vault locks itself. The decisions are pure functions of a clock that is passed in.
 * The deadline is kept in the session store, so that it survives the worker, and is checked at every
 * use of the key. An alarm may lock sooner; nothing here depends on one.
 */

/** For how long a vault stays unlocked, in ms. */
export interface AutoLockLimits {
  /** After the last use. */
  readonly idleMs: number;
  /** After the unlock, whatever the use. */
  readonly absoluteMs: number;
}

/** The limits, and the times that they are counted from, in ms since the epoch. */
export interface Deadline extends AutoLockLimits {
  readonly unlockedAt: number;
  readonly lastUse: number;
}

/** The limits that every unlock starts with. */
export const DEFAULT_LIMITS: AutoLockLimits = {
  idleMs: 10 * 60_000,
  absoluteMs: 12 * 3_600_000, // NIST SP 800-63B section 4.2.3: at least once per 12 hours
};

/** A clock that was set back by less than this (NTP) is ignored; by more, the vault locks. */
export const CLOCK_TOLERANCE_MS = 120_000;

/** Uses within this time of the last recorded one are not recorded. */
export const USE_GRAIN_MS = 5_000;

/** When the vault locks, in ms since the epoch. */
export function lockAt({ unlockedAt, lastUse, idleMs, absoluteMs }: Deadline): number {
  return Math.min(lastUse + idleMs, unlockedAt + absoluteMs);
}

/**
 * Whether the vault has to lock: also when the clock was set back, which hides how long it was
 * unlocked.
 */
export function isDue(deadline: Deadline, now: number): boolean {
  return now >= lockAt(deadline) || now < deadline.lastUse - CLOCK_TOLERANCE_MS;
}

/** Whether a use now would be recorded. */
function isWorthRecording({ lastUse, idleMs }: Deadline, now: number): boolean {
  return now - lastUse >= Math.min(USE_GRAIN_MS, idleMs / 20);
}

/** The deadline after a use. A clock that goes backwards changes nothing. */
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

/** The deadline of the unlocked vault in the session store. */
export class AutoLock {
  readonly #session: CachedSession;
  readonly #now: () => number;

  constructor(session: CachedSession, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  /** Begins a session. */
  async start(limits: AutoLockLimits): Promise<void> {
    const now = this.#now();
    await this.#session.set(KEY, { ...limits, unlockedAt: now, lastUse: now });
  }

  /** Ends the session. */
  async stop(): Promise<void> {
    await this.#session.remove(KEY);
  }

  /** True where the deadline has passed, and where none can be read. */
  async due(): Promise<boolean> {
    const deadline = await this.#read();
    return deadline === undefined || isDue(deadline, this.#now());
  }

  /** Records a use, which defers the idle deadline. A deadline that has passed stays passed. */
  async touch(): Promise<void> {
    const deadline = await this.#read();
    const now = this.#now();
    if (deadline === undefined || isDue(deadline, now)) return;
    if (isWorthRecording(deadline, now)) await this.#session.set(KEY, used(deadline, now));
  }

  /** Whether the cached deadline has not passed. Reads no store: false may mean that it is not cached. */
  isKnownNotDue(): boolean {
    const deadline = parseDeadline(this.#session.cached(KEY));
    return deadline !== undefined && !isDue(deadline, this.#now());
  }

  /** The same, and whether a use now need not be recorded. */
  hasRecordedUse(): boolean {
    const deadline = parseDeadline(this.#session.cached(KEY));
    const now = this.#now();
    return deadline !== undefined && !isDue(deadline, now) && !isWorthRecording(deadline, now);
  }

  /** Changes limits of this session; no effect while locked. */
  async setLimits(limits: Partial<AutoLockLimits>): Promise<void> {
    const deadline = await this.#read();
    if (deadline !== undefined) await this.#session.set(KEY, { ...deadline, ...limits });
  }

  /** When the vault locks itself, on the clock of `now`; undefined while locked. */
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
