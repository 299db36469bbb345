import { expect } from 'chai';
import fc from 'fast-check';
import { equal, toHex } from '../../../src/crypto/bytes.ts';
import { CIRCLE, DEVICE } from '../../../src/keys/annotations/deletions.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import { circleOf } from '../../../src/keys/circle/circle-record.ts';
import { hasMember, type Epoch, type EpochLink } from '../../../src/keys/circle/epoch.ts';
import {
  codePair,
  memberOf,
  MEMBERS_MAX,
  type MemberPair,
} from '../../../src/keys/circle/members.ts';
import { deviceOf } from '../../../src/keys/devices/device-record.ts';
import { isDeleted } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { ITEM_NAMES, wrappedKeysIn } from '../../../src/keys/media/items.ts';
import { LINKS_KEPT, mediumChanges, openItems } from '../../../src/keys/media/medium.ts';
import { newDevice, PARTS, X_WING } from '../../keys/circle/circle.ts';
import type { Person } from '../../keys/circle/circle.ts';
import { Cloud } from '../../keys/media/cloud.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { diesAtWrite, PASSPHRASE } from '../../support/service-world.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import {
  deleteKey,
  epochOf,
  exchanged,
  follows,
  hindranceOf,
  labelsIn,
  lastOf,
  memberOn,
  settle,
} from './exchanging.ts';
import type { Member } from './exchanging.ts';

/*
 * Random sequences of two to four devices over a medium that delivers late and in part, loses items, brings back old ones,
 * exchanges and damages them, and holds what others have forged: a member that was removed, which knows the sync key of
 * before, and a stranger who knows all public keys. Workers end at every await.
 *
 * The model: of the keys of a device none is ever missing but those that a device has deleted; a device follows epochs that
 * devices of the circle have made, and no others; where it is shown another one, it says so. Two devices that change the openers
 * at once need no person. In the end all hold the same.
 */

const SEQUENCES = Number(process.env['SEALWRIGHT_EXCHANGES'] ?? (IS_NIGHTLY ? 50 : inDepth(6, 1)));
const DEVICES_MAX = 4;

const device = fc.nat(DEVICES_MAX - 1);
const someItems = fc.nat(2 ** ITEM_NAMES.length - 1);
const ALL_ITEMS = 2 ** ITEM_NAMES.length - 1;
const isIn = (set: number) => (place: number) => ((set >> place) & 1) === 1;

/** What happens without an attack: browsers deliver late, in part and in any order, and workers end. */
const honestEvents = [
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('make' as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), device }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      device,
      // At which step of the medium, and at which write of the vault, the worker ends.
      endsAfter: fc.option(fc.nat(14)),
      diesAt: fc.option(fc.nat(8)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      device,
      isOwn: fc.boolean(),
      late: fc.oneof(fc.constant(0), someItems),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      items: fc.oneof(fc.constant(ALL_ITEMS), someItems),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('members' as const), device }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('renew' as const), one: device, other: device }),
  },
] as const;

/** What an epoch of another one is. */
const FORGERIES = ['child-of-newest', 'fork', 'replay', 'stranger'] as const;

const hostileEvents = [
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('roll-back' as const),
      items: fc.oneof(fc.constant(ALL_ITEMS), someItems),
      to: fc.nat(20),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      one: fc.nat(ITEM_NAMES.length - 1),
      other: fc.nat(ITEM_NAMES.length - 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      item: fc.nat(ITEM_NAMES.length - 1),
      at: fc.nat(),
      how: fc.constantFrom('cut', 'flip', 'other' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('plant' as const),
      what: fc.constantFrom(...FORGERIES),
      items: fc.oneof(fc.constant(ALL_ITEMS), someItems),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('split' as const), one: device, other: device }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), device }) },
] as const;

const honest = fc.oneof(...honestEvents);
const hostile = fc.oneof(...honestEvents, ...hostileEvents);
type Event = typeof honest | typeof hostile extends fc.Arbitrary<infer E> ? E : never;

/**
 * Each thing that is counted, once. It comes before random sequences: few have a forged epoch that a whole run sees, and few leave one
 * box of each of two epochs on the medium, as the one without an attack does: one of two devices has ended before its last write.
 */
const EXAMPLES = {
  honest: [
    { kind: 'renew', one: 0, other: 1 },
    { kind: 'run', device: 0, endsAfter: null, diesAt: null },
    { kind: 'run', device: 1, endsAfter: null, diesAt: null },
    { kind: 'lose', items: ALL_ITEMS },
    { kind: 'sync', device: 0, isOwn: false, late: 0 },
    { kind: 'sync', device: 1, isOwn: false, late: 0 },
    { kind: 'run', device: 0, endsAfter: ITEM_NAMES.length, diesAt: null },
    { kind: 'run', device: 1, endsAfter: null, diesAt: null },
  ],
  hostile: [
    { kind: 'split', one: 0, other: 1 },
    { kind: 'copy', device: 0 },
    { kind: 'plant', what: 'stranger', items: ALL_ITEMS },
    { kind: 'sync', device: 0, isOwn: false, late: 0 },
    { kind: 'run', device: 0, endsAfter: null, diesAt: null },
  ],
} as const satisfies Record<string, readonly Event[]>;

/** Made once, as pairs take time: of the devices, two without a device, two codes, the removed member and a stranger. */
interface Cast {
  readonly devices: readonly Person[];
  readonly absent: readonly Person[];
  readonly codes: readonly Person[];
  readonly thief: Person;
  readonly stranger: Person;
}

/** Epochs of a circle with so many devices: the first one, and the second one, without the thief. */
type Beginning = readonly [Epoch, Epoch];

const nameOf = ({ commitment }: Pick<Epoch, 'commitment'>): string => toHex(commitment);

/** How often each thing was told, over all sequences. */
interface Told {
  forks: number;
  renewals: number;
  copies: number;
  alarms: number;
}

class Sequence {
  readonly cloud = new Cloud();
  readonly members: Member[] = [];
  readonly #cast: Cast;
  readonly #beginning: Beginning;
  readonly #told: Told;
  readonly #isHonest: boolean;
  /** What the cloud has held. */
  readonly #history: ReadonlyMap<string, string>[] = [];
  /** Epochs that devices of the circle have made, by their name. */
  readonly #own = new Map<string, EpochLink>();
  /** All that each device has had of keys, and what was deleted. */
  readonly #had: Set<string>[] = [];
  readonly #gone = new Set<string>();
  #made = 0;
  /** Whether two devices have changed the openers at once, since all knew the same. */
  #isParted = false;

  constructor(cast: Cast, beginning: Beginning, told: Told, isHonest: boolean) {
    this.#cast = cast;
    this.#beginning = beginning;
    this.#told = told;
    this.#isHonest = isHonest;
    for (const epoch of beginning) this.#own.set(nameOf(epoch), epoch);
  }

  async begin(count: number): Promise<void> {
    const [first, second] = this.#beginning;
    for (const person of this.#cast.devices.slice(0, count)) {
      const member = await memberOn(this.cloud, person);
      await follows(member, second, [first]);
      this.members.push(member);
      this.#had.push(new Set());
    }
    for (const { world, profile } of this.members) {
      profile.sync();
      await world.service.exchange!.turnOn();
      profile.sync();
    }
  }

  async take(event: Event): Promise<void> {
    this.#history.push(new Map(this.cloud.items));
    if ('device' in event) await this.#onDevice(event, event.device % this.members.length);
    else if (event.kind === 'lose') this.cloud.lose(isIn(event.items));
    else if (event.kind === 'split') await this.#split(event.one, event.other);
    else if (event.kind === 'renew') await this.#renew(event.one, event.other);
    else await this.#attack(event);
  }

  async #onDevice(event: Extract<Event, { device: number }>, at: number): Promise<void> {
    const member = this.members[at]!;
    const { world, profile } = member;
    if (event.kind === 'make') {
      await world.surface('ui.createKey', { label: `Key ${this.#made++}` });
    } else if (event.kind === 'delete') {
      const label = (await labelsIn(member)).find((each) => each.startsWith('Key '));
      if (label === undefined) return;
      await deleteKey(member, label);
      this.#gone.add(label);
    } else if (event.kind === 'sync') profile.sync(event.isOwn, isIn(event.late));
    else if (event.kind === 'run') await this.#run(member, event.endsAfter, event.diesAt);
    else if (event.kind === 'members') await this.#changeMembers(member);
    else await this.#copy(member);
    await this.#check(at);
  }

  async #run(member: Member, endsAfter: number | null, diesAt: number | null): Promise<void> {
    const { world, profile } = member;
    await world.saved();
    profile.endsAfter = endsAfter ?? undefined;
    const death = diesAtWrite(world, diesAt ?? Infinity);
    const ended = new Promise<'dead'>((resolve) => (profile.onEnd = () => resolve('dead')));
    const running = world.service.exchange!.run().then(() => 'done' as const);
    const isDone = (await Promise.race([running, ended, death.happened])) === 'done';
    death.revive();
    profile.endsAfter = undefined;
    if (!isDone) world.restart();
    await this.#noteMade(member);
    if (isDone) await this.#checkTold(member);
  }

  /** Where both boxes are of an epoch that does not follow from the own one, the device says so. */
  async #checkTold(member: Member): Promise<void> {
    const found = wrappedKeysIn(await member.profile.read());
    const kind = await hindranceOf(member);
    const isAlarm = kind === 'forked' || kind === 'unreached';
    this.#told.alarms += Number(isAlarm);
    if (this.#isHonest) expect(isAlarm, 'alarms without an attack').to.equal(false);
    const isForeign = (box: (typeof found)[number]) => !this.#own.has(nameOf(box));
    const isWhole = found.length === 1 && found[0]!.wraps.length === 8;
    if (isWhole && isForeign(found[0]!)) {
      expect(kind, 'told of an epoch of another one').to.be.oneOf(['forked', 'unreached', 'late']);
    }
  }

  /** All that held before holds: no key has gone, and the epoch is one of the circle. */
  async #check(at: number): Promise<void> {
    const member = this.members[at]!;
    const [labels, had] = [await labelsIn(member), this.#had[at]!];
    const lost = [...had].filter((label) => !labels.includes(label) && !this.#gone.has(label));
    expect(lost, 'lost').to.deep.equal([]);
    for (const label of labels) had.add(label);
    expect(this.#own.has(nameOf(await epochOf(member))), 'an epoch of the circle').to.equal(true);
  }

  /** After each run: epochs that a device has made by itself, where two had changed the openers at once. */
  async #noteMade({ world }: Member): Promise<void> {
    const { links, epoch } = circleOf((await world.vault.read(CIRCLE))!);
    for (const link of [...links, epoch]) {
      const isOfDevice = this.members.some(({ person }) => equal(person.pair.id, link.signer));
      const follows = [...this.#own.values()].some(({ digest }) => equal(digest, link.parent));
      if (isOfDevice && follows) this.#own.set(nameOf(link), link);
    }
  }

  /** On an empty medium, so that all devices know the same. What devices have said to be another circle is over. */
  async #settleAnew(): Promise<void> {
    this.#isParted = false;
    this.cloud.items.clear();
    for (const { profile } of this.members) profile.sync(false);
    await settle(this.members, (member) => this.#exchanged(member));
  }

  async #exchanged(member: Member): Promise<void> {
    await exchanged(member);
    await this.#noteMade(member);
  }

  /**
   * Takes a member without a device in, or removes it. A device that has not followed the newest epoch would make a fork in devices, and
   * one that has slept through more epochs than a medium has links for is asked: all exchange before it then.
   */
  async #changeMembers(by: Member): Promise<void> {
    const numbers = await Promise.all(this.members.map(async (it) => (await epochOf(it)).number));
    const newest = Math.max(...numbers);
    const isBehind = this.#isParted || (await epochOf(by)).number < newest;
    if (isBehind || Math.min(...numbers) + LINKS_KEPT < newest) await this.#settleAnew();
    await this.#change(by, this.#cast.absent[0]!);
  }

  async #change(by: Member, { member, pair }: Person): Promise<void> {
    const epoch = await epochOf(by);
    const change = hasMember(epoch, pair.id)
      ? withoutMember(epoch, pair.id, by.person.pair, PARTS)
      : withMember(epoch, member, by.person.pair, PARTS);
    const next = await change;
    this.#own.set(nameOf(next), next);
    const { links } = circleOf((await by.world.vault.read(CIRCLE))!);
    await follows(by, next, [...links, epoch]);
  }

  /** Two devices change the members at once. The one that comes second is told, and its person takes the first one's. */
  async #split(first: number, second: number): Promise<void> {
    const [one, other] = [first, second].map((at) => this.members[at % this.members.length]!);
    if (one === other) return;
    await this.#settleAnew();
    const [tablet, desktop] = this.#cast.absent;
    await this.#change(one!, tablet!);
    await this.#change(other!, desktop!);
    await this.#exchanged(one!);
    await this.#exchanged(other!);
    expect(await hindranceOf(other!), 'two epochs at once').to.equal('forked');
    this.#told.forks++;
    const found = (await lastOf(other!))!.other!;
    await other!.world.service.exchange!.choose(found, 'other');
    expect(await hindranceOf(other!)).to.equal(null);
    other!.profile.sync();
  }

  /** Two devices change the openers at once; what comes of it, the rest of the sequence shows. */
  async #renew(first: number, second: number): Promise<void> {
    const [one, other] = [first, second].map((at) => this.members[at % this.members.length]!);
    if (one === other) return;
    await this.#settleAnew();
    const { codes } = this.#cast;
    await this.#change(one!, codes[0]!);
    await this.#change(other!, codes[1]!);
    this.#isParted = true;
    this.#told.renewals++;
  }

  /** An old copy of the vault comes back, after the others have heard of what it lacks. */
  async #copy(member: Member): Promise<void> {
    const { world } = member;
    await this.#settleAnew();
    await this.#saved(member);
    const stores = [world.primary, world.copy].map(({ values }) => new Map(values));
    const before = await idOf(member);
    await world.surface('ui.createKey', { label: `Key ${this.#made++}` });
    await this.#settleAnew();
    await this.#saved(member);
    for (const [at, { values }] of [world.primary, world.copy].entries()) {
      values.clear();
      for (const [name, value] of stores[at]!) values.set(name, value);
    }
    world.session.values.clear();
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await this.#exchanged(member);
    expect(await idOf(member), 'the id of a copy').not.to.equal(before);
    this.#told.copies++;
  }

  /** What was put off is saved, and the run that this starts has ended. */
  async #saved(member: Member): Promise<void> {
    await member.world.saved();
    await member.world.service.exchange!.run();
    await this.#noteMade(member);
  }

  async #attack(event: Exclude<Event, { device: number } | { kind: 'lose' | 'split' | 'renew' }>) {
    const { items } = this.cloud;
    if (event.kind === 'roll-back') {
      const past = this.#history[event.to % this.#history.length]!;
      put(this.cloud, past, event.items);
    } else if (event.kind === 'swap') {
      const [one, other] = [ITEM_NAMES[event.one]!, ITEM_NAMES[event.other]!];
      const [first, second] = [items.get(one), items.get(other)];
      if (first !== undefined) items.set(other, first);
      if (second !== undefined) items.set(one, second);
    } else if (event.kind === 'damage') {
      const name = ITEM_NAMES[event.item]!;
      const text = items.get(name) ?? '';
      const at = text.length === 0 ? 0 : event.at % text.length;
      const damaged = {
        cut: text.slice(0, at),
        flip: `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`,
        other: '{"not": "an item"}',
      };
      items.set(name, damaged[event.how]);
    } else put(this.cloud, await this.#forged(event.what), event.items);
  }

  /** What somebody else puts on the medium: an epoch, and under it the deletion of all that a device has. */
  async #forged(what: (typeof FORGERIES)[number]): Promise<ReadonlyMap<string, string>> {
    const { thief, stranger, devices } = this.#cast;
    const [first] = this.#beginning;
    const state = deletionOf(await stateOf(this.members[0]!));
    if (what === 'replay') return itemsOf(first, thief.pair, state);
    if (what === 'fork') {
      const gone = devices[0]!.pair.id;
      return itemsOf(await withoutMember(first, gone, thief.pair, PARTS), thief.pair, state);
    }
    if (what === 'stranger') {
      const all = [stranger, ...this.members.map(({ person }) => person)];
      const members = all.map(({ member }) => member);
      return itemsOf(await firstEpoch(members, stranger.pair, PARTS), stranger.pair, state);
    }
    // With right wraps to all, as if the thief were still a member of the newest epoch.
    const newest = await epochOf(this.members[0]!);
    const known = newest.members.slice(0, MEMBERS_MAX - 2); // the thief and the stranger have to have room
    const parent = { ...newest, members: [...known, thief.member] };
    const child = await withMember(parent, stranger.member, thief.pair, PARTS);
    return itemsOf(child, thief.pair, state);
  }

  /** The attacks are over: all devices hold the same. */
  async end(): Promise<void> {
    await this.#settleAnew();
    const newest = nameOf(await epochOf(this.members[0]!));
    for (const member of this.members) {
      expect(nameOf(await epochOf(member)), 'the same epoch').to.equal(newest);
      expect(await hindranceOf(member)).to.equal(null);
    }
    const labels = await Promise.all(this.members.map(labelsIn));
    for (const each of labels) expect(each).to.deep.equal(labels[0]);
    for (const at of this.members.keys()) await this.#check(at);
    for (const member of this.members) {
      const { writes } = member.profile;
      await exchanged(member);
      expect(member.profile.writes, 'writes of what all know').to.equal(writes);
    }
  }
}

function put(cloud: Cloud, items: ReadonlyMap<string, string>, places: number): void {
  for (const [place, name] of ITEM_NAMES.entries()) {
    if (!isIn(places)(place)) continue;
    const text = items.get(name);
    if (text === undefined) cloud.items.delete(name);
    else cloud.items.set(name, text);
  }
}

const stateOf = async ({ world }: Member): Promise<SharedState> =>
  deviceOf((await world.vault.read(DEVICE))!).state;

const idOf = async ({ world }: Member): Promise<string | null> =>
  deviceOf((await world.vault.read(DEVICE))!).id;

/** Every entry deleted, after all that is known of it. */
const deletionOf = ({ seen, entries }: SharedState): SharedState => ({
  seen,
  entries: Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      isDeleted(entry)
        ? entry
        : { incarnation: entry.incarnation, deleted: { seen: entry.version, at: 1 } },
    ]),
  ),
});

/** All items of an epoch. @param pair of a member of it */
async function itemsOf(epoch: Epoch, pair: MemberPair, state: SharedState) {
  const syncKey = await syncKeyOf(epoch, pair, PARTS);
  const none = await openItems(new Map(), { ...epoch, syncKey });
  const contents = { epoch, syncKey, links: [], present: [pair.id], state };
  return (await mediumChanges(contents, new Map(), none, systemRandom)).writes;
}

describe('Exchanges over any medium', function () {
  this.timeout(120_000 + SEQUENCES * 60_000);
  let cast: Cast;
  const beginnings: Beginning[] = [];

  before(async () => {
    const people: Person[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Code', 'Tablet', 'Thief', 'Stranger']) {
      people.push(await newDevice(name));
    }
    const [thief, stranger] = people.slice(6) as [Person, Person];
    const codes: Person[] = [];
    for (const at of [1, 2]) {
      const pair = codePair(new Uint8Array(16).fill(at));
      codes.push({ pair, member: await memberOf(pair, '', X_WING) });
    }
    cast = { devices: people.slice(0, 4), absent: people.slice(4, 6), codes, thief, stranger };
    for (let count = 2; count <= DEVICES_MAX; count++) {
      const all = [...cast.devices.slice(0, count), thief].map(({ member }) => member);
      const { pair } = cast.devices[0]!;
      const first = await firstEpoch(all, pair, PARTS);
      beginnings.push([first, await withoutMember(first, thief.pair.id, pair, PARTS)]);
    }
  });

  async function check(
    event: fc.Arbitrary<Event>,
    example: readonly Event[],
    isHonest: boolean,
  ): Promise<Told> {
    const told = { forks: 0, renewals: 0, copies: 0, alarms: 0 };
    const property = fc.asyncProperty(
      fc.nat(beginnings.length - 1),
      fc.array(event, { minLength: 12, maxLength: 24 }),
      async (which, events) => {
        const sequence = new Sequence(cast, beginnings[which]!, told, isHonest);
        await sequence.begin(which + 2);
        for (const each of events) await sequence.take(each);
        await sequence.end();
      },
    );
    const examples: [number, Event[]][] = [[0, [...example]]];
    await fc.assert(property, { numRuns: 1 + SEQUENCES, examples, endOnFailure: true });
    return told;
  }

  it(`end in the same keys on all devices, without an alarm, in ${SEQUENCES} sequences without an attack`, async () => {
    const { alarms, renewals } = await check(honest, EXAMPLES.honest, true);
    expect(alarms).to.equal(0);
    expect(renewals, 'openers that two have changed at once').to.be.above(0);
  });

  it(`lose no key and follow no forged epoch, in ${SEQUENCES} hostile sequences`, async () => {
    const { forks, copies, alarms } = await check(hostile, EXAMPLES.hostile, false);
    expect(forks, 'forks').to.be.above(0);
    expect(copies, 'copies').to.be.above(0);
    expect(alarms, 'alarms').to.be.above(0);
  });
});
