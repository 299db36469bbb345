import { wipe } from '../../crypto/bytes.ts';
import type { PassphraseKdf } from '../../format/passphrase.ts';
import {
  ARGON2ID_MAX,
  CALIBRATED_WORK_MAX,
  PBKDF2_COST,
  type PassphraseCost,
} from './passphrase-kdf.ts';
import { ARGON2ID_COST, ARGON2ID_MIN, type Argon2idCost } from '../../format/passphrase.ts';
import { succeeds } from '../storage/replicas.ts';
import type { SessionStore } from '../storage/key-value-store.ts';

/** How long an unlock may take on the machine that calibrated it, in ms. */
export const UNLOCK_MS = { least: 500, aim: 800, most: 1_200 } as const;

/** Times outside the window by less than this factor are taken for noise. */
const TOLERANCE = 1.4;

/** The most memory that a calibration asks for, however fast the machine. */
const MEMORY_MAX_KIB = CALIBRATED_WORK_MAX / ARGON2ID_MAX.passes;

/** What is tried where the recommended memory is not available, largest first. */
const LOWER_MEMORY_KIB = [32_768, ARGON2ID_MIN.memoryKiB] as const;

const SALT = new Uint8Array(16);

/**
 * Measures the cost of a passphrase for this machine: a derivation is timed, and passes, then memory,
 * are raised until one takes about `UNLOCK_MS.aim`. Never less than RFC 9106's 64 MiB, t = 3, p = 4
 * where that much memory is available, however slow; PBKDF2 where Argon2id does not run at all.
 *
 * @param clock ms, of any origin
 */
export async function calibrateCost(
  derive: PassphraseKdf,
  clock: () => number,
): Promise<PassphraseCost> {
  const lower = LOWER_MEMORY_KIB.map((memoryKiB) => ({ ...ARGON2ID_COST, memoryKiB }));
  for (const cost of [ARGON2ID_COST, ...lower]) {
    const tookMs = await measure(derive, cost, clock);
    if (tookMs !== undefined) return costFor(cost, tookMs);
  }
  return PBKDF2_COST;
}

/**
 * The cost that should take `UNLOCK_MS.aim`, after `tried` took `tookMs`. Time grows with memory times
 * passes (RFC 9106 section 3.4). The aim is used rather than the minimum, because a machine that has
 * just woken up is faster the next time.
 */
export function costFor(tried: Argon2idCost, tookMs: number): Argon2idCost {
  const perPassMs = Math.max(tookMs, 1) / tried.passes;
  const wanted = Math.round(UNLOCK_MS.aim / perPassMs);
  if (wanted <= tried.passes) return tried;
  const passes = Math.min(wanted, ARGON2ID_MAX.passes);
  // Where memory was missing, no more is asked for than was available.
  const isLow = tried.memoryKiB < ARGON2ID_COST.memoryKiB;
  if (passes === wanted || isLow) return { ...tried, passes };
  const memoryKiB = Math.round((tried.memoryKiB * wanted) / passes);
  return { ...tried, passes, memoryKiB: Math.min(memoryKiB, MEMORY_MAX_KIB) };
}

/** What a new calibration would do to a passphrase's cost. */
export type Advice = 'none' | 'raise' | 'lower';

/**
 * Whether a new calibration is worthwhile: a faster machine makes guesses cheap, a slower one makes
 * the user wait.
 */
export function adviceFor(cost: Argon2idCost, tookMs: number): Advice {
  const { memoryKiB, passes } = ARGON2ID_COST;
  const isLeast = cost.memoryKiB * cost.passes <= memoryKiB * passes;
  const isMost = cost.memoryKiB >= MEMORY_MAX_KIB && cost.passes >= ARGON2ID_MAX.passes;
  if (tookMs * TOLERANCE < UNLOCK_MS.least && !isMost) return 'raise';
  return tookMs > UNLOCK_MS.most * TOLERANCE && !isLeast ? 'lower' : 'none';
}

/**
 * ms of the shorter of two runs, because the first compiles; undefined where this machine cannot do
 * it.
 */
async function measure(
  derive: PassphraseKdf,
  cost: Argon2idCost,
  clock: () => number,
): Promise<number | undefined> {
  const once = async () => {
    const before = clock();
    wipe(await derive(new Uint8Array(8), SALT, cost));
    return clock() - before;
  };
  try {
    const first = await once();
    return first >= 2 * UNLOCK_MS.least ? first : Math.min(first, await once());
  } catch {
    return undefined; // no WebAssembly, or not this much memory: the next lower cost is tried
  }
}

const STORE_KEY = 'derivation times';

/** Costs that are remembered: the vault has one, and a backup that is opened another. */
const COSTS_MAX = 4;

/**
 * How long derivations took on this machine, by cost, until the browser ends. It shows where a passphrase
 * was calibrated on another machine.
 */
export class DerivationTimes {
  readonly #session: SessionStore;
  readonly #clock: () => number;

  /** @param clock ms, of any origin */
  constructor(session: SessionStore, clock: () => number) {
    this.#session = session;
    this.#clock = clock;
  }

  /** The same derivation, which records its times. */
  timed(derive: PassphraseKdf): PassphraseKdf {
    return async (passphrase, salt, cost, signal) => {
      const before = this.#clock();
      const key = await derive(passphrase, salt, cost, signal);
      await succeeds(this.#record(cost, Math.round(this.#clock() - before)));
      return key;
    };
  }

  /** ms of the last derivation of this cost; undefined where there was none. */
  async of(cost: Argon2idCost): Promise<number | undefined> {
    return (await this.#all()).find(([name]) => name === nameOf(cost))?.[1];
  }

  async #record(cost: Argon2idCost, tookMs: number): Promise<void> {
    const name = nameOf(cost);
    const others = (await this.#all()).filter(([other]) => other !== name);
    await this.#session.set(STORE_KEY, [[name, tookMs], ...others].slice(0, COSTS_MAX));
  }

  async #all(): Promise<readonly (readonly [string, number])[]> {
    return ((await this.#session.get(STORE_KEY)) ?? []) as [string, number][];
  }
}

const nameOf = ({ memoryKiB, passes, parallelism }: Argon2idCost): string =>
  `${memoryKiB} ${passes} ${parallelism}`;
