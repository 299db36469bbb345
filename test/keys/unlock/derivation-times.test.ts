import { expect } from 'chai';
import { DerivationTimes } from '../../../src/keys/unlock/calibration.ts';
import type { PassphraseKdf } from '../../../src/format/passphrase.ts';
import { ARGON2ID_COST } from '../../../src/format/passphrase.ts';
import { MemorySession } from '../../support/stores/memory-store.ts';

const costOf = (passes: number) => ({ ...ARGON2ID_COST, passes });
const KEY = new Uint8Array(32).fill(5);

/** A machine on which a pass takes 100 ms. */
function timedMachine(session = new MemorySession()) {
  let now = 0;
  const times = new DerivationTimes(session, () => now);
  const derive: PassphraseKdf = (_passphrase, _salt, { passes }, signal) => {
    signal?.throwIfAborted();
    now += 100 * passes;
    return Promise.resolve(KEY);
  };
  const timed = times.timed(derive);
  const run = (passes: number, signal?: AbortSignal) =>
    timed(new Uint8Array(1), new Uint8Array(16), costOf(passes), signal);
  return { times, run, session };
}

describe('DerivationTimes', () => {
  it('keeps what each cost took, over workers, and hands the key through', async () => {
    const { run, session } = timedMachine();
    expect(await run(3)).to.equal(KEY);
    await run(5);
    const { times } = timedMachine(session);
    expect(await times.of(costOf(3))).to.equal(300);
    expect(await times.of(costOf(5))).to.equal(500);
    expect(await times.of(costOf(4))).to.equal(undefined);
  });

  it('keeps the last four', async () => {
    const { run, times } = timedMachine();
    for (const passes of [2, 3, 4, 2, 5, 6]) await run(passes);
    const known = await Promise.all([2, 3, 4, 5, 6].map((passes) => times.of(costOf(passes))));
    expect(known).to.deep.equal([200, undefined, 400, 500, 600]);
  });

  it('keeps no time of one that was aborted', async () => {
    const { run, times } = timedMachine();
    const aborted = run(3, AbortSignal.abort(new Error('enough')));
    expect(await aborted.catch((error: unknown) => (error as Error).message)).to.equal('enough');
    expect(await times.of(costOf(3))).to.equal(undefined);
  });

  it('loses no key where the time cannot be kept', async () => {
    const session = new MemorySession();
    session.set = () => Promise.reject(new Error('full'));
    expect(await timedMachine(session).run(3)).to.equal(KEY);
  });
});
