import { expect } from 'chai';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { CONTACTS_MAX } from '../../../src/service/sharing/contacts.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { POPUP, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const key = (fill: number) =>
  publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(fill) });

describe('Contacts', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('are kept by name, and survive the worker', async () => {
    const bob = await world.surface('ui.addContact', { name: 'Bob', publicKey: key(2) });
    await world.surface('ui.addContact', { name: 'Ada', publicKey: key(1) });
    world.restart();
    const all = await world.surface('ui.contacts', {});
    expect(all.map(({ name }) => name)).to.deep.equal(['Ada', 'Bob']);
    expect(all[1]).to.deep.equal(bob);
    expect(bob).to.include({ publicKey: key(2), verified: null, created: world.now });
  });

  it('are marked as verified, renamed, and deleted', async () => {
    const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey: key(2) });
    world.now += 5;
    await world.surface('ui.changeContact', { id, verified: true });
    await world.surface('ui.changeContact', { id, name: 'Robert' });
    const [contact] = await world.surface('ui.contacts', {});
    expect(contact).to.include({ name: 'Robert', verified: world.now });
    await world.surface('ui.changeContact', { id, verified: false });
    expect((await world.surface('ui.contacts', {}))[0]!.verified).to.equal(null);
    await world.surface('ui.removeContact', { id });
    expect(await world.surface('ui.contacts', {})).to.deep.equal([]);
    for (const gone of [{ id }, { id: 'app' }, { id: 'key-root' }]) {
      expect(await codeOf(world.surface('ui.removeContact', gone))).to.equal('INVALID_ARGUMENT');
      const change = world.surface('ui.changeContact', { ...gone, verified: true });
      expect(await codeOf(change)).to.equal('INVALID_ARGUMENT');
    }
  });

  it('refuse what is no key to seal to, and the same key twice', async () => {
    const signing = publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32).fill(1) });
    await world.surface('ui.addContact', { name: 'Bob', publicKey: key(2) });
    for (const publicKey of [signing, key(2), 'swp1.AAAA', ` ${key(3)}`]) {
      const adding = world.surface('ui.addContact', { name: 'Eve', publicKey });
      expect(await codeOf(adding), publicKey).to.equal('INVALID_ARGUMENT');
    }
    expect(await world.surface('ui.contacts', {})).to.have.length(1);
    expect(CONTACTS_MAX).to.be.lessThan(1000);
  });

  it('are added once, however often the call comes', async () => {
    const contact = { name: 'Bob', publicKey: key(2) };
    const once = await world.call('ui.addContact', contact, POPUP, 'same');
    world.restart();
    expect(await world.call('ui.addContact', contact, POPUP, 'same')).to.deep.equal(once);
    expect(await world.surface('ui.contacts', {})).to.have.length(1);
  });

  it('show the same words on both sides, of the same two keys', async () => {
    const other = await World.unlocked();
    const ownOf = async (each: World) => {
      await each.surface('ui.createKey', { kind: 'sharing', label: 'Letters' });
      return (await each.surface('ui.ownSharingKeys', {}))[0]!;
    };
    const [mine, theirs] = [await ownOf(world), await ownOf(other)];
    const add = (each: World, publicKey: string) =>
      each.surface('ui.addContact', { name: 'Other', publicKey });
    const [seenHere, seenThere] = [
      await add(world, theirs.publicKey),
      await add(other, mine.publicKey),
    ];
    for (const part of ['words', 'digits', 'digest'] as const) {
      expect(seenHere[part]).to.deep.equal(theirs[part]);
      expect(seenThere[part]).to.deep.equal(mine[part]);
    }
    expect(mine.words).to.not.deep.equal(theirs.words);
  });

  it('get no archived key of the user: it is not handed out as the own public key', async () => {
    const wanted = { kind: 'sharing', label: 'Letters' } as const;
    const refs: string[] = [];
    for (let made = 0; made < 2; made++) {
      refs.push((await world.surface('ui.createKey', wanted)).ref);
    }
    const [ref, other] = refs;
    const shown = async () => (await world.surface('ui.ownSharingKeys', {})).map((it) => it.ref);
    expect(await shown()).to.have.members(refs);
    await world.surface('ui.archiveKey', { ref: ref!, archived: true });
    expect(await shown()).to.deep.equal([other]);
    await world.surface('ui.archiveKey', { ref: ref!, archived: false });
    expect(await shown()).to.have.members(refs);
  });

  it('are shown to no site, are encrypted at rest, and need the vault unlocked', async () => {
    await world.surface('ui.addContact', { name: 'Bob the spy', publicKey: key(2) });
    const { answer } = world.begin('ui.contacts', {}, pageCaller());
    expect(await codeOf(answer)).to.not.equal('ok');
    expect(world.stored()).to.not.include('Bob the spy');
    expect(world.stored()).to.not.include(Buffer.from('Bob the spy').toString('hex'));
    await world.surface('ui.lock', {});
    expect(await codeOf(world.surface('ui.contacts', {}))).to.equal('LOCKED');
  });

  it('are in the log, without a name', async () => {
    const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey: key(2) });
    await world.surface('ui.changeContact', { id, verified: true });
    await world.surface('ui.removeContact', { id });
    const { entries } = await world.surface('ui.activity', { by: 'user', offset: 0, limit: 50 });
    const operations = entries.map(({ operation }) => operation);
    expect(operations).to.include.members(['addContact', 'changeContact', 'removeContact']);
    expect(JSON.stringify(entries)).to.not.include('Bob');
  });
});
