import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import type { Epoch, GroupMember } from '../../../src/format/groups/epoch.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { outcome, thrown } from '../support.ts';
import { epochOf, people, type Person } from './small-groups.ts';

const keysOf = (members: readonly GroupMember[]) =>
  members.map(({ publicKey }) => toHex(publicKey)).sort();

/** Adam, Berta and Carl are admins, Dora is a member; Eve and Fritz are not. */
class Story {
  readonly group: Uint8Array;
  readonly first: Epoch;

  constructor(first: Epoch) {
    this.first = first;
    this.group = first.digest;
  }

  history(...epochs: readonly Epoch[]): Promise<GroupHistory> {
    return GroupHistory.check([this.first, ...epochs], { group: this.group });
  }

  /** The epoch that a person makes who knows these. */
  async next(
    by: Person,
    known: readonly Epoch[],
    change: (members: readonly GroupMember[]) => readonly GroupMember[] = (members) => members,
  ): Promise<Epoch> {
    const { members, ...basis } = (await this.history(...known)).basis();
    return epochOf(change(members), by, { ...basis, group: this.group });
  }
}

const plus =
  (...added: readonly GroupMember[]) =>
  (members: readonly GroupMember[]) => [...members, ...added];
const minus =
  (...removed: readonly Person[]) =>
  (members: readonly GroupMember[]) =>
    members.filter(
      ({ publicKey }) =>
        !removed.some(({ member }) => toHex(member.publicKey) === toHex(publicKey)),
    );

describe('the history of a group', () => {
  let adam: Person;
  let berta: Person;
  let carl: Person;
  let dora: Person;
  let eve: Person;
  let fritz: Person;
  let story: Story;

  before(async () => {
    [adam, berta, carl, dora, eve, fritz] = (await people(6)) as [
      ...[Person, Person, Person, Person, Person, Person],
    ];
    const members = [adam.admin, berta.admin, carl.admin, dora.member];
    story = new Story(await epochOf(members, adam));
  });

  const wholeOf = async (...epochs: readonly Epoch[]) => {
    const history = await story.history(...epochs);
    return history.newest().map(({ digest }) => toHex(digest));
  };

  describe('of one admin at a time', () => {
    it('has the newest epoch, whatever the order in which they came, and never an older one', async () => {
      const one = await story.next(adam, [], plus(eve.member));
      const two = await story.next(berta, [one], minus(dora));
      for (const order of [
        [one, two],
        [two, one],
        [two, one, one],
      ]) {
        expect(await wholeOf(...order)).to.deep.equal([toHex(two.digest)]);
      }
      const { members } = await story.history(one, two);
      expect(keysOf(members)).to.deep.equal(
        keysOf([adam.member, berta.member, carl.member, eve.member]),
      );
    });

    it('lacks what an epoch follows that is missing', async () => {
      const one = await story.next(adam, []);
      const two = await story.next(adam, [one]);
      expect(await outcome(story.history(two))).to.equal('NEEDS_KEY');
      const trust = { group: story.group };
      expect(await outcome(GroupHistory.check([one, two], trust))).to.equal('NEEDS_KEY');
      expect(await outcome(GroupHistory.check([], trust))).to.equal('NEEDS_KEY');
    });

    it('begins at an epoch of an admin who was compared, where older ones are missing', async () => {
      const one = await story.next(berta, [], plus(eve.member));
      const two = await story.next(adam, [one]);
      const check = (admin: Person) =>
        outcome(
          GroupHistory.check([one, two], {
            group: story.group,
            trusted: [admin.signer.publicKey],
          }),
        );
      expect(await check(berta)).to.equal('resolved');
      expect(await check(adam)).to.equal('NEEDS_KEY');
    });

    it('refuses epochs of members, strangers and admins who were removed', async () => {
      const without = await story.next(adam, [], minus(berta));
      const by = async (who: Person, known: readonly Epoch[]) =>
        outcome(story.history(...known, await story.next(who, known, plus(eve.member))));
      expect(await by(carl, [without])).to.equal('resolved');
      expect(await by(dora, [])).to.equal('BAD_ENVELOPE');
      expect(await by(eve, [])).to.equal('BAD_ENVELOPE');
      expect(await by(berta, [without])).to.equal('BAD_ENVELOPE');
    });

    it('refuses a first epoch that another person signed than an admin in it', async () => {
      const first = await epochOf([adam.admin, eve.member], eve);
      expect(await outcome(new Story(first).history())).to.equal('BAD_ENVELOPE');
    });

    it('refuses epochs of another group, with another number, or that follow one twice', async () => {
      const other = new Story(await epochOf([adam.admin], adam));
      expect(await outcome(story.history(await other.next(adam, [])))).to.equal('BAD_ENVELOPE');
      expect(await outcome(story.history(other.first))).to.equal('BAD_ENVELOPE');
      const { members, parents, number } = (await story.history()).basis();
      const { group } = story;
      const skipped = await epochOf(members, adam, { group, parents, number: number + 1 });
      expect(await outcome(story.history(skipped))).to.equal('BAD_ENVELOPE');
      const one = await story.next(adam, []);
      const both = [story.first.digest, one.digest];
      const again = await epochOf(members, adam, { group, parents: both, number: 2 });
      expect(await outcome(story.history(one, again))).to.equal('BAD_ENVELOPE');
    });
  });

  describe('of two admins at the same time', () => {
    it('joins what they added: a message is for both epochs', async () => {
      const one = await story.next(adam, [], plus(eve.member));
      const two = await story.next(berta, [], plus(fritz.member));
      const newest = await wholeOf(one, two);
      expect(newest).to.have.members([toHex(one.digest), toHex(two.digest)]);
      const joined = await story.next(carl, [one, two]);
      expect(await wholeOf(two, joined, one)).to.deep.equal([toHex(joined.digest)]);
      const { members } = await story.history(one, two, joined);
      expect(keysOf(members)).to.include.members(keysOf([eve.member, fritz.member]));
    });

    it('lets a removal win, and senders wait until an admin has joined both', async () => {
      const one = await story.next(adam, [], plus(eve.member));
      const two = await story.next(berta, [], minus(dora));
      const forked = await story.history(one, two);
      expect(thrown(() => forked.newest())).to.equal('NEEDS_KEY');
      expect(forked.whole).to.equal(undefined);
      const joined = await story.next(adam, [one, two]);
      const { members } = await story.history(one, two, joined);
      expect(await wholeOf(one, two, joined)).to.deep.equal([toHex(joined.digest)]);
      expect(keysOf(members)).to.deep.equal(
        keysOf([adam.member, berta.member, carl.member, eve.member]),
      );
    });

    it('refuses a joining epoch that changes more, or that a removed admin made', async () => {
      const one = await story.next(adam, [], minus(berta));
      const two = await story.next(carl, [], plus(eve.member));
      const changed = await story.next(adam, [one, two], plus(fritz.member));
      expect(await outcome(story.history(one, two, changed))).to.equal('BAD_ENVELOPE');
      const removed = await story.next(berta, [one, two]);
      expect(await outcome(story.history(one, two, removed))).to.equal('BAD_ENVELOPE');
    });

    it('takes nothing of an admin whom another removed: no stranger comes in by an old parent', async () => {
      const without = await story.next(adam, [], minus(berta));
      const later = await story.next(adam, [without], plus(fritz.member));
      const sneaked = await story.next(berta, [], plus(eve.admin));
      const built = await story.next(eve, [sneaked], minus(carl, dora));
      const history = await story.history(without, later, sneaked, built);
      expect(history.newest().map(({ digest }) => toHex(digest))).to.deep.equal([
        toHex(later.digest),
      ]);
      expect(keysOf(history.members)).to.deep.equal(
        keysOf([adam.member, carl.member, dora.member, fritz.member]),
      );
    });

    it('follows, with the next change, all that changed who is an admin', async () => {
      const raised = await story.next(adam, [], (members) =>
        plus(dora.admin)(minus(dora)(members)),
      );
      const added = await story.next(berta, [], plus(eve.member));
      const history = await story.history(raised, added);
      // Senders need no more than all members.
      expect(await wholeOf(raised, added)).to.deep.equal([toHex(added.digest)]);
      expect(history.settled).to.equal(undefined);
      expect(history.basis().parents).to.have.length(2);
      const joined = await story.next(dora, [raised, added]);
      const after = await story.next(dora, [raised, added, joined], minus(carl));
      const { settled, members } = await story.history(raised, added, joined, after);
      expect(toHex(settled!.digest)).to.equal(toHex(after.digest));
      expect(keysOf(members)).to.deep.equal(
        keysOf([adam.member, berta.member, dora.member, eve.member]),
      );
    });

    it('does not give a right back that was taken while another admin changed the group', async () => {
      const lowered = await story.next(adam, [], (members) =>
        plus(berta.member)(minus(berta)(members)),
      );
      const added = await story.next(carl, [], plus(eve.member));
      const sneaked = await story.next(berta, [added], plus(fritz.member));
      const history = await story.history(lowered, added, sneaked);
      expect(keysOf(history.members)).to.not.include(toHex(fritz.member.publicKey));
      const joined = await story.next(carl, [lowered, added, sneaked]);
      const after = await story.history(lowered, added, sneaked, joined);
      const admins = after.settled!.members.filter(({ adminKey }) => adminKey);
      expect(keysOf(admins)).to.deep.equal(keysOf([adam.member, carl.member]));
      const again = await story.next(berta, [lowered, added, joined]);
      const all = story.history(lowered, added, joined, again);
      expect(await outcome(all)).to.equal('BAD_ENVELOPE');
    });

    it('does not let the removed admin void the work of a third', async () => {
      const without = await story.next(adam, [], minus(berta));
      const later = await story.next(carl, [without], plus(fritz.member));
      const revenge = await story.next(berta, [], minus(carl, dora));
      const history = await story.history(without, later, revenge);
      expect(history.whole && toHex(history.whole.digest)).to.equal(toHex(later.digest));
    });

    it('removes both who removed each other, and nothing else that they changed', async () => {
      const one = await story.next(adam, [], (members) => plus(eve.member)(minus(berta)(members)));
      const two = await story.next(berta, [], minus(adam, dora));
      const history = await story.history(one, two);
      expect(keysOf(history.members)).to.deep.equal(keysOf([carl.member, dora.member]));
      expect(thrown(() => history.newest())).to.equal('NEEDS_KEY');
      for (const who of [adam, berta]) {
        const joined = await story.next(who, [one, two]);
        expect(await outcome(story.history(one, two, joined))).to.equal('BAD_ENVELOPE');
      }
      const joined = await story.next(carl, [one, two]);
      expect(await wholeOf(one, two, joined)).to.deep.equal([toHex(joined.digest)]);
    });

    it('removes both, too, where one of them had another person do it', async () => {
      const without = await story.next(adam, [], minus(berta));
      const sneaked = await story.next(berta, [], plus(eve.admin));
      const built = await story.next(eve, [sneaked], minus(adam, dora));
      const history = await story.history(without, sneaked, built);
      expect(keysOf(history.members)).to.deep.equal(keysOf([carl.member, dora.member]));
      const joined = await story.next(carl, [without, sneaked, built]);
      expect(await wholeOf(without, sneaked, built, joined)).to.deep.equal([toHex(joined.digest)]);
    });

    it('counts a removal against what others had added before, not against what comes after', async () => {
      const out = await story.next(adam, [], minus(dora));
      const back = await story.next(adam, [out], plus(dora.member));
      const { members } = await story.history(out, back, await story.next(berta, []));
      expect(keysOf(members)).to.include(toHex(dora.member.publicKey));
    });

    it('gives one admin key to one member, and one member one admin key', async () => {
      const one = await story.next(adam, [], plus(eve.admin));
      const two = await story.next(
        berta,
        [],
        plus({ ...eve.member, adminKey: fritz.admin.adminKey! }),
      );
      const three = await story.next(
        carl,
        [],
        plus({ ...fritz.member, adminKey: eve.admin.adminKey! }),
      );
      const history = await story.history(one, two, three);
      const admins = history.members.flatMap(({ adminKey }) => (adminKey ? toHex(adminKey) : []));
      expect(new Set(admins).size).to.equal(admins.length);
      expect(history.members).to.have.length(6);
      const joined = await story.next(adam, [one, two, three]);
      expect(await wholeOf(one, two, three, joined)).to.deep.equal([toHex(joined.digest)]);
    });

    it('demotes an admin who stays a member', async () => {
      const demoted = await story.next(adam, [], (members) =>
        plus(berta.member)(minus(berta)(members)),
      );
      const sneaked = await story.next(berta, [], plus(eve.member));
      const history = await story.history(demoted, sneaked);
      expect(keysOf(history.members)).to.deep.equal(keysOf(story.first.members));
      expect(history.whole && toHex(history.whole.digest)).to.equal(toHex(demoted.digest));
    });
  });

  it('has room for 1,024 epochs', async () => {
    const many = Array.from({ length: 1_025 }, (_, i) => ({
      ...story.first,
      digest: new Uint8Array(32).fill(i % 256).fill(Math.floor(i / 256), 0, 1),
    }));
    const trust = { group: story.group };
    expect(await outcome(GroupHistory.check(many, trust))).to.equal('TOO_LARGE');
    expect(await outcome(GroupHistory.check([story.first], trust))).to.equal('resolved');
  });
});
