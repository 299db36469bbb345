import { equal } from '../../crypto/bytes.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { Later } from '../../rpc/timers.ts';

interface Deps {
  readonly random: RandomSource;
  readonly vault: Pick<Vault, 'sealAndOpen'>;
  readonly later: Later;
}

/** As much as `crypto.getRandomValues` gives at once. */
const RANDOM_BYTES = 65_536;
/** As long as a short text, in a record of the vault. */
const TEXT = 'x'.repeat(1024);
/** Other calls are answered between the rounds. Each is longer than a tick of the browsers' clocks, of up to 1 ms. */
const ROUNDS = 5;
const ROUND_MS = 5;

/**
 * The part of the self-test for which the background is needed: its random generator, and the vault. Nothing is
 * left behind: no grant, no entry of the log, no change of the vault, and no use of it that defers the lock.
 */
export function selfTestMethods({
  random,
  vault,
  later,
}: Deps): Pick<Implementations, 'ui.selfTest'> {
  const pause = () => new Promise<void>(later);
  const draw = (): Uint8Array => random.bytes(RANDOM_BYTES);
  const roundTrip = async (): Promise<void> => {
    if ((await vault.sealAndOpen(TEXT)) !== TEXT) throw new Error('the vault does not open');
  };
  return {
    async 'ui.selfTest'() {
      if (equal(draw(), draw())) throw new Error('the random generator repeats itself');
      const randomMicroseconds = await microseconds(draw, pause);
      const vaultMicroseconds = await unlessLocked(() => microseconds(roundTrip, pause));
      return {
        randomBytes: RANDOM_BYTES,
        randomMicroseconds,
        vaultBytes: TEXT.length,
        vaultMicroseconds,
      };
    },
  };
}

/** The time of one call, at least 1: of the rounds' means the middle one. */
async function microseconds(run: () => unknown, pause: () => Promise<void>): Promise<number> {
  const means: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await pause();
    const start = performance.now();
    let [calls, ms] = [0, 0];
    for (; ms < ROUND_MS; ms = performance.now() - start) {
      await run();
      calls++;
    }
    means.push((1e3 * ms) / calls);
  }
  means.sort((a, b) => a - b);
  return Math.max(1, Math.round(means[ROUNDS >> 1]!));
}

async function unlessLocked<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VaultError && error.code === 'LOCKED') return null;
    throw error;
  }
}
