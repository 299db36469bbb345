import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import type { Epoch } from '../../../src/format/groups/epoch.ts';
import type { GroupHistory } from '../../../src/format/groups/history.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import {
  epochOf,
  namesOf,
  numbersFrom,
  people,
  rolesOf,
  World,
  type Person,
} from './small-groups.ts';

/* Admins change a group at the same time, and their epochs come to each of them in another order. */

const HISTORIES = IS_NIGHTLY ? 10_000 : inDepth(1_000, 200);
const STEPS = 8;

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
      expect(rolesOf(one.members), `seed ${seed}`).to.deep.equal(rolesOf(two.members));
      forks += one.whole ? 0 : 1;
      const joined = await world.joined(one);
      if (!joined) continue;
      joins += 1;
      const roles = rolesOf(one.members);
      expect(rolesOf(joined.members), `seed ${seed}`).to.deep.equal(roles);
      expect(rolesOf(joined.settled!.members), `seed ${seed}`).to.deep.equal(roles);
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
