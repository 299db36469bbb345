import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { changesIn, type EpochChange } from '../../../src/format/groups/epoch-changes.ts';
import type { Epoch, GroupMember } from '../../../src/format/groups/epoch.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { epochOf, people, type Person } from './small-groups.ts';

const NAMES = ['adam', 'berta', 'carl', 'dora', 'eve'] as const;
type Name = (typeof NAMES)[number];
type Members = Readonly<Partial<Record<Name, 'admin' | 'member'>>>;

/** What a change is, by names. */
interface Told {
  readonly by: Name;
  readonly added: readonly Name[];
  readonly removed: readonly Name[];
  readonly newAdmins: readonly Name[];
  readonly formerAdmins: readonly Name[];
  readonly standing: EpochChange['standing'];
}

describe('the changes of a group', () => {
  let persons: Readonly<Record<Name, Person>>;
  let first: Epoch;

  before(async () => {
    const made = await people(NAMES.length);
    persons = Object.fromEntries(NAMES.map((name, i) => [name, made[i]!])) as typeof persons;
    first = await epoch('adam', { adam: 'admin', berta: 'admin', carl: 'admin' });
  });

  const nameOf = ({ publicKey }: GroupMember): Name =>
    NAMES.find((name) => toHex(persons[name].member.publicKey) === toHex(publicKey))!;
  const namesOf = (members: readonly GroupMember[]) => members.map(nameOf).sort();

  function epoch(by: Name, members: Members, ...parents: readonly Epoch[]): Promise<Epoch> {
    const list = Object.entries(members).map(([name, role]) => persons[name as Name][role]);
    if (parents.length === 0) return epochOf(list, persons[by]);
    return epochOf(list, persons[by], {
      group: first.digest,
      parents: parents.map(({ digest }) => digest),
      number: Math.max(...parents.map(({ number }) => number)) + 1,
    });
  }

  /** What each epoch is told as, in the order in which they are given. */
  async function told(...epochs: readonly Epoch[]): Promise<Told[]> {
    const history = await GroupHistory.check([first, ...epochs], { group: first.digest });
    const changes = changesIn(history);
    expect(changes.map((change) => change.epoch)).to.deep.equal(history.epochs);
    return [first, ...epochs].map((wanted) => {
      const change = changes.find((each) => toHex(each.epoch.digest) === toHex(wanted.digest))!;
      return {
        by: nameOf(change.author!),
        added: namesOf(change.added),
        removed: namesOf(change.removed),
        newAdmins: namesOf(change.newAdmins),
        formerAdmins: namesOf(change.formerAdmins),
        standing: change.standing,
      };
    });
  }

  const nothing = { added: [], removed: [], newAdmins: [], formerAdmins: [], standing: 'counts' };

  it('name who signed each, who came and who left, and who became or was an admin', async () => {
    const all = { adam: 'admin', berta: 'admin', carl: 'admin' } as const;
    const added = await epoch('berta', { ...all, dora: 'member' }, first);
    const raised = await epoch('adam', { ...all, dora: 'admin' }, added);
    const lowered = await epoch('dora', { ...all, berta: 'member', dora: 'admin' }, raised);
    const removed = await epoch('carl', { adam: 'admin', carl: 'admin', dora: 'admin' }, lowered);
    const fresh = await epoch('carl', { adam: 'admin', carl: 'admin', dora: 'admin' }, removed);
    expect(await told(added, raised, lowered, removed, fresh)).to.deep.equal([
      { ...nothing, by: 'adam', added: ['adam', 'berta', 'carl'] },
      { ...nothing, by: 'berta', added: ['dora'] },
      { ...nothing, by: 'adam', newAdmins: ['dora'] },
      { ...nothing, by: 'dora', formerAdmins: ['berta'] },
      { ...nothing, by: 'carl', removed: ['berta'] },
      { ...nothing, by: 'carl' },
    ]);
  });

  it('name a member with another admin’s key as a new admin alone', async () => {
    const [other] = await people(1);
    const { adam, berta, carl } = persons;
    const changed = { ...carl.member, adminKey: other!.signer.publicKey };
    const epochs = await epochOf([adam.admin, berta.admin, changed], adam, {
      group: first.digest,
      parents: [first.digest],
      number: 1,
    });
    const [, change] = await told(epochs);
    expect(change).to.deep.equal({ ...nothing, by: 'adam', newAdmins: ['carl'] });
  });

  it('join what was made at the same time, and change no member by that', async () => {
    const all = { adam: 'admin', berta: 'admin', carl: 'admin' } as const;
    const one = await epoch('adam', { ...all, dora: 'member' }, first);
    const two = await epoch('berta', { ...all, eve: 'member' }, first);
    const both = { ...all, dora: 'member', eve: 'member' } as const;
    const joined = await epoch('carl', both, one, two);
    const [, , , last] = await told(one, two, joined);
    expect(last).to.deep.equal({ ...nothing, by: 'carl' });
  });

  it('do not count where their signer was removed at the same time', async () => {
    const without = await epoch('adam', { adam: 'admin', carl: 'admin' }, first);
    const all = { adam: 'admin', berta: 'admin', carl: 'admin' } as const;
    const sneaked = await epoch('berta', { ...all, eve: 'admin' }, first);
    const after = await epoch('eve', { adam: 'admin', eve: 'admin' }, sneaked);
    const standings = (await told(without, sneaked, after)).map(({ standing }) => standing);
    expect(standings).to.deep.equal(['counts', 'counts', 'void', 'void']);
  });

  it('are undecided where admins removed each other', async () => {
    const one = await epoch('adam', { adam: 'admin', carl: 'admin' }, first);
    const two = await epoch('berta', { berta: 'admin', carl: 'admin' }, first);
    const [, ...both] = await told(one, two);
    expect(both.map(({ standing }) => standing)).to.deep.equal(['undecided', 'undecided']);
  });

  it('begin without an author where the oldest is not the first, and its signer left with it', async () => {
    const two = await epoch('adam', { berta: 'admin', carl: 'admin' }, first);
    const trusted = [persons.adam.signer.publicKey];
    const history = await GroupHistory.check([two], { group: first.digest, trusted });
    const [change] = changesIn(history);
    expect(change!.author).to.equal(undefined);
    expect(namesOf(change!.added)).to.deep.equal(['berta', 'carl']);
  });
});
