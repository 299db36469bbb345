import { expect } from 'chai';
import fc from 'fast-check';
import {
  CLOCK_TOLERANCE_MS,
  DEFAULT_LIMITS,
  isDue,
  lockAt,
  used,
  USE_GRAIN_MS,
} from '../../../src/keys/unlock/auto-lock.ts';
import { EXPECTED, filledWorld, notes, START } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DEADLINE = { unlockedAt: START, lastUse: START, idleMs: 10 * MINUTE, absoluteMs: 12 * HOUR };

describe('Auto-lock', () => {
  it('decides by the earlier of idle and absolute limit', () => {
    const table: [lastUse: number, now: number, due: boolean][] = [
      [0, 0, false],
      [0, 10 * MINUTE - 1, false],
      [0, 10 * MINUTE, true],
      [9 * MINUTE, 19 * MINUTE - 1, false],
      [9 * MINUTE, 19 * MINUTE, true],
      [12 * HOUR - 1, 12 * HOUR - 1, false],
      [12 * HOUR - 1, 12 * HOUR, true],
      [0, 10 * 365 * 24 * HOUR, true],
      [0, -CLOCK_TOLERANCE_MS, false],
      [0, -CLOCK_TOLERANCE_MS - 1, true],
      [0, -10 * 365 * 24 * HOUR, true],
    ];
    for (const [lastUse, now, due] of table) {
      const deadline = { ...DEADLINE, lastUse: START + lastUse };
      expect(isDue(deadline, START + now), `${lastUse} ${now}`).to.equal(due);
    }
  });

  it('never stays open past the absolute limit, whatever is used when', () => {
    const steps = fc.array(fc.integer({ min: 0, max: HOUR }), { maxLength: 50 });
    fc.assert(
      fc.property(steps, (uses) => {
        let deadline = DEADLINE;
        let now = START;
        for (const step of uses) {
          now += step;
          if (isDue(deadline, now)) return;
          expect(now).to.be.lessThan(START + DEADLINE.absoluteMs);
          expect(now).to.be.lessThan(deadline.lastUse + DEADLINE.idleMs);
          deadline = used(deadline, now);
          expect(lockAt(deadline)).to.be.at.most(START + DEADLINE.absoluteMs);
        }
      }),
    );
  });

  it('starts with ten minutes idle and twelve hours in all', () => {
    expect(DEFAULT_LIMITS).to.deep.equal({ idleMs: 10 * MINUTE, absoluteMs: 12 * HOUR });
  });
});

describe('Vault: auto-lock', () => {
  it('locks at the deadline, at the next use, whether or not an alarm came', async () => {
    const { world, vault } = await filledWorld();
    world.time = START + 10 * MINUTE - 1;
    expect(await notes(vault)).to.deep.equal(EXPECTED);
    world.time = START + 10 * MINUTE;
    expect(await codeOf(vault.read('first'))).to.equal('LOCKED');
    expect((await vault.state()).state).to.equal('locked');
    expect([...world.session.values.keys()]).to.deep.equal([]);
  });

  it('is as strict in a worker that started after the other died', async () => {
    for (const use of ['read', 'commit', 'refresh', 'hedgeKey', 'state', 'lockAt'] as const) {
      const { world } = await filledWorld();
      world.time = START + 10 * MINUTE;
      const vault = world.vault();
      if (use === 'commit') expect(await codeOf(vault.commit(() => 1))).to.equal('LOCKED');
      else if (use === 'read') expect(await codeOf(vault.read('first'))).to.equal('LOCKED');
      else if (use === 'refresh') expect(await codeOf(vault.refresh())).to.equal('LOCKED');
      else if (use === 'state') expect((await vault.state()).state).to.equal('locked');
      else expect(await vault[use]()).to.equal(undefined);
      expect(world.session.values.has('vault/key'), use).to.equal(false);
    }
  });

  it('counts uses, and writes them down no more often than need be', async () => {
    const { world, vault } = await filledWorld();
    expect(await vault.lockAt()).to.equal(START + 10 * MINUTE);
    world.time = START + USE_GRAIN_MS - 1;
    await vault.touch();
    expect(await vault.lockAt()).to.equal(START + 10 * MINUTE);
    world.time = START + 9 * MINUTE;
    await vault.touch();
    expect(await vault.lockAt()).to.equal(START + 19 * MINUTE);
    world.time = START + 18 * MINUTE;
    expect(await notes(world.vault())).to.deep.equal(EXPECTED);
  });

  it('stays locked after the deadline, whatever is used then', async () => {
    const { world, vault } = await filledWorld();
    world.time = START + 10 * MINUTE;
    await vault.touch();
    expect(await codeOf(vault.read('first'))).to.equal('LOCKED');
    await vault.touch();
    expect((await vault.state()).state).to.equal('locked');
    expect(world.session.values.has('vault/key')).to.equal(false);
  });

  it('keeps limits that are set, for this session', async () => {
    const { world, vault } = await filledWorld();
    await vault.setAutoLock({ idleMs: MINUTE });
    expect(await world.vault().lockAt()).to.equal(START + MINUTE);
    await vault.setAutoLock({ idleMs: 20 * HOUR });
    expect(await vault.lockAt()).to.equal(START + 12 * HOUR);
    for (const idleMs of [0, -1, NaN, Infinity]) {
      expect(await codeOf(vault.setAutoLock({ idleMs }))).to.contain('RangeError');
    }
  });

  it('locks when the clock goes back, and when the deadline is gone', async () => {
    const { world, vault } = await filledWorld();
    world.time = START - CLOCK_TOLERANCE_MS - 1;
    expect(await codeOf(vault.read('first'))).to.equal('LOCKED');
    const other = await filledWorld();
    other.world.session.values.delete('vault/deadline');
    expect(await codeOf(other.vault.read('first'))).to.equal('LOCKED');
    const bent = await filledWorld();
    bent.world.session.values.set('vault/deadline', '{"idleMs":"x"}');
    expect(await codeOf(bent.vault.read('first'))).to.equal('LOCKED');
  });
});
