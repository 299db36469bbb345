import { expect } from 'chai';
import { candidatesIn } from '../../../extension/fields-window/candidates.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { createGroup, groupAdmin, openGroup } from '../../../src/format/groups/sharing-groups.ts';
import { generateIdentity } from '../../../src/format/recipients/sharing.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';

const NAME = 'Climbing';
const NO_CHANGE = { add: [], remove: [], roles: [], giveOldKeys: false };

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

/** The signing key of a person, and the public key by which they can be an admin. */
async function adminKeyOf(world: World) {
  const { ref } = await world.surface('ui.createKey', { kind: 'signing', label: 'Mine' });
  const { text } = await world.surface('ui.publicKey', { ref });
  return { ref, text };
}

/** An admin without a vault. */
async function randomAdmin() {
  const admin = await groupAdmin(randomBytes(32));
  const adminKey = publicKeyText({ type: 'Ed25519', bytes: admin.publicKey });
  const { publicKey } = await generateIdentity();
  return { admin, member: { publicKey, adminKey } };
}

/** The members of a group, each with the key by which they are an admin. */
async function rolesIn(world: World, id: string) {
  const { members } = await openGroup({ id, epochs: await textsOf(world), identities: [] });
  return new Map(members.map(({ publicKey, adminKey }) => [publicKey, adminKey]));
}

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
      ...NO_CHANGE,
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
    const made = { id, signer, ...NO_CHANGE };
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
    const params = { id, signer, ...NO_CHANGE, remove: [bobsKey] };
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
      const { sealed } = await by.surface('ui.sealField', { sessionId, text, groups: [id] });
      return new TextEncoder().encode(webArmor(sealed));
    };
    const open = (by: World, found: Uint8Array) => {
      const sessionId = by.fieldSessions.add();
      return by.surface('ui.openField', { sessionId, found, candidates: candidatesIn(found) });
    };
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

  it('are not asked for where a key of a backup opens the message: its sender is unknown then', async () => {
    const { alice, bob, contact, id } = await scene();
    const under = { passphrase: 'a passphrase of its own' };
    const by = { passphrase: PASSPHRASE };
    const { file } = await bob.surface('ui.makeBackup', { by, under });
    const later = await person();
    await later.surface('ui.restoreBackup', { file, ...under });
    const to = { groups: [id], contacts: [contact] };
    const sealing = { ...to, digest: new Uint8Array(32), totalBytes: 5 };
    const { prefix: head } = await alice.surface('ui.releaseSeal', sealing);
    expect((await later.surface('ui.releaseOpen', { head })).openedBy).to.include({ guest: true });
    const asked = { digest: new Uint8Array(32), head };
    const sender = await later.surface('ui.senderOf', asked);
    expect(sender).to.deep.equal({ sender: null, signed: null });
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
    const { ref: signer, text: adminKey } = await adminKeyOf(alice);
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
    const change = { id, signer, ...NO_CHANGE };
    await alice.surface('ui.changeGroup', { ...change, remove: [cleo.publicKey] });
    await alice.surface('ui.takeEpochs', { id, epochs: [added] });
    const seal = () =>
      alice.surface('ui.releaseSeal', { groups: [id], digest: new Uint8Array(32), totalBytes: 5 });
    expect(await codeOf(seal())).to.equal('NEEDS_KEY');
    const problem = async () => (await alice.surface('ui.sealableGroups', {}))[0]!.problem;
    expect(await problem()).to.equal('waiting');
    await alice.surface('ui.changeGroup', change);
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

describe('Admins of the user’s groups', () => {
  it('become more, and change the group until the right is taken back', async () => {
    const { alice, bob, bobsKey, id, signer: alicesRef, change } = await scene();
    const { ref: signer, text: adminKey } = await adminKeyOf(bob);
    await change({ roles: [{ member: bobsKey, adminKey }] });
    expect((await rolesIn(alice, id)).get(bobsKey)).to.equal(adminKey);
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: NAME });

    // Bob takes Alice's right, and gives it back.
    const { publicKey: alicesKey } = await ownKey(alice);
    const { text: alicesAdminKey } = await alice.surface('ui.publicKey', { ref: alicesRef });
    const byBob = (changes: object) =>
      bob.surface('ui.changeGroup', { id, signer, ...NO_CHANGE, ...changes });
    await byBob({ roles: [{ member: alicesKey, adminKey: null }] });
    expect(await rolesIn(bob, id)).to.deep.equal(
      new Map([
        [alicesKey, undefined],
        [bobsKey, adminKey],
      ]),
    );
    await alice.surface('ui.takeEpochs', { id, epochs: await textsOf(bob) });
    expect(await codeOf(change({}))).to.equal('BAD_ENVELOPE');
    await byBob({ roles: [{ member: alicesKey, adminKey: alicesAdminKey }] });
    await alice.surface('ui.takeEpochs', { id, epochs: await textsOf(bob) });

    // One who stays reads what is sealed after each of these.
    const sealed = await alice.surface('ui.releaseSeal', {
      groups: [id],
      digest: new Uint8Array(32),
      totalBytes: 5,
    });
    const opened = await bob.surface('ui.releaseOpen', { head: sealed.prefix });
    expect(opened.key).to.deep.equal(sealed.key);
    await change({ remove: [bobsKey] });
    expect([...(await rolesIn(alice, id)).keys()]).to.deep.equal([alicesKey]);
  });

  it('are not left without one', async () => {
    const { alice, bob, bobsKey, id, change } = await scene();
    const { publicKey: alicesKey } = await ownKey(alice);
    const { text: adminKey } = await adminKeyOf(bob);
    const leaving = [{ remove: [alicesKey] }, { roles: [{ member: alicesKey, adminKey: null }] }];
    for (const last of leaving) {
      const error = await errorOf(change(last));
      expect(error.code).to.equal('INVALID_ARGUMENT');
      expect(error.message).to.include('no admin is left');
    }
    expect(await textsOf(alice)).to.have.length(1);
    await change({ roles: [{ member: bobsKey, adminKey }] });
    await change({ remove: [alicesKey] });
    expect(await rolesIn(alice, id)).to.deep.equal(new Map([[bobsKey, adminKey]]));
    expect((await alice.surface('ui.sealableGroups', {}))[0]!.problem).to.equal('left');
  });

  it('have keys of Ed25519, one each, and are members who stay', async () => {
    const { alice, bob, bobsKey, signer, change } = await scene();
    const { text: adminKey } = await adminKeyOf(bob);
    const { text: alicesAdminKey } = await alice.surface('ui.publicKey', { ref: signer });
    const { publicKey: stranger } = await generateIdentity();
    const refused = [
      ['INVALID_ARGUMENT', { roles: [{ member: bobsKey, adminKey: bobsKey }] }],
      ['INVALID_ARGUMENT', { roles: [{ member: bobsKey, adminKey: 'swp1.Eep' }] }],
      ['INVALID_ARGUMENT', { roles: [{ member: adminKey, adminKey }] }],
      ['INVALID_ARGUMENT', { roles: [{ member: stranger, adminKey }] }],
      ['INVALID_ARGUMENT', { roles: [{ member: bobsKey, adminKey }], remove: [bobsKey] }],
      ['BAD_ENVELOPE', { roles: [{ member: bobsKey, adminKey: alicesAdminKey }] }],
    ] as const;
    for (const [code, changes] of refused) {
      expect(await codeOf(change(changes)), JSON.stringify(changes)).to.equal(code);
    }
    expect(await textsOf(alice)).to.have.length(1);
  });

  it('are made while another one adds a member, and change the group once one has joined both', async () => {
    const { alice, bob, bobsKey, id, change } = await scene();
    const carl = await person();
    const { publicKey: carlsKey } = await ownKey(carl);
    const { publicKey } = await generateIdentity();
    const idOf = async (by: World, name: string, key: string) =>
      (await by.surface('ui.addContact', { name, publicKey: key })).id;
    await change({ add: [await idOf(alice, 'Carl', carlsKey)] });
    const { ref: bobsRef, text: adminKey } = await adminKeyOf(bob);
    await change({ roles: [{ member: bobsKey, adminKey }] });
    await bob.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: NAME });

    const { ref: signer, text: carlsAdminKey } = await adminKeyOf(carl);
    await change({ roles: [{ member: carlsKey, adminKey: carlsAdminKey }] });
    const added = { ...NO_CHANGE, add: [await idOf(bob, 'Eve', publicKey)] };
    await bob.surface('ui.changeGroup', { id, signer: bobsRef, ...added });
    await alice.surface('ui.takeEpochs', { id, epochs: await textsOf(bob) });
    expect((await alice.surface('ui.sealableGroups', {}))[0]!.problem).to.equal(null);
    const early = await errorOf(change({ remove: [bobsKey] }));
    expect(early.code).to.equal('INVALID_ARGUMENT');
    expect(early.message).to.include('first join');
    await change({});
    await carl.surface('ui.takeEpochs', { id, epochs: await textsOf(alice), name: NAME });
    await carl.surface('ui.changeGroup', { id, signer, ...NO_CHANGE, remove: [bobsKey] });
    const roles = await rolesIn(carl, id);
    expect(roles.get(carlsKey)).to.equal(carlsAdminKey);
    expect([...roles.keys()])
      .to.include(publicKey)
      .and.not.include(bobsKey);
  });

  it('are none where two removed each other, which the group says', async () => {
    const carl = await person();
    const { publicKey } = await ownKey(carl);
    const [adam, berta] = await Promise.all([randomAdmin(), randomAdmin()]);
    const members = [adam.member, berta.member, { publicKey }];
    const { id, epoch } = await createGroup(members, adam.admin);
    const group = await openGroup({ id, epochs: [epoch], identities: [] });
    const epochs = [
      epoch,
      await group.change({ remove: [berta.member.publicKey] }, adam.admin),
      await group.change({ remove: [adam.member.publicKey] }, berta.admin),
    ];
    await carl.surface('ui.takeEpochs', { id, epochs, name: NAME });
    expect(await carl.surface('ui.sealableGroups', {})).to.deep.equal([
      { id, name: NAME, problem: 'noAdmins' },
    ]);
  });
});
