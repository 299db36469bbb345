import { expect } from 'chai';
import { epochText, parseEpochText } from '../../../../src/format/groups/epoch.ts';
import { groupIdText } from '../../../../src/format/groups/group-id.ts';
import { publicKeyText } from '../../../../src/format/wire/public-key.ts';
import type { OwnSharingKey, UiContact } from '../../../../src/rpc/methods/ui-contacts.ts';
import { groupFacts } from '../../../../extension/manager/groups/group-facts.ts';
import { readGroupVectors } from '../../../format/groups/group-vectors.ts';
import {
  epochOf,
  people as smallPeople,
  type Person,
} from '../../../format/groups/small-groups.ts';

const { epochs: EPOCHS, groups: GROUPS } = readGroupVectors();

const textsOf = (vector: string) => {
  const { group, epochs } = GROUPS.find(({ id }) => id === vector)!;
  return { id: group, epochs: epochs.map((name) => EPOCHS[name]!) };
};

const kept = (vector: string) => {
  const { id, epochs } = textsOf(vector);
  return { id, name: 'Choir', epochs: epochs.map((text) => ({ text, at: 0 })) };
};

/** The members of the first epoch, with their keys as text. */
async function people() {
  const { members, signer } = await parseEpochText(EPOCHS.first!);
  return {
    signer: publicKeyText({ type: 'Ed25519', bytes: signer }),
    members: members.map(({ publicKey, adminKey }) => ({
      publicKey: publicKeyText({ type: 'X-Wing', bytes: publicKey }),
      adminKey: adminKey && publicKeyText({ type: 'Ed25519', bytes: adminKey }),
    })),
  };
}

const ownKey = (publicKey: string) => ({ publicKey }) as OwnSharingKey;

describe('what is known of a group', () => {
  it('is who its members are, the user first, then contacts', async () => {
    const { members, signer } = await people();
    const [friend, user] = [members[0]!, members[2]!];
    const contacts = [{ id: 'c1', name: 'Amira', publicKey: friend.publicKey } as UiContact];
    const known = { own: [ownKey(user.publicKey)], signers: [{ ref: 's1', publicKey: signer }] };
    const facts = await groupFacts(kept('first'), { ...known, contacts });
    expect(facts.members.map(({ isUser, contact }) => [isUser, contact?.name])).to.deep.equal([
      [true, undefined],
      [false, 'Amira'],
      [false, undefined],
    ]);
    expect(facts.members.map(({ words }) => words.length)).to.deep.equal([6, 6, 6]);
    expect(facts).to.include({ isOwn: true, isWaiting: false, problem: undefined, signer: 's1' });
    const adminKeys = members.flatMap(({ adminKey }) => adminKey ?? []);
    expect(facts.adminKeys).to.have.members(adminKeys).and.to.include(signer);
  });

  it('proves no maker but the user, and makes no other key an admin', async () => {
    const { members } = await people();
    const other = publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32) });
    const own = [ownKey(members[0]!.publicKey)];
    const signers = [{ ref: 's1', publicKey: other }];
    const facts = await groupFacts(kept('first'), { own, signers, contacts: [] });
    expect(facts).to.include({ isOwn: false, signer: undefined });
  });

  it('is why nothing can be sealed for it: no member any more, or admins who have to join', async () => {
    const { members } = await people();
    const all = {
      own: members.map(({ publicKey }) => ownKey(publicKey)),
      signers: [],
      contacts: [],
    };
    expect((await groupFacts(kept('waiting'), all)).problem).to.equal('groupWaiting');
    const none = { ...all, own: [] };
    expect((await groupFacts(kept('first'), none)).problem).to.equal('groupLeft');
  });

  it('is that admins have to join before the next change, also where sealing goes on', async () => {
    const { members } = await people();
    const known = (own: readonly OwnSharingKey[]) => ({ own, signers: [], contacts: [] });
    const all = known(members.map(({ publicKey }) => ownKey(publicKey)));
    const whole = await groupFacts(kept('chain'), all);
    expect(whole).to.include({ isForked: false, isWaiting: false });
    const joining = await groupFacts(kept('joining'), all);
    expect(joining).to.include({ isForked: true, isWaiting: false, problem: undefined });
    const waiting = await groupFacts(kept('waiting'), all);
    expect(waiting).to.include({ isForked: true, isWaiting: true });
    // Of what was added at the same time, this member has the key of one epoch alone.
    const added = joining.changes().at(-1)!.added[0]!;
    const ofAdded = await groupFacts(kept('joining'), known([ownKey(added.publicKey)]));
    expect(ofAdded).to.include({ isForked: true, isWaiting: true, problem: 'groupWaiting' });
  });

  it('is that admins have to join, too, what changed who is one of them', async () => {
    const [adam, berta, carl, dora] = (await smallPeople(4)) as [Person, Person, Person, Person];
    const first = await epochOf([adam.admin, berta.admin, carl.member], adam);
    const place = { group: first.digest, parents: [first.digest], number: 1 };
    const all = [adam.admin, berta.admin, carl.member, dora.member];
    const epochs = [
      first,
      await epochOf([adam.admin, berta.admin, carl.admin], adam, place),
      await epochOf(all, berta, place),
    ];
    const group = {
      id: groupIdText(first.digest),
      name: 'Choir',
      epochs: epochs.map((epoch) => ({ text: epochText(epoch), at: 0 })),
    };
    const publicKey = publicKeyText({ type: 'X-Wing', bytes: carl.member.publicKey });
    const adminKey = publicKeyText({ type: 'Ed25519', bytes: carl.signer.publicKey });
    const signers = [{ ref: 's1', publicKey: adminKey }];
    const facts = await groupFacts(group, { own: [ownKey(publicKey)], signers, contacts: [] });
    expect(facts).to.include({
      isForked: true,
      isWaiting: false,
      problem: undefined,
      signer: 's1',
    });
    expect(facts.adminKeys).to.have.length(3).and.to.include(adminKey);
    expect(facts.members[0]).to.include({ isUser: true, isAdmin: true });
  });

  it('is that none can join where the only admins removed each other', async () => {
    const [adam, berta, carl] = (await smallPeople(3)) as [Person, Person, Person];
    const first = await epochOf([adam.admin, berta.admin, carl.member], adam);
    const next = (by: Person) =>
      epochOf([by.admin, carl.member], by, {
        group: first.digest,
        parents: [first.digest],
        number: 1,
      });
    const epochs = [first, await next(adam), await next(berta)];
    const group = {
      id: groupIdText(first.digest),
      name: 'Choir',
      epochs: epochs.map((epoch) => ({ text: epochText(epoch), at: 0 })),
    };
    const publicKey = publicKeyText({ type: 'X-Wing', bytes: carl.member.publicKey });
    const known = { own: [ownKey(publicKey)], signers: [], contacts: [] };
    expect((await groupFacts(group, known)).problem).to.equal('groupNoAdmins');
  });

  it('is what each change was, by whom, since when it is here, and the words to compare', async () => {
    const { members, signer } = await people();
    const [friend, user] = [members[0]!, members[2]!];
    const contacts = [{ id: 'c1', name: 'Amira', publicKey: friend.publicKey } as UiContact];
    const known = { own: [ownKey(user.publicKey)], signers: [], contacts };
    const { id, name, epochs } = kept('chain');
    const dated = { id, name, epochs: epochs.map(({ text }, at) => ({ text, at })) };
    const facts = await groupFacts(dated, known);
    const changes = facts.changes();
    expect(changes.map(({ number, kind, at }) => [number, kind, at])).to.deep.equal([
      [0, 'first', 1],
      [1, 'members', 2],
      [2, 'members', 0],
    ]);
    expect(changes[0]!.words).to.deep.equal(facts.words);
    expect(new Set(changes.map(({ words }) => words.join())).size).to.equal(3);
    const signers = members.filter(({ adminKey }) => adminKey === signer);
    expect(changes[0]!.author!.publicKey).to.equal(signers[0]!.publicKey);
    expect(changes.map(({ givesOldKeys }) => givesOldKeys)).to.deep.equal([false, true, false]);
    expect(changes.map(({ added, removed }) => [added.length, removed.length])).to.deep.equal([
      [3, 0],
      [1, 0],
      [0, 1],
    ]);
    const [made] = changes;
    expect(made!.added.some(({ contact }) => contact?.name === 'Amira')).to.equal(true);
    expect(made!.added.some(({ isUser }) => isUser)).to.equal(true);
    const kinds = async (vector: string) =>
      (await groupFacts(kept(vector), known)).changes().map(({ kind }) => kind);
    expect(await kinds('joined')).to.deep.equal(['first', 'members', 'members', 'members', 'join']);
  });
});
