import { expect } from 'chai';
import fc from 'fast-check';
import {
  adviceFor,
  calibrateCost,
  costFor,
  UNLOCK_MS,
} from '../../../src/keys/unlock/calibration.ts';
import {
  type PassphraseKdf,
  ARGON2ID_COST,
  type Argon2idCost,
} from '../../../src/format/passphrase.ts';
import {
  CALIBRATED_WORK_MAX,
  isAccepted,
  isPbkdf2,
  PBKDF2_COST,
} from '../../../src/keys/unlock/passphrase-kdf.ts';

/** A machine on which filling 1 MiB once takes this long, and that has so much memory. */
function machine(msPerMiB: number, memoryKiB = Infinity) {
  let time = 0;
  const derive: PassphraseKdf = (_passphrase, _salt, cost) => {
    if (cost.memoryKiB > memoryKiB) return Promise.reject(new RangeError('out of memory'));
    time += unlockMs(cost, msPerMiB);
    return Promise.resolve(new Uint8Array(32));
  };
  return { derive, clock: () => time };
}

const unlockMs = ({ memoryKiB, passes }: Argon2idCost, msPerMiB: number) =>
  (memoryKiB / 1024) * passes * msPerMiB;

describe('Calibration of passphrases', () => {
  const CASES: [string, number, Argon2idCost][] = [
    ['a slow machine: the recommended cost, however long', 20, ARGON2ID_COST],
    ['0.77 s: the recommended cost', 4, ARGON2ID_COST],
    ['0.58 s, which may be less the next time: a pass more', 3, { ...ARGON2ID_COST, passes: 4 }],
    ['0.38 s: more passes', 2, { ...ARGON2ID_COST, passes: 6 }],
    ['0.1 s: passes up to 16', 0.52, { ...ARGON2ID_COST, passes: 16, memoryKiB: 98_304 }],
    [
      'no time at all: 128 MiB and no more',
      0,
      { ...ARGON2ID_COST, passes: 16, memoryKiB: 131_072 },
    ],
  ];
  for (const [title, msPerMiB, expected] of CASES) {
    it(title, async () => {
      const { derive, clock } = machine(msPerMiB);
      expect(await calibrateCost(derive, clock)).to.deep.equal(expected);
    });
  }

  it('lands in the window on every machine from ten times slower to five times faster than ours', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.42, max: 6, noNaN: true }), (msPerMiB) => {
        const cost = costFor(ARGON2ID_COST, unlockMs(ARGON2ID_COST, msPerMiB));
        const duration = unlockMs(cost, msPerMiB);
        expect(isAccepted(cost)).to.equal(true);
        expect(duration).to.be.within(UNLOCK_MS.least, UNLOCK_MS.most);
        for (const name of ['memoryKiB', 'passes', 'parallelism'] as const) {
          expect(cost[name]).to.be.at.least(ARGON2ID_COST[name]);
        }
      }),
    );
  });

  it('where memory is missing: what there is, with more passes', async () => {
    const some = machine(2, 40_000);
    const cost = (await calibrateCost(some.derive, some.clock)) as Argon2idCost;
    expect(cost.memoryKiB).to.equal(32_768);
    expect(unlockMs(cost, 2)).to.be.within(UNLOCK_MS.least, UNLOCK_MS.most);
    const little = machine(2, 20_000);
    expect(await calibrateCost(little.derive, little.clock)).to.include({ memoryKiB: 19_456 });
    const fast = machine(0.1, 20_000);
    const low = (await calibrateCost(fast.derive, fast.clock)) as Argon2idCost;
    expect(low).to.include({ memoryKiB: 19_456, passes: 16 });
    expect(isAccepted(low)).to.equal(true);
  });

  it('advises a new one where the machine has become faster or slower, and it would help', () => {
    const dear = { ...ARGON2ID_COST, passes: 6 };
    const most = { memoryKiB: 262_144, passes: 16, parallelism: 4 };
    expect(adviceFor(dear, 340)).to.equal('raise');
    expect(adviceFor(dear, 360)).to.equal('none');
    expect(adviceFor(dear, 1_670)).to.equal('none');
    expect(adviceFor(dear, 1_690)).to.equal('lower');
    expect(adviceFor(ARGON2ID_COST, 5_000), 'it is the least there is').to.equal('none');
    expect(adviceFor(most, 10), 'it is the most there is').to.equal('none');
  });

  it('advises nothing about what it has just chosen', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 60, noNaN: true }), (msPerMiB) => {
        const cost = costFor(ARGON2ID_COST, unlockMs(ARGON2ID_COST, msPerMiB));
        expect(adviceFor(cost, unlockMs(cost, msPerMiB))).to.equal('none');
      }),
    );
  });

  it('never asks for more work than two slow cores do in 5 s, nor for what is not accepted', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 60, noNaN: true }), (msPerMiB) => {
        const cost = costFor(ARGON2ID_COST, unlockMs(ARGON2ID_COST, msPerMiB));
        expect(cost.memoryKiB * cost.passes).to.be.at.most(CALIBRATED_WORK_MAX);
        expect(isAccepted(cost)).to.equal(true);
      }),
    );
    expect(CALIBRATED_WORK_MAX).to.equal(2 * 2 ** 20);
  });

  it('where Argon2id does not run: PBKDF2', async () => {
    const none = machine(1, 0);
    const cost = await calibrateCost(none.derive, none.clock);
    expect(cost).to.equal(PBKDF2_COST);
    expect(isPbkdf2(cost)).to.equal(true);
  });
});
