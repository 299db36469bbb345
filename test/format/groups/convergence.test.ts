import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import type { Epoch, GroupMember } from '../../../src/format/groups/epoch.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { epochOf, people, type Person } from './small-groups.ts';

/* Admins change a group at the same time, and their epochs come to each of them in another order. */

const HISTORIES = IS_NIGHTLY ? 10_000 : inDepth(1_000, 200);
const STEPS = 8;

/** Numbers that a test can repeat: mulberry32. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const nameOf = ({ publicKey }: GroupMember) => toHex(publicKey.subarray(0, 16));
const namesOf = (members: readonly GroupMember[]) => members.map(nameOf).sort();

/** What each of the admins has got, and what all of them made. */
class World {
  readonly #people: readonly Person[];
  readonly #below: (below: number) => number;
  readonly #known: Epoch[][];
  readonly first: Epoch;
  readonly all: Epoch[];
  readonly trust: { readonly group: Uint8Array };

  constructor(
    persons: readonly Person[],
    admins: number,
    first: Epoch,
    below: (n: number) => number,
  ) {
    this.#people = persons;
    this.#below = below;
    this.#known = Array.from({ length: admins }, () => [first]);
    this.first = first;
    this.all = [first];
    this.trust = { group: first.digest };
  }

  history(epochs: readonly Epoch[]): Promise<GroupHistory> {
    return GroupHistory.check(this.#shuffled(epochs), this.trust);
  }

  /** One admin changes the group as they know it, or gets an epoch that another one made. */
  async step(): Promise<void> {
    const who = this.#below(this.#known.length);
    const known = this.#known[who]!;
    if (this.#below(2) === 0) {
      const missing = this.all.filter((epoch) => !known.includes(epoch));
      const come = missing.find(({ parents }) =>
        parents.every((parent) => known.some(({ digest }) => toHex(digest) === toHex(parent))),
      );
      if (come) known.push(come);
      return;
    }
    const made = await this.#change(this.#people[who]!, await this.history(known));
    if (!made) return;
    known.push(made);
    this.all.push(made);
  }

  async #change(who: Person, history: GroupHistory): Promise<Epoch | undefined> {
    const { members, ...place } = history.basis();
    const { group } = history;
    if (
      !members.some(({ adminKey }) => adminKey && toHex(adminKey) === toHex(who.signer.publicKey))
    ) {
      return undefined;
    }
    const other = this.#people[this.#below(this.#people.length)]!;
    const staying = members.filter((each) => nameOf(each) !== nameOf(other.member));
    const isMember = staying.length < members.length;
    const added = this.#below(3) === 0 ? other.admin : other.member;
    const joins = place.parents.length > 1;
    const changed = isMember ? staying : [...members, added];
    if (changed.length === 0) return undefined;
    return epochOf(joins ? members : changed, who, { ...place, group });
  }

  /** An admin who is left joins until one epoch is whole. */
  async joined(history: GroupHistory): Promise<GroupHistory | undefined> {
    if (history.whole) return history;
    const { members, ...place } = history.basis();
    const who = this.#people.find(({ signer }) =>
      members.some(({ adminKey }) => adminKey && toHex(adminKey) === toHex(signer.publicKey)),
    );
    if (!who || members.length === 0) return undefined;
    const made = await epochOf(members, who, { ...place, group: history.group });
    return this.joined(await this.history([...history.epochs, made]));
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.#below(left.length), 1)[0]!);
  }
}

describe(`admins of a group who change it at the same time, ${HISTORIES} histories`, function () {
  this.timeout(IS_NIGHTLY ? 3_600_000 : 600_000);

  let persons: Person[];
  before(async () => {
    persons = await people(7);
  });

  const worldOf = async (seed: number, admins = 3) => {
    const below = numbersFrom(seed);
    const members = persons.slice(0, 5).map((each, at) => (at < admins ? each.admin : each.member));
    const world = new World(persons, admins, await epochOf(members, persons[0]!), below);
    for (let step = 0; step < STEPS; step++) await world.step();
    return world;
  };

  it('agree as soon as they have the same epochs, and on one epoch as soon as one has joined them', async () => {
    let forks = 0;
    let joins = 0;
    for (let seed = 0; seed < HISTORIES; seed++) {
      const world = await worldOf(seed);
      const [one, two] = [await world.history(world.all), await world.history(world.all)];
      const heads = ({ heads: each }: GroupHistory) => each.map(({ digest }) => toHex(digest));
      expect(heads(one), `seed ${seed}`).to.deep.equal(heads(two));
      expect(namesOf(one.members), `seed ${seed}`).to.deep.equal(namesOf(two.members));
      forks += one.whole ? 0 : 1;
      const joined = await world.joined(one);
      if (!joined) continue;
      joins += 1;
      expect(namesOf(joined.members), `seed ${seed}`).to.deep.equal(namesOf(one.members));
      expect(namesOf(joined.whole!.members), `seed ${seed}`).to.deep.equal(namesOf(one.members));
    }
    // The histories are such that there is something to join.
    expect(forks).to.be.greaterThan(HISTORIES / 10);
    expect(joins).to.be.greaterThan(HISTORIES / 2);
  });

  it('never seal to one whom an admin removed and no later epoch added again', async () => {
    let waits = 0;
    for (let seed = 0; seed < HISTORIES; seed++) {
      const world = await worldOf(seed, 2);
      const history = await world.history(world.all);
      let newest: readonly Epoch[];
      try {
        newest = history.newest();
      } catch (error) {
        if (!(error instanceof EnvelopeError)) throw error;
        waits += 1;
        continue;
      }
      const readers = new Set(newest.flatMap(({ members }) => namesOf(members)));
      expect([...readers].sort(), `seed ${seed}`).to.deep.equal(namesOf(history.members));
    }
    expect(waits).to.be.within(1, HISTORIES - 1);
  });
});
