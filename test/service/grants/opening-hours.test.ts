import { expect } from 'chai';
import {
  hoursMovedInTime,
  usualLeft,
  withOpened,
} from '../../../src/service/grants/opening-hours.ts';
import { packedOf } from '../../support/packed.ts';
import { codeOf } from '../../support/outcomes.ts';
import { settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const TEXT = new TextEncoder().encode('a note');

/* An hour in which a grant opens far more than it usually does is told, and stops nothing. */
describe('An unusual hour', function () {
  this.timeout(60_000);
  let world: World;
  let sealed: Uint8Array;

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
    sealed = await world.call('seal', { plaintext: TEXT });
  });

  const later = async (ms: number) => {
    await world.saved();
    world.now += ms;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
  };
  const openMany = async (count: number) => {
    const items = packedOf(...Array.from({ length: count }, () => sealed));
    expect((await world.call('openMany', { items })).failures).to.deep.equal([]);
    await settled();
  };
  const told = async () => {
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 99 });
    return entries.filter(({ operation }) => operation === 'unusualHour').length;
  };
  const grant = async () => (await world.surface('ui.sites', {}))[0]!.grants[0]!;

  it('is one of more than 100 openings, and of more than four times the largest before', async () => {
    await openMany(20);
    await later(DAY);
    await openMany(100);
    expect(await told()).to.equal(0);
    expect(await codeOf(world.call('open', { sealed }))).to.equal('ok');
    expect(await told()).to.equal(1);
    await openMany(300);
    expect(await told(), 'once in an hour').to.equal(1);
    await later(HOUR);
    await openMany(1_604);
    expect(await told(), 'four times 401').to.equal(1);
    await openMany(1);
    expect(await told()).to.equal(2);
  });

  it('is not one of the first day, which has nothing to compare with', async () => {
    await openMany(500);
    await later(HOUR);
    await openMany(2_500);
    expect(await told()).to.equal(0);
  });

  it('is shown at the button and at the grant until the user has read it, and opens on', async () => {
    await openMany(1);
    await later(DAY);
    await openMany(101);
    await world.saved();
    expect(world.toolbarButton.shown.at(-1)).to.include({ isUnusual: true, isFrozen: false });
    const { id, isUnusual } = await grant();
    expect(isUnusual).to.equal(true);
    world.restart();
    await openMany(1);
    expect(await told(), 'after the worker has ended').to.equal(1);
    await world.surface('ui.readUnusual', { grantId: id });
    expect(world.toolbarButton.shown.at(-1)).to.include({ isUnusual: false });
    expect((await grant()).isUnusual).to.equal(false);
  });

  it('is compared with what came before a new answer to the same question', async () => {
    await openMany(40);
    await later(DAY);
    await world.connect({ maxPerHour: 1_000 });
    await openMany(160);
    expect(await told()).to.equal(0);
    await openMany(1);
    expect(await told()).to.equal(1);
  });

  it('is counted without a write for each use', async () => {
    await openMany(1);
    await world.saved();
    const stored = world.stored();
    await openMany(50);
    expect(world.stored()).to.equal(stored);
  });

  it('counts no sealing, and all that opens', async () => {
    await openMany(1);
    await later(DAY);
    await world.call('sealMany', { items: packedOf(...Array.from({ length: 200 }, () => TEXT)) });
    expect(await told()).to.equal(0);
    await openMany(98);
    await world.call('rewrap', { sealed });
    await world.call('releaseOpen', { head: sealed });
    expect(await told()).to.equal(0);
    await world.call('open', { sealed });
    expect(await told()).to.equal(1);
  });
});

describe('The counts of hours', () => {
  const DAY_HOURS = 24;

  it('keep the largest hour of each of 30 days', () => {
    let hours = withOpened(undefined, 0, 7);
    for (let day = 1; day <= 40; day++) {
      hours = withOpened(hours, day * DAY_HOURS, 50 + day);
      hours = withOpened(hours, day * DAY_HOURS + 1, 5);
    }
    hours = withOpened(hours, 41 * DAY_HOURS, 1);
    expect(hours.largest).to.have.length(30);
    expect(hours.largest[0]).to.deep.equal([11, 61]);
    expect(hours.largest.at(-1)).to.deep.equal([40, 90]);
    expect(usualLeft(hours, 41 * DAY_HOURS)).to.equal(4 * 90 - 1);
    expect(usualLeft(hours, 80 * DAY_HOURS)).to.equal(100);
  });

  it('move with the clock', () => {
    const hours = withOpened(withOpened(undefined, 480, 3), 504, 1);
    const moved = hoursMovedInTime(hours, -10 * DAY);
    expect(moved).to.deep.include({ since: 10, hour: 264, largest: [[10, 3]] });
    expect(hoursMovedInTime(hours, -99 * DAY)).to.deep.include({ since: 0, hour: 0 });
  });
});
