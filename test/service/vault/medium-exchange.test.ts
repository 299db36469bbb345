import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { CIRCLE } from '../../../src/keys/annotations/deletions.ts';
import { firstEpoch, withMember, withoutMember } from '../../../src/keys/circle/changes.ts';
import { circleOf } from '../../../src/keys/circle/circle-record.ts';
import { hasMember } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf, type MemberPair } from '../../../src/keys/circle/members.ts';
import { ITEM_NAMES, wrappedKeysIn } from '../../../src/keys/media/items.ts';
import { MediumError } from '../../../src/keys/media/medium.ts';
import { EXCHANGE } from '../../../src/service/exchange/medium-exchange.ts';
import { joinedIn, readJoinedIn } from '../../../src/service/vault/member-notes.ts';
import { codeOf } from '../../support/outcomes.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { diesAtWrite, PASSPHRASE } from '../../support/service-world.ts';
import { until } from '../../support/turns.ts';
import { newDevice, PARTS, X_WING } from '../../keys/circle/circle.ts';
import { Cloud } from '../../keys/media/cloud.ts';
import {
  circle,
  deleteKey,
  epochOf,
  exchanged,
  follows,
  hindranceOf,
  labelsIn,
  lastOf,
  memberOn,
  settle,
  TestProfile,
} from './exchanging.ts';
import type { Member } from './exchanging.ts';

/* Devices with the real broker, which meet on a medium alone. Random sequences are in hostile-exchanges.test.ts. */

/** What the timer starts, until the last run has ended so. */
async function timedRun(member: Member, kind: string | null): Promise<void> {
  await settled(); // a new worker reads how the last run has ended before it plans one
  member.world.timers.goOff();
  await until(async () => (await hindranceOf(member)) === kind);
}

/** Another epoch, as this device makes it. */
async function removed(by: Member, gone: Member): Promise<void> {
  const epoch = await epochOf(by);
  const next = await withoutMember(epoch, gone.person.pair.id, by.person.pair, PARTS);
  await follows(by, next, [epoch]);
}

/** The next epoch with a recovery code more, as this device makes it. @param at which code */
async function withCode(by: Member, at: number): Promise<MemberPair> {
  const { links, epoch } = circleOf((await by.world.vault.read(CIRCLE))!);
  const pair = codePair(new Uint8Array(16).fill(at));
  const code = await memberOf(pair, '', X_WING);
  await follows(by, await withMember(epoch, code, by.person.pair, PARTS), [...links, epoch]);
  return pair;
}

const BY = { passphrase: PASSPHRASE };

/** Time passes, in which the vault locks. */
async function later({ world }: Member, ms: number): Promise<void> {
  world.now += ms;
  await world.surface('ui.unlock', BY);
}

describe('An exchange over a medium', function () {
  this.timeout(60_000);

  it('brings keys to every device, and takes a deletion to all of them', async () => {
    const { members } = await circle(3);
    const [one, other] = members;
    await one!.world.surface('ui.createKey', { label: 'Letters' });
    await settle(members);
    for (const each of members) expect(await labelsIn(each)).to.include('Letters');
    await deleteKey(other!, 'Letters');
    await settle(members);
    for (const each of members) expect(await labelsIn(each)).not.to.include('Letters');
  });

  it('takes back the permissions on a key that another device has deleted', async () => {
    const { members } = await circle(2);
    const [one, other] = members;
    await one!.world.surface('ui.createKey', { label: 'Letters' });
    await settle(members);
    const { ref } = (await other!.world.surface('ui.keys', {})).find(
      ({ label }) => label === 'Letters',
    )!;
    await other!.world.connect({ key: { kind: 'sealing' } }, pageCaller(), { ref });
    expect(await other!.world.call('grants', {})).to.have.length(1);
    await deleteKey(one!, 'Letters');
    await settle(members);
    expect(await other!.world.call('grants', {})).to.deep.equal([]);
  });

  it('reads and writes nothing until it is chosen, after it was turned off, and while locked', async () => {
    const cloud = new Cloud();
    const off = await memberOn(cloud, 'Off');
    await follows(off, await firstEpoch([off.person.member], off.person.pair, PARTS));
    let uses = 0;
    off.profile.onEnd = () => uses++;
    off.profile.endsAfter = 0;
    await off.world.service.exchange!.run();
    off.profile.endsAfter = undefined;
    await off.world.service.exchange!.turnOn();
    expect(off.profile.writes).to.equal(ITEM_NAMES.length);
    off.profile.endsAfter = 0;
    await off.world.surface('ui.lock', {});
    await off.world.service.exchange!.run();
    await off.world.surface('ui.unlock', BY);
    await off.world.service.exchange!.turnOff();
    await off.world.service.exchange!.run();
    expect(uses).to.equal(0);
  });

  it('runs after a change of what is shared, and after an unlock', async () => {
    const { members } = await circle(1);
    const { world, profile } = members[0]!;
    world.timers.goOff();
    await world.service.exchange!.run();
    const written = async (): Promise<number> => {
      const before = profile.writes;
      world.timers.goOff();
      await settled();
      await world.service.exchange!.run();
      return profile.writes - before;
    };
    expect(await written()).to.equal(0);
    await world.surface('ui.createKey', { label: 'Letters' });
    let runs = 0;
    const read = profile.read.bind(profile);
    profile.read = () => (runs++, read());
    world.timers.goOff();
    await until(() => runs > 0);
    expect(runs).to.equal(1);
    await world.service.exchange!.run();
    await world.surface('ui.lock', {});
    await world.surface('ui.unlock', BY);
    runs = 0;
    world.timers.goOff();
    await until(() => runs > 0);
    expect(runs).to.equal(1);
  });

  it('fills an emptied medium again, without a word', async () => {
    const { cloud, members } = await circle(2);
    await members[0]!.world.surface('ui.createKey', { label: 'Letters' });
    await settle(members);
    cloud.lose(() => true);
    await settle(members);
    expect(cloud.items.size).to.equal(ITEM_NAMES.length);
    for (const each of members) {
      expect(await labelsIn(each)).to.include('Letters');
      expect(await hindranceOf(each)).to.equal(null);
    }
  });

  it('follows a new epoch, and tells who joined until the person has heard it', async () => {
    const { cloud, members, epoch } = await circle(2);
    const [one, other] = members;
    const third = await memberOn(cloud, 'Third');
    const next = await withMember(epoch, third.person.member, one!.person.pair, PARTS);
    await follows(one!, next, [epoch]);
    await follows(third, next, [epoch]);
    await third.world.surface('ui.createKey', { label: 'Made on the third' });
    await third.world.service.exchange!.turnOn();
    await settle([one!, third, other!]);
    expect(toHex((await epochOf(other!)).digest)).to.equal(toHex(next.digest));
    expect(await labelsIn(other!)).to.include('Made on the third');
    const id = toHex(third.person.pair.id);
    const at = other!.world.now;
    const { vault } = other!.world;
    const joined = () => joinedIn({ get: (record) => vault.read(record) });
    expect(await joined()).to.deep.equal([{ id, name: 'Third', at }]);
    await vault.commit(readJoinedIn);
    await settle([one!, third, other!]);
    expect(await joined()).to.deep.equal([]);
  });

  it('ends on a device that was removed, which keeps its keys', async () => {
    const { members } = await circle(2);
    const [one, gone] = members;
    await one!.world.surface('ui.createKey', { label: 'Before' });
    await settle(members);
    await removed(one!, gone!);
    await one!.world.surface('ui.createKey', { label: 'After' });
    await exchanged(one!);
    await gone!.world.surface('ui.createKey', { label: 'Of the removed one' });
    const { writes } = gone!.profile;
    await exchanged(gone!);
    await exchanged(one!);
    expect(await hindranceOf(gone!)).to.equal('unreached');
    expect(gone!.profile.writes).to.equal(writes);
    expect(await labelsIn(gone!))
      .to.include('Before')
      .and.not.include('After');
    expect(await labelsIn(one!)).not.to.include('Of the removed one');
  });

  it('stops at a fork until the person says which epoch holds', async () => {
    const { members } = await circle(4);
    const [one, other, first, second] = members;
    await settle(members);
    await removed(one!, first!);
    await removed(other!, second!);
    await exchanged(one!);
    await other!.world.surface('ui.createKey', { label: 'Of the other' });
    await exchanged(other!);
    expect(await hindranceOf(other!)).to.equal('forked');
    await exchanged(one!);
    expect(await labelsIn(one!)).not.to.include('Of the other');
    const found = (await lastOf(other!))!.other!;
    await other!.world.service.exchange!.choose(found, 'other');
    other!.profile.sync();
    await settle([one!, other!]);
    expect(toHex((await epochOf(other!)).digest)).to.equal(toHex((await epochOf(one!)).digest));
    expect(await labelsIn(one!)).to.include('Of the other');
  });

  it('waits for the epoch that leads to the newest one, whichever item is late', async () => {
    const { cloud, members, epoch } = await circle(2);
    const [one, slow] = members;
    await settle(members);
    const { pair } = one!.person;
    const second = await withMember(epoch, (await newDevice('Second')).member, pair, PARTS);
    const third = await withMember(second, (await newDevice('Third')).member, pair, PARTS);
    const fourth = await withMember(third, (await newDevice('Fourth')).member, pair, PARTS);
    await follows(one!, fourth, [epoch, second, third]);
    await exchanged(one!);
    const told = new Set<string | null>();
    for (const late of ITEM_NAMES.keys()) {
      const profile = new TestProfile(cloud);
      slow!.world.medium = profile;
      slow!.world.restart();
      await follows(slow!, epoch);
      profile.sync(true, (place) => place === late);
      await slow!.world.service.exchange!.run();
      told.add(await hindranceOf(slow!));
    }
    expect([...told]).to.have.members([null, 'late']);
  });

  it('writes the own epoch over another one where the person chooses it', async () => {
    const { members } = await circle(4);
    const [one, other, first, second] = members;
    await settle(members);
    await removed(one!, first!);
    await removed(other!, second!);
    await exchanged(one!);
    await exchanged(other!);
    expect(await hindranceOf(other!)).to.equal('forked');
    await other!.world.service.exchange!.choose((await lastOf(other!))!.other!, 'own');
    expect(await hindranceOf(other!)).to.equal(null);
    other!.profile.sync();
    await exchanged(one!);
    expect(await hindranceOf(one!)).to.equal('forked');
  });

  it('leaves the items of another circle alone', async () => {
    const { cloud, members } = await circle(1);
    await settle(members);
    const before = [...cloud.items];
    const stranger = await memberOn(cloud, 'Not paired');
    const { member, pair } = stranger.person;
    await follows(stranger, await firstEpoch([member], pair, PARTS));
    stranger.profile.sync();
    await stranger.world.service.exchange!.turnOn();
    stranger.profile.sync();
    expect(await hindranceOf(stranger)).to.equal('unreached');
    expect([...cloud.items]).to.deep.equal(before);
  });

  it('takes all of a run or nothing, wherever the worker ends', async () => {
    const { members } = await circle(2);
    const [one, other] = members;
    let isDone = false;
    for (let at = 0; !isDone; at++) {
      const label = `Letters ${at}`;
      await one!.world.surface('ui.createKey', { label });
      await exchanged(one!);
      other!.profile.sync();
      await other!.world.surface('ui.createKey', { label: `Own ${at}` });
      const { world, profile } = other!;
      await world.saved();
      // At a step of the medium, and at a write of the vault.
      const death = diesAtWrite(world, at);
      const ended = new Promise<'dead'>((resolve) => (profile.onEnd = () => resolve('dead')));
      profile.endsAfter = at;
      const running = world.service.exchange!.run().then(() => 'done' as const);
      isDone = (await Promise.race([death.happened, ended, running])) === 'done';
      world.restart();
      death.revive();
      profile.endsAfter = undefined;
      await settle(members);
      for (const each of members) {
        expect(await labelsIn(each), `step ${at}`).to.include.members([label, `Own ${at}`]);
      }
    }
  });

  it('is refused while locked, as any commit is', async () => {
    const { members } = await circle(1);
    const { world } = members[0]!;
    await world.surface('ui.lock', {});
    expect(await codeOf(world.service.exchange!.turnOff())).to.equal('LOCKED');
  });
});

describe('An exchange over a medium with half of an epoch', function () {
  this.timeout(60_000);

  for (const [first, second] of [
    [1, 1],
    [1, 2],
    [2, 1],
  ] as const) {
    const what = `${first} and ${second} epochs`;
    it(`goes on where a browser has one box of each of two devices that made ${what} at once`, async () => {
      const { cloud, members } = await circle(3);
      const [one, other] = members;
      await settle(members);
      const codes: MemberPair[] = [];
      for (let at = 0; at < first; at++) codes.push(await withCode(one!, at));
      for (let at = 0; at < second; at++) codes.push(await withCode(other!, 2 + at));
      for (const { world } of [one!, other!]) await world.service.exchange!.run();
      one!.profile.sync();
      other!.profile.sync(true, (place) => place === 0);
      other!.profile.sync(false);
      expect(wrappedKeysIn(cloud.items).map(({ wraps }) => wraps.length)).to.deep.equal([4, 4]);
      await settle(members);
      const ends = await Promise.all(members.map(epochOf));
      for (const [at, epoch] of ends.entries()) {
        expect(await hindranceOf(members[at]!)).to.equal(null);
        expect(toHex(epoch.digest)).to.equal(toHex(ends[0]!.digest));
      }
      for (const { id } of codes) expect(hasMember(ends[0]!, id)).to.equal(true);
    });
  }

  it('waits ten minutes for the other box of a later epoch, and writes its own over half of one', async () => {
    const { cloud, members, epoch } = await circle(2);
    const [one, other] = members;
    await settle(members);
    await withCode(one!, 1);
    await one!.world.service.exchange!.run();
    one!.profile.sync(true, (place) => place !== 1);
    await exchanged(other!);
    expect(await hindranceOf(other!)).to.equal('late');
    await later(other!, EXCHANGE.halfMs - 1);
    await exchanged(other!);
    expect(await hindranceOf(other!)).to.equal('late');
    await later(other!, 1);
    await timedRun(other!, null);
    other!.profile.sync();
    expect(wrappedKeysIn(cloud.items).map(({ number }) => number)).to.deep.equal([epoch.number]);
    await settle(members);
    for (const each of members) expect((await epochOf(each)).number).to.equal(epoch.number + 1);
  });

  it('begins its wait anew with each epoch of which half is there', async () => {
    const { members } = await circle(2);
    const [one, other] = members;
    await settle(members);
    for (const at of [1, 2]) {
      await withCode(one!, at);
      await one!.world.service.exchange!.run();
      one!.profile.sync(true, (place) => place !== 1);
      await later(other!, EXCHANGE.halfMs - 1);
      await exchanged(other!);
      const { now } = other!.world;
      expect(await lastOf(other!)).to.deep.include({ hindrance: { kind: 'late', since: now } });
    }
  });
});

describe('An exchange over a medium that fails, or is turned off', () => {
  it('waits where the medium fails, and goes on when it works again', async () => {
    const { members } = await circle(2);
    const [one, other] = members;
    one!.profile.fails = true;
    await one!.world.surface('ui.createKey', { label: 'Letters' });
    const { now } = one!.world;
    await exchanged(one!);
    expect(await lastOf(one!)).to.deep.include({ hindrance: { kind: 'medium', since: now } });
    one!.world.now += 60_000;
    await exchanged(one!);
    expect((await lastOf(one!))!.hindrance).to.deep.equal({ kind: 'medium', since: now });
    one!.profile.fails = false;
    await settle(members);
    expect(await hindranceOf(one!)).to.equal(null);
    expect(await labelsIn(other!)).to.include('Letters');
  });

  it('takes what others wrote where it may write nothing, and says which', async () => {
    const { members } = await circle(2);
    const [one, other] = members;
    await settle(members);
    one!.profile.fails = 'forbidden';
    await one!.world.surface('ui.createKey', { label: 'Mine' });
    await other!.world.surface('ui.createKey', { label: 'Theirs' });
    await exchanged(other!);
    await exchanged(one!);
    expect(await hindranceOf(one!)).to.equal('forbidden');
    expect(await labelsIn(one!)).to.include.members(['Mine', 'Theirs']);
    await settle([other!]);
    expect(await labelsIn(other!)).not.to.include('Mine');
    one!.profile.fails = false;
    one!.world.restart();
    await one!.world.surface('ui.keys', {});
    await timedRun(one!, null);
    await settle(members);
    expect(await labelsIn(other!)).to.include('Mine');
  });

  it('tells of an error of a timed run in its state, and tries again', async () => {
    const { members } = await circle(1);
    const { world, profile } = members[0]!;
    await world.service.exchange!.run();
    const read = profile.read.bind(profile);
    profile.read = () => Promise.reject(new TypeError('a fault of the program'));
    const rejections: unknown[] = [];
    const note = (error: unknown): void => void rejections.push(error);
    process.on('unhandledRejection', note);
    try {
      world.service.exchange!.changed();
      await timedRun(members[0]!, 'failed');
      expect(rejections).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
    }
    const thrown: unknown = await world.service.exchange!.run().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(TypeError);
    profile.read = read;
    await timedRun(members[0]!, null);
  });

  it('tries again what failed in the worker before, when the next one begins', async () => {
    const { members } = await circle(1);
    const { world, profile } = members[0]!;
    world.restart();
    await world.surface('ui.keys', {}); // the vault is read
    await settled();
    profile.endsAfter = 0; // a run would end here
    let runs = 0;
    profile.onEnd = () => runs++;
    world.timers.goOff();
    await settled();
    expect(runs).to.equal(0);
    profile.endsAfter = undefined;
    profile.fails = true;
    await world.service.exchange!.run();
    world.restart();
    profile.fails = false;
    await world.surface('ui.keys', {});
    await timedRun(members[0]!, null);
  });

  it('reads nothing of its own where no medium is chosen, in any life of a worker', async () => {
    const alone = await memberOn(new Cloud(), 'Alone');
    const { world } = alone;
    const read: string[] = [];
    const get = world.session.get.bind(world.session);
    world.session.get = (key) => (read.push(key), get(key));
    for (let life = 0; life < 2; life++) {
      world.restart();
      await labelsIn(alone);
      await settled();
    }
    expect(read).not.to.be.empty.and.not.to.include('medium-exchange');
    await follows(alone, await firstEpoch([alone.person.member], alone.person.pair, PARTS));
    await world.service.exchange!.turnOn();
    read.length = 0;
    world.restart();
    await settled();
    expect(read).not.to.include('medium-exchange');
    await labelsIn(alone);
    await settled();
    expect(read).to.include('medium-exchange');
  });

  it('removes the items where that is chosen, and stays on where they cannot be removed', async () => {
    const { cloud, members } = await circle(1);
    const [one] = members;
    await settle(members);
    expect(cloud.items.size).to.equal(ITEM_NAMES.length);
    const { exchange } = one!.world.service;
    const clear = one!.profile.clear.bind(one!.profile);
    one!.profile.clear = () => Promise.reject(new MediumError('no connection'));
    expect(await exchange!.turnOff(true).catch((error: unknown) => error)).to.be.instanceOf(
      MediumError,
    );
    expect((await exchange!.state()).isOn).to.equal(true);
    one!.profile.clear = clear;
    await exchange!.turnOff(true);
    await exchanged(one!);
    expect(cloud.items.size).to.equal(0);
    expect(await exchange!.state()).to.deep.equal({ isOn: false, last: null });
  });
});

describe('The time of an exchange', () => {
  const { afterMs, againMs, refusedMs } = EXCHANGE;

  /** A device without anything to exchange, and its runs. */
  async function idle() {
    const { members } = await circle(1);
    const [one] = members;
    await settle(members);
    const exchange = one!.world.service.exchange!;
    const run = exchange.run.bind(exchange);
    const runs: Promise<void>[] = [];
    exchange.run = () => {
      const running = run();
      runs.push(running);
      return running;
    };
    /** How many runs begin in so many ms; they have ended. */
    const runsIn = async (ms: number): Promise<number> => {
      const before = runs.length;
      one!.world.timers.pass(ms);
      await Promise.all(runs);
      return runs.length - before;
    };
    await runsIn(afterMs);
    return { ...one!, runsIn };
  }

  const changes = ({ world }: Member, label: string) => world.surface('ui.createKey', { label });

  it('is two seconds after the first of several changes', async () => {
    const one = await idle();
    await changes(one, 'First');
    expect(await one.runsIn(afterMs - 1)).to.equal(0);
    await changes(one, 'Second');
    expect(await one.runsIn(1)).to.equal(1);
    expect(await one.runsIn(againMs)).to.equal(0);
  });

  it('is as soon for a new change while a medium that cannot be read is tried again', async () => {
    const one = await idle();
    one.profile.fails = true;
    await changes(one, 'First');
    expect(await one.runsIn(afterMs)).to.equal(1);
    expect(await one.runsIn(againMs - 1)).to.equal(0);
    await changes(one, 'Second');
    one.profile.fails = false;
    const { writes } = one.profile;
    expect(await one.runsIn(afterMs)).to.equal(1);
    expect(one.profile.writes).to.be.above(writes);
    expect(await one.runsIn(2 * againMs)).to.equal(0);
  });

  it('is later each time that the medium refuses writes, with what has changed meanwhile', async () => {
    const one = await idle();
    one.profile.fails = 'writes';
    await changes(one, 'First');
    expect(await one.runsIn(afterMs)).to.equal(1);
    for (const delayMs of [1, 2, 4, 8].map((times) => times * refusedMs)) {
      await changes(one, `Before ${delayMs} ms`);
      expect(await one.runsIn(delayMs - 1), `before ${delayMs} ms`).to.equal(0);
      expect(await one.runsIn(1), `after ${delayMs} ms`).to.equal(1);
    }
    expect(await one.runsIn(againMs - 1)).to.equal(0);
    one.profile.fails = false;
    const { writes } = one.profile;
    expect(await one.runsIn(1)).to.equal(1);
    expect(one.profile.writes).to.be.above(writes);
    // The next refusal is the first again, and the next change is not held back.
    await changes(one, 'Last');
    expect(await one.runsIn(afterMs)).to.equal(1);
    one.profile.fails = 'writes';
    await changes(one, 'Refused');
    expect(await one.runsIn(afterMs)).to.equal(1);
    expect(await one.runsIn(refusedMs)).to.equal(1);
  });
});
