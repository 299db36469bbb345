import type { PassphraseKdf } from './passphrase.ts';
import type { Argon2idCost } from './passphrase-kdf.ts';
import { succeeds } from '../storage/replicas.ts';
import type { SessionStore } from '../storage/session-store.ts';

const STORE_KEY = 'derivation times';

/** A vault has one cost, and a backup that is looked at another. */
const KEPT = 4;

/**
 * How long derivations took on this machine, by what they cost; forgotten when the browser ends. A
 * passphrase that was calibrated elsewhere, or on a machine that has changed, is known by it.
 */
export class DerivationTimes {
  readonly #session: SessionStore;
  readonly #clock: () => number;

  /** @param clock ms, of any origin */
  constructor(session: SessionStore, clock: () => number) {
    this.#session = session;
    this.#clock = clock;
  }

  /** The same derivation, whose times are kept. */
  timed(derive: PassphraseKdf): PassphraseKdf {
    return async (passphrase, salt, cost, signal) => {
      const before = this.#clock();
      const key = await derive(passphrase, salt, cost, signal);
      await succeeds(this.#keep(cost, Math.round(this.#clock() - before)));
      return key;
    };
  }

  /** ms of the last one that cost so much, if there was one. */
  async of(cost: Argon2idCost): Promise<number | undefined> {
    return (await this.#all()).find(([name]) => name === nameOf(cost))?.[1];
  }

  async #keep(cost: Argon2idCost, tookMs: number): Promise<void> {
    const name = nameOf(cost);
    const others = (await this.#all()).filter(([other]) => other !== name);
    await this.#session.set(STORE_KEY, [[name, tookMs], ...others].slice(0, KEPT));
  }

  async #all(): Promise<readonly (readonly [string, number])[]> {
    return ((await this.#session.get(STORE_KEY)) ?? []) as [string, number][];
  }
}

const nameOf = ({ memoryKiB, passes, parallelism }: Argon2idCost): string =>
  `${memoryKiB} ${passes} ${parallelism}`;
