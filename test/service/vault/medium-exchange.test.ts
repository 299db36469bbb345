import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../src/crypto/bytes.ts';
import { CIRCLE } from '../../../src/keys/annotations/deletions.ts';
import { firstEpoch, withMember, withoutMember } from '../../../src/keys/circle/changes.ts';
import { circleOf, circleRecord } from '../../../src/keys/circle/circle-record.ts';
import type { Epoch, EpochLink } from '../../../src/keys/circle/epoch.ts';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { MediumError } from '../../../src/keys/media/medium.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { codeOf } from '../../support/outcomes.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { diesAtWrite, PASSPHRASE, World } from '../../support/service-world.ts';
import { newDevice, PARTS } from '../../keys/circle/circle.ts';
import type { Person } from '../../keys/circle/circle.ts';
import { Cloud, Profile } from '../../keys/media/cloud.ts';

/* Devices with the real broker, which meet on a medium alone. */

const BY = { passphrase: PASSPHRASE };
const HISTORIES = Number(
  process.env['SEALWRIGHT_EXCHANGES'] ?? (IS_NIGHTLY ? 100 : inDepth(10, 1)),
);

/** A profile whose medium a test may make fail, and whose worker a test may end before a step of it. */
class TestProfile extends Profile {
  fails = false;
  /** Reads and writes until the worker ends; undefined for never. */
  endsAfter: number | undefined;
  onEnd: () => void = () => undefined;

  override async read() {
    await this.#step();
    return super.read();
  }

  override async write(name: string, text: string) {
    await this.#step();
    return super.write(name, text);
  }

  async #step(): Promise<void> {
    if (this.fails) throw new MediumError('MAX_WRITE_OPERATIONS_PER_MINUTE');
    if (this.endsAfter === undefined || this.endsAfter-- > 0) return;
    this.onEnd();
    await new Promise(() => undefined);
  }
}

interface Member {
  readonly world: World;
  readonly profile: TestProfile;
  readonly person: Person;
}

async function memberOn(cloud: Cloud, name: string): Promise<Member> {
  const world = await World.unlocked();
  const [profile, person] = [new TestProfile(cloud), await newDevice(name)];
  world.medium = profile;
  world.restart();
  return { world, profile, person };
}

/** As pairing leaves it. */
async function follows({ world, person }: Member, epoch: Epoch, links: readonly EpochLink[] = []) {
  const record = circleRecord({ pair: person.pair, links, epoch });
  await world.vault.commit((draft) => draft.put(record));
}

const epochOf = async ({ world }: Member): Promise<Epoch> =>
  circleOf((await world.vault.read(CIRCLE))!).epoch;

/** Devices of one circle that exchange. */
async function circle(count: number): Promise<{ cloud: Cloud; members: Member[]; epoch: Epoch }> {
  const cloud = new Cloud();
  const members: Member[] = [];
  for (let at = 0; at < count; at++) members.push(await memberOn(cloud, `Device ${at}`));
  const all = members.map(({ person }) => person.member);
  const epoch = await firstEpoch(all, members[0]!.person.pair, PARTS);
  for (const member of members) {
    await follows(member, epoch);
    await member.world.service.exchange!.turnOn();
  }
  return { cloud, members, epoch };
}

async function exchanged({ world, profile }: Member): Promise<void> {
  profile.sync();
  await world.service.exchange!.run();
  profile.sync();
}

/** All, until nothing is new to any. */
async function settle(members: readonly Member[]): Promise<void> {
  for (let round = 0; round < 3; round++) for (const member of members) await exchanged(member);
}

const labelsIn = async ({ world }: Member): Promise<string[]> =>
  (await world.surface('ui.keys', {})).map(({ label }) => label).sort();

async function deleteKey({ world }: Member, label: string): Promise<void> {
  const { ref } = (await world.surface('ui.keys', {})).find((key) => key.label === label)!;
  await world.surface('ui.archiveKey', { ref, archived: true });
  await world.surface('ui.deleteKey', { by: BY, ref });
}

const lastOf = async ({ world }: Member) => (await world.service.exchange!.state()).last;

const hindranceOf = async (member: Member) => (await lastOf(member))?.hindrance?.kind ?? null;

/** What the timer starts, until the last run has ended so. */
async function timedRun(member: Member, kind: string | null): Promise<void> {
  member.world.timers.goOff();
  for (let wait = 0; (await hindranceOf(member)) !== kind && wait < 200; wait++) await settled();
  expect(await hindranceOf(member)).to.equal(kind);
}

/** Another epoch, as this device makes it. */
async function removed(by: Member, gone: Member): Promise<void> {
  const epoch = await epochOf(by);
  const next = await withoutMember(epoch, gone.person.pair.id, by.person.pair, PARTS);
  await follows(by, next, [epoch]);
}

describe('An exchange over a medium', function () {
  this.timeout(60_000 + HISTORIES * 30_000);

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
    for (let wait = 0; runs === 0 && wait < 100; wait++) await settled();
    expect(runs).to.equal(1);
    await world.service.exchange!.run();
    await world.surface('ui.lock', {});
    await world.surface('ui.unlock', BY);
    runs = 0;
    world.timers.goOff();
    for (let wait = 0; runs === 0 && wait < 100; wait++) await settled();
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
    const state = () => other!.world.service.exchange!.state();
    expect((await state()).joined).to.deep.equal([{ id, name: 'Third', at }]);
    await other!.world.service.exchange!.toldJoined();
    await settle([one!, third, other!]);
    expect((await state()).joined).to.deep.equal([]);
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

  it(`ends in the same keys on all devices, in ${HISTORIES} histories`, async () => {
    const device = fc.nat(3);
    const items = fc.nat(2 ** ITEM_NAMES.length - 1);
    const isIn = (set: number) => (place: number) => ((set >> place) & 1) === 1;
    const event = fc.oneof(
      fc.record({ kind: fc.constant('make' as const), device }),
      fc.record({ kind: fc.constant('delete' as const), device }),
      fc.record({ kind: fc.constant('run' as const), device, endsAfter: fc.option(fc.nat(14)) }),
      fc.record({ kind: fc.constant('sync' as const), device, isOwn: fc.boolean(), late: items }),
      fc.record({ kind: fc.constant('lose' as const), device, items }),
    );
    let operations = 0;
    const property = fc.asyncProperty(
      fc.array(event, { minLength: 15, maxLength: 30 }),
      async (events) => {
        const { cloud, members } = await circle(4);
        const [made, gone] = [new Set<string>(), new Set<string>()];
        for (const [number, it] of events.entries()) {
          operations++;
          const member = members[it.device]!;
          const { world, profile } = member;
          if (it.kind === 'make') {
            await world.surface('ui.createKey', { label: `Key ${number}` });
            made.add(`Key ${number}`);
          } else if (it.kind === 'delete') {
            const label = (await labelsIn(member)).find((each) => made.has(each));
            if (label === undefined) continue;
            await deleteKey(member, label);
            gone.add(label);
          } else if (it.kind === 'run') {
            profile.endsAfter = it.endsAfter ?? undefined;
            const ended = new Promise<void>((resolve) => (profile.onEnd = resolve));
            await Promise.race([world.service.exchange!.run(), ended]);
            if (it.endsAfter !== null) world.restart();
            profile.endsAfter = undefined;
          } else if (it.kind === 'sync') profile.sync(it.isOwn, isIn(it.late));
          else cloud.lose(isIn(it.items));
        }
        await settle(members);
        const kept = [...made].filter((label) => !gone.has(label));
        const labels = await Promise.all(members.map(labelsIn));
        for (const each of labels) expect(each).to.deep.equal(labels[0]);
        expect(labels[0]).to.include.members(kept);
        for (const member of members) {
          expect(await hindranceOf(member)).to.equal(null);
          const { writes } = member.profile;
          await exchanged(member);
          expect(member.profile.writes, 'writes of what all know').to.equal(writes);
        }
      },
    );
    await fc.assert(property, { numRuns: HISTORIES, endOnFailure: true });
    expect(operations).to.be.above(HISTORIES * 14);
  });

  it('is refused while locked, as any commit is', async () => {
    const { members } = await circle(1);
    const { world } = members[0]!;
    await world.surface('ui.lock', {});
    expect(await codeOf(world.service.exchange!.turnOff())).to.equal('LOCKED');
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
    await world.service.exchange!.resume();
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
    await world.service.exchange!.resume();
    await timedRun(members[0]!, null);
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
    expect(await exchange!.state()).to.deep.equal({ isOn: false, joined: [], last: null });
  });
});
