import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import type { Epoch, GroupMember } from '../../../src/format/groups/epoch.ts';
import { problemOf } from '../../../src/format/groups/group-problem.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { epochOf, people, type Person } from './small-groups.ts';

describe('why nothing can be sealed to a group', () => {
  let adam: Person;
  let berta: Person;
  let carl: Person;
  let dora: Person;
  let first: Epoch;

  before(async () => {
    [adam, berta, carl, dora] = (await people(4)) as [Person, Person, Person, Person];
    first = await epochOf([adam.admin, berta.admin, carl.member], adam);
  });

  const next = (by: Person, ...members: readonly GroupMember[]) =>
    epochOf(members, by, { group: first.digest, parents: [first.digest], number: 1 });

  async function problem(user: Person, ...epochs: readonly Epoch[]) {
    const history = await GroupHistory.check([first, ...epochs], { group: first.digest });
    const isUser = ({ publicKey }: GroupMember) =>
      toHex(publicKey) === toHex(user.member.publicKey);
    return problemOf(history, isUser);
  }

  it('is nothing for a member, also where admins added others at the same time', async () => {
    expect(await problem(carl)).to.equal(undefined);
    const [eve] = (await people(1)) as [Person];
    const one = await next(adam, adam.admin, berta.admin, carl.member, dora.member);
    const two = await next(berta, adam.admin, berta.admin, carl.member, eve.member);
    expect(await problem(carl, one, two)).to.equal(undefined);
    // Of each epoch, one of the two who were added has no key.
    expect(await problem(dora, one, two)).to.equal('waiting');
  });

  it('is that the user left, also while admins have to join what they changed', async () => {
    expect(await problem(dora)).to.equal('left');
    const without = await next(adam, adam.admin, berta.admin);
    expect(await problem(carl, without)).to.equal('left');
    const added = await next(berta, adam.admin, berta.admin, carl.member, dora.member);
    expect(await problem(carl, without, added)).to.equal('left');
    expect(await problem(adam, without, added)).to.equal('waiting');
  });

  it('is that no admin is left to join what they changed', async () => {
    const one = await next(adam, adam.admin, carl.member);
    const two = await next(berta, berta.admin, carl.member);
    expect(await problem(carl, one, two)).to.equal('noAdmins');
  });

  it('is nothing in a group whose last admin left: its members seal on', async () => {
    const without = await next(adam, berta.member, carl.member);
    expect(await problem(carl, without)).to.equal(undefined);
  });
});
