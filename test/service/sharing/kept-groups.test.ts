import { expect } from 'chai';
import { createGroup, groupAdmin, openGroup } from '../../../src/format/groups/sharing-groups.ts';
import { generateIdentity } from '../../../src/format/recipients/sharing.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { POPUP, World } from '../../support/service-world.ts';

const NAME = 'Climbing';

/** A vault with a key of a member. */
async function person(): Promise<World> {
  const world = await World.unlocked();
  await world.surface('ui.createKey', { kind: 'sharing', label: 'Letters' });
  return world;
}

const ownKey = async (world: World) => (await world.surface('ui.ownSharingKeys', {}))[0]!;
const groupsOf = (world: World) => world.surface('ui.groups', {});
const textsOf = async (world: World) =>
  (await groupsOf(world)).flatMap(({ epochs }) => epochs.map(({ text }) => text));

/** Alice, who has Bob as a contact, and a group of both. */
async function scene() {
  const [alice, bob] = await Promise.all([person(), person()]);
  const { publicKey } = await ownKey(bob);
  const { id: contact } = await alice.surface('ui.addContact', { name: 'Bob', publicKey });
  const { ref: own } = await ownKey(alice);
  const { ref: signer } = await alice.surface('ui.createKey', { kind: 'signing', label: 'Mine' });
  const made = { name: NAME, contacts: [contact], own, signer };
  const { id } = await alice.surface('ui.makeGroup', made);
  const change = (changes: object) =>
    alice.surface('ui.changeGroup', {
      id,
      signer,
      add: [],
      remove: [],
      giveOldKeys: false,
      ...changes,
    });
  return { alice, bob, bobsKey: publicKey, contact, id, made, signer, change };
}

describe('Groups of the user', () => {
  it('are made with contacts, kept with a name of the user’s own, and taken by a member', async () => {
    const { alice, bob, bobsKey, id } = await scene();
    const [group, ...others] = await groupsOf(alice);
    expect(others).to.deep.equal([]);
    expect(group).to.include({ id, name: NAME });
    const epochs = group!.epochs.map(({ text }) => text);
    const { members, epochs: checked } = await openGroup({ id, epochs, identities: [] });
    expect(checked).to.deep.equal(epochs);
    const keys = [(await ownKey(alice)).publicKey, bobsKey].sort();
    expect(members.map(({ publicKey }) => publicKey).sort()).to.deep.equal(keys);
    expect(members.filter(({ adminKey }) => adminKey)).to.have.length(1);
    expect(await codeOf(bob.surface('ui.takeEpochs', { id, epochs }))).to.equal('INVALID_ARGUMENT');
    await bob.surface('ui.takeEpochs', { id, epochs, name: 'Alice’s' });
    await bob.surface('ui.takeEpochs', { id, epochs });
    expect(await textsOf(bob)).to.deep.equal(epochs);
    expect((await groupsOf(bob))[0]!.name).to.equal('Alice’s');
  });

  it('change by an admin alone, and refuse a change that cannot be', async () => {
    const { alice, bob, bobsKey, contact, id, change } = await scene();
    await change({ remove: [bobsKey] });
    const epochs = await textsOf(alice);
    expect(epochs).to.have.length(2);
    const now = await openGroup({ id, epochs, identities: [] });
    expect(now.members.map(({ publicKey }) => publicKey)).to.deep.equal([
      (await ownKey(alice)).publicKey,
    ]);
    expect(await codeOf(change({ remove: [bobsKey] }))).to.equal('INVALID_ARGUMENT');
    await change({ add: [contact], giveOldKeys: true });
    expect(await codeOf(change({ add: [contact] }))).to.equal('INVALID_ARGUMENT');
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: NAME });
    const { ref: signer } = await bob.surface('ui.createKey', { kind: 'signing', label: 'Mine' });
    const made = { id, signer, add: [], remove: [], giveOldKeys: false };
    expect(await codeOf(bob.surface('ui.changeGroup', made))).to.equal('BAD_ENVELOPE');
    expect(await textsOf(bob)).to.deep.equal(await textsOf(alice));
  });

  it('give the keys of older epochs to a new member only if the admin says so', async () => {
    for (const giveOldKeys of [false, true]) {
      const { alice, id, change } = await scene();
      const cleo = await generateIdentity();
      const added = { name: 'Cleo', publicKey: cleo.publicKey };
      const { id: contact } = await alice.surface('ui.addContact', added);
      await change({});
      await change({ add: [contact], giveOldKeys });
      const epochs = await textsOf(alice);
      const group = await openGroup({ id, epochs, identities: [cleo] });
      // Group, epoch and key of each epoch: 96 bytes.
      expect(group.identity().key.length / 96).to.equal(giveOldKeys ? 3 : 1);
    }
  });

  it('make one epoch for a call that is repeated', async () => {
    const { alice, bobsKey, id, signer } = await scene();
    const params = { id, signer, add: [], remove: [bobsKey], giveOldKeys: false };
    await alice.call('ui.changeGroup', params, POPUP, 'same');
    const once = await textsOf(alice);
    await codeOf(alice.call('ui.changeGroup', params, POPUP, 'same'));
    expect(await textsOf(alice)).to.deep.equal(once);
  });

  it('keep nothing of what came with a forged epoch, one of another group, or one that lacks a parent', async () => {
    const { alice, bob, id, change } = await scene();
    await change({});
    await change({});
    const [first, second, third] = (await textsOf(alice)) as [string, string, string];
    const forged = `${second.slice(0, -20)}AAAA${second.slice(-16)}`;
    const stranger = await groupAdmin(randomBytes(32));
    const adminKey = publicKeyText({ type: 'Ed25519', bytes: stranger.publicKey });
    const { publicKey } = await generateIdentity();
    const other = await createGroup([{ publicKey, adminKey }], stranger);
    const refused = [
      ['BAD_ENVELOPE', [first, forged]],
      ['BAD_ENVELOPE', [first, other.epoch]],
      ['BAD_ENVELOPE', ['swge1.AAAA']],
      ['NEEDS_KEY', [first, third]],
    ] as const;
    for (const [code, epochs] of refused) {
      const taken = { id, epochs: [...epochs], name: NAME };
      expect(await codeOf(bob.surface('ui.takeEpochs', taken))).to.equal(code);
    }
    expect(await groupsOf(bob)).to.deep.equal([]);
    await bob.surface('ui.takeEpochs', { id, epochs: [third, first, second], name: NAME });
    expect(await textsOf(bob)).to.have.members([first, second, third]);
  });

  it('have no members whose keys are of X25519, and no admins with keys of other kinds', async () => {
    const { alice, made } = await scene();
    const { publicKey } = await generateIdentity('X25519');
    const old = await alice.surface('ui.addContact', { name: 'Old', publicKey });
    const of = (more: object) => codeOf(alice.surface('ui.makeGroup', { ...made, ...more }));
    expect(await of({ contacts: [old.id] })).to.equal('INVALID_ARGUMENT');
    expect(await of({ signer: made.own })).to.equal('INVALID_ARGUMENT');
    expect(await of({ own: made.signer })).to.equal('INVALID_ARGUMENT');
    expect(await groupsOf(alice)).to.have.length(1);
  });

  it('get what the user seals to them: opened by members, and not by one who was removed', async () => {
    const { alice, bob, bobsKey, id, change } = await scene();
    const seal = (by: World) =>
      by.surface('ui.releaseSeal', { groups: [id], digest: new Uint8Array(32), totalBytes: 5 });
    const open = (by: World, head: Uint8Array) => by.surface('ui.releaseOpen', { head });
    const first = await seal(alice);
    expect(await codeOf(open(bob, first.prefix))).to.equal('NEEDS_KEY');
    expect(await codeOf(seal(bob))).to.equal('INVALID_ARGUMENT');
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: NAME });
    const opened = await open(bob, first.prefix);
    expect(opened).to.deep.include({ key: first.key, shared: true });
    expect(opened.openedBy).to.include({ kind: 'sharing' });
    const answer = await seal(bob);
    expect((await open(alice, answer.prefix)).key).to.deep.equal(answer.key);
    await change({ remove: [bobsKey] });
    const second = await seal(alice);
    expect((await open(alice, second.prefix)).key).to.deep.equal(second.key);
    expect(await codeOf(open(bob, second.prefix))).to.equal('NEEDS_KEY');
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice) });
    expect(await codeOf(open(bob, second.prefix))).to.equal('NEEDS_KEY');
    expect(await codeOf(seal(bob))).to.equal('NEEDS_KEY');
    expect((await open(bob, first.prefix)).key).to.deep.equal(first.key);
  });

  it('get the text of a field too, by their newest epoch, and are told apart where it does not open', async () => {
    const { alice, bob, bobsKey, id, change } = await scene();
    const seal = async (by: World, words: string) => {
      const sessionId = by.fieldSessions.add();
      const text = new TextEncoder().encode(words);
      return (await by.surface('ui.sealField', { sessionId, text, groups: [id] })).armored;
    };
    const open = (by: World, found: Uint8Array) =>
      by.surface('ui.openField', { sessionId: by.fieldSessions.add(), found });
    const needed = async (by: World, found: Uint8Array) => {
      const { code, data } = await errorOf(open(by, found));
      expect(code).to.equal('NEEDS_KEY');
      return (data as { group: unknown }).group;
    };
    const first = await seal(alice, 'at six');
    expect(await needed(bob, first)).to.deep.equal({ name: null, lacks: 'group' });
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: 'Alice’s' });
    expect(new TextDecoder().decode((await open(bob, first)).text)).to.equal('at six');
    await change({});
    const second = await seal(alice, 'at seven');
    expect(await needed(bob, second)).to.deep.equal({ name: 'Alice’s', lacks: 'epoch' });
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice) });
    expect(new TextDecoder().decode((await open(bob, second)).text)).to.equal('at seven');
    await change({ remove: [bobsKey] });
    const third = await seal(alice, 'without Bob');
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice) });
    expect(await needed(bob, third)).to.deep.equal({ name: 'Alice’s', lacks: 'member' });
  });

  it('are listed as ones to seal to, with why nothing can be sealed to one', async () => {
    const { alice, bob, bobsKey, id, change } = await scene();
    expect(await bob.surface('ui.sealableGroups', {})).to.deep.equal([]);
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: NAME });
    const group = { id, name: NAME, problem: null };
    expect(await bob.surface('ui.sealableGroups', {})).to.deep.equal([group]);
    await change({ remove: [bobsKey] });
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice) });
    expect(await bob.surface('ui.sealableGroups', {})).to.deep.equal([
      { ...group, problem: 'left' },
    ]);
    expect(await alice.surface('ui.sealableGroups', {})).to.deep.equal([group]);
  });

  it('wait while two admins’ epochs are not joined, until one joins them', async () => {
    const [alice, admin] = [await person(), await groupAdmin(randomBytes(32))];
    const { publicKey } = await ownKey(alice);
    const { ref: signer } = await alice.surface('ui.createKey', { kind: 'signing', label: 'A' });
    const { text: adminKey } = await alice.surface('ui.publicKey', { ref: signer });
    const ben = await generateIdentity();
    const bens = publicKeyText({ type: 'Ed25519', bytes: admin.publicKey });
    const [cleo, dan] = await Promise.all([generateIdentity(), generateIdentity()]);
    const members = [
      { publicKey, adminKey },
      { publicKey: ben.publicKey, adminKey: bens },
      { publicKey: cleo.publicKey },
    ];
    const { id, epoch } = await createGroup(members, admin);
    const group = await openGroup({ id, epochs: [epoch], identities: [ben] });
    const added = await group.change({ add: [{ publicKey: dan.publicKey }] }, admin);
    await alice.surface('ui.takeEpochs', { id, epochs: [epoch], name: NAME });
    const change = { id, signer, add: [], giveOldKeys: false };
    await alice.surface('ui.changeGroup', { ...change, remove: [cleo.publicKey] });
    await alice.surface('ui.takeEpochs', { id, epochs: [added] });
    const seal = () =>
      alice.surface('ui.releaseSeal', { groups: [id], digest: new Uint8Array(32), totalBytes: 5 });
    expect(await codeOf(seal())).to.equal('NEEDS_KEY');
    const problem = async () => (await alice.surface('ui.sealableGroups', {}))[0]!.problem;
    expect(await problem()).to.equal('waiting');
    await alice.surface('ui.changeGroup', { ...change, remove: [] });
    expect(await problem()).to.equal(null);
    const { isForked, members: now } = await openGroup({
      id,
      epochs: await textsOf(alice),
      identities: [],
    });
    expect(isForked).to.equal(false);
    const keys = [publicKey, ben.publicKey, dan.publicKey].sort();
    expect(now.map((member) => member.publicKey).sort()).to.deep.equal(keys);
    expect((await seal()).prefix).to.be.instanceOf(Uint8Array);
  });

  it('are renamed and removed', async () => {
    const { alice, id } = await scene();
    await alice.surface('ui.renameGroup', { id, name: 'Hiking' });
    expect((await groupsOf(alice))[0]!.name).to.equal('Hiking');
    await alice.surface('ui.removeGroup', { id });
    expect(await groupsOf(alice)).to.deep.equal([]);
    expect(await codeOf(alice.surface('ui.removeGroup', { id }))).to.equal('INVALID_ARGUMENT');
  });
});
