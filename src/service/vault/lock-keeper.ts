import type { Awaitable } from '../../engine/contract.ts';
import { DEFAULT_LIMITS } from '../../keys/unlock/auto-lock.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { SHOWN_STATE } from '../../rpc/methods/ui.ts';
import type { Activity } from '../audit/activity.ts';
import type { InFlightCalls } from '../calls/in-flight.ts';
import type { Hedge } from '../messages/salts.ts';
import type { StateEvents } from '../ports/state-events.ts';
import type { FirstCode } from './first-code.ts';

/** What locking ends, forgets and announces. */
export interface LockKeeperDeps {
  readonly vault: Vault;
  readonly session: SessionStore;
  readonly wakeUp: WakeUp;
  readonly presence: Presence;
  readonly now: () => number;
  readonly inFlightCalls: InFlightCalls;
  readonly hedge: Pick<Hedge, 'forget'>;
  readonly firstCode: Pick<FirstCode, 'end'>;
  readonly events: StateEvents;
  readonly activity: Pick<Activity, 'record'>;
  /** The vault was unlocked or locked. */
  readonly onStateChanged: () => void;
}

/** The idle limit in ms, and when the vault locks (ms since the epoch; null while locked). */
export interface LockState {
  readonly autoLockMs: number;
  readonly lockAt: number | null;
}

/** What locked the vault, as the audit log names it: the user, the screen of the system, or a limit of time. */
export type LockOperation = (typeof LOCK_OPERATIONS)[number];
export const LOCK_OPERATIONS = ['lock', 'lockWithScreen', 'lockByTime'] as const;

/** One minute to the absolute limit: shorter would lock between two clicks, longer never. */
export const AUTO_LOCK_MS = { min: 60_000, max: DEFAULT_LIMITS.absoluteMs } as const;

/** While the user is away, a page's uses ask for that no more often than this, in ms. */
const ASK_PRESENCE_EVERY_MS = 5_000;

const SETTING_ID = 'auto-lock';
const SETTING_TYPE = 'setting';

/** In the session store while pages have been told of an unlock and not yet of its end. */
const ANNOUNCED = SHOWN_STATE.unlock;

/**
 * Does what belongs to locking and unlocking: the wake-up, the end of calls in flight, the events for
 * pages. The vault checks its deadline before each use; the wake-up locks an idle vault too.
 */
export class LockKeeper {
  readonly #deps: LockKeeperDeps;
  /** When the user was last found to be away. */
  #awayAt = Number.NEGATIVE_INFINITY;
  /** By call of our own pages: is aborted by the first lock after its arrival. */
  readonly #locksAfter = new WeakMap<Call, AbortSignal>();

  constructor(deps: LockKeeperDeps) {
    this.#deps = deps;
  }

  /** After a successful unlock or creation. */
  async unlocked(): Promise<void> {
    const { vault, session, events, firstCode, onStateChanged } = this.#deps;
    firstCode.end();
    await vault.setAutoLock({ idleMs: await this.#idleMs() });
    await this.#planWakeUp();
    await session.set(ANNOUNCED, true);
    // A lock meanwhile had nothing to announce, if it came before the line above.
    if (!(await this.isUnlocked())) return this.#announceLock('lock');
    events.unlock();
    onStateChanged();
  }

  async lock(operation: LockOperation = 'lock'): Promise<void> {
    this.#endWork();
    await this.#deps.vault.lock();
    await this.#announceLock(operation);
  }

  /** A call of our own pages has come: for `untilLocked`, before the call waits for anything. */
  arrived(call: Call): void {
    this.#locksAfter.set(call, this.#deps.vault.untilLocked());
  }

  /** Is aborted by the first lock after the call's arrival: what the call unlocks then ends locked. */
  untilLocked(call: Call): AbortSignal {
    return this.#locksAfter.get(call) ?? this.#deps.vault.untilLocked();
  }

  /** Locks if the deadline has passed. Runs before every call. */
  check(): Awaitable<void> {
    return this.#deps.vault.isKnownOpen() ? undefined : this.#checkDeadline();
  }

  async #checkDeadline(): Promise<void> {
    if (!(await this.isUnlocked())) await this.#announceLock('lockByTime');
  }

  /** The user did something in the extension's own pages: that moves the idle deadline. */
  async usedByUser(): Promise<void> {
    await this.#deps.vault.touch();
  }

  /**
   * A page has used a grant. That moves the idle deadline while someone uses the computer, which the
   * browser says and no page can: pages left open alone do not keep the vault open.
   */
  usedByPage(): Awaitable<void> {
    const { vault, now } = this.#deps;
    const isKnownAway = Math.abs(now() - this.#awayAt) < ASK_PRESENCE_EVERY_MS;
    return isKnownAway || vault.hasRecordedUse() ? undefined : this.#touchIfPresent();
  }

  async #touchIfPresent(): Promise<void> {
    const { vault, presence, now } = this.#deps;
    if (await presence.isActive()) await vault.touch();
    else this.#awayAt = now();
  }

  /** The wake-up came: the deadline may have moved since it was planned. */
  async woken(): Promise<void> {
    if (await this.isUnlocked()) await this.#planWakeUp();
    else await this.#announceLock('lockByTime');
  }

  /** @throws SealwrightError INVALID_ARGUMENT; VaultError LOCKED */
  async setAutoLock(autoLockMs: number): Promise<void> {
    const { vault } = this.#deps;
    if (autoLockMs < AUTO_LOCK_MS.min || autoLockMs > AUTO_LOCK_MS.max) {
      const limits = `${AUTO_LOCK_MS.min} to ${AUTO_LOCK_MS.max} ms`;
      throw new SealwrightError('INVALID_ARGUMENT', `autoLockMs: expected ${limits}`);
    }
    await vault.commit((draft) => {
      draft.put({ id: SETTING_ID, type: SETTING_TYPE, value: autoLockMs });
    });
    await vault.setAutoLock({ idleMs: autoLockMs });
    await this.#planWakeUp();
  }

  /** Where the setting cannot be read, because of a lock or of damage, the default stands for it. */
  async state(): Promise<LockState> {
    const lockAt = await this.#deps.vault.lockAt();
    const usual = DEFAULT_LIMITS.idleMs;
    if (lockAt === undefined) return { autoLockMs: usual, lockAt: null };
    return { autoLockMs: await this.#idleMs().catch(() => usual), lockAt };
  }

  /** Reads no store of the vault, and looks at the deadline. */
  async isUnlocked(): Promise<boolean> {
    return (await this.#deps.vault.lockAt()) !== undefined;
  }

  async #idleMs(): Promise<number> {
    const setting = await this.#deps.vault.read(SETTING_ID);
    return typeof setting?.value === 'number' ? setting.value : DEFAULT_LIMITS.idleMs;
  }

  async #planWakeUp(): Promise<void> {
    const { vault, wakeUp } = this.#deps;
    await wakeUp.at((await vault.lockAt()) ?? null);
  }

  /** Announces each lock once, in this worker's life or the next. */
  async #announceLock(operation: LockOperation): Promise<void> {
    const { session, wakeUp, events, activity, onStateChanged } = this.#deps;
    if ((await session.get(ANNOUNCED)) === undefined) return;
    await session.remove(ANNOUNCED);
    this.#endWork();
    activity.record({ operation });
    await wakeUp.at(null);
    events.lock();
    onStateChanged();
  }

  #endWork(): void {
    this.#deps.inFlightCalls.endAll(new SealwrightError('LOCKED', 'Sealwright was locked'));
    this.#deps.hedge.forget();
    this.#deps.firstCode.end();
  }
}

/** The contract for asking after the user; `extension/platform/lock/lock-triggers.ts` implements it. */
export interface Presence {
  /** Whether someone used the computer within the last minute; true where that is unknown. */
  isActive(): Promise<boolean>;
}

/** The contract for being woken at a time; `extension/platform/lock/alarms.ts` implements it. */
export interface WakeUp {
  /** @param time ms since the epoch; null cancels. A later call replaces an earlier one. */
  at(time: number | null): Promise<void>;
}
