import { expect } from 'chai';
import type { KeyValueStore } from '../../../src/keys/storage/key-value-store.ts';
import type { MemoryStore } from '../../support/stores/memory-store.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

/** A medium that this browser does not have, or cannot open. */
const missing: KeyValueStore = {
  name: 'indexed-db',
  get: () => Promise.reject(new Error('no such medium')),
  keys: () => Promise.reject(new Error('no such medium')),
  write: () => Promise.reject(new Error('no such medium')),
  isThere: () => Promise.resolve(false),
};

/** One that is there, and fails. */
const failing: KeyValueStore = { ...missing, isThere: () => Promise.resolve(true) };

const note = (id: string, value: number) => ({ id, type: 'note', value });
const sameNames = (a: MemoryStore, b: MemoryStore) =>
  expect([...a.values.keys()].sort()).to.deep.equal([...b.values.keys()].sort());

/** A fresh installation in a browser that lacks the primary store. */
async function installed(primary: KeyValueStore = missing) {
  const world = new TestBrowser();
  await world.vault({ primary }).markFirstRun();
  return { world, vault: world.vault({ primary }) };
}

describe('keys: a browser that has one store only', () => {
  it('is a first run, not a loss, and its vault is kept in one place', async () => {
    const { world, vault } = await installed();
    expect((await vault.state()).state).to.equal('absent');
    expect(await vault.copies()).to.equal(1);
    await vault.create(PASSPHRASE);
    await vault.commit((draft) => draft.put(note('a', 1)));
    const later = world.clone().vault({ primary: missing });
    expect((await later.state()).state).to.equal('locked');
    await later.unlock(PASSPHRASE);
    await later.commit((draft) => draft.put(note('b', 2)));
    expect(await notes(later)).to.deep.equal({ a: 1, b: 2 });
    expect(later.repairs, 'nothing is damaged').to.deep.equal([]);
    expect(await codeOf(later.create(PASSPHRASE))).to.equal('EXISTS');
  });

  it('fills the other store when it is there again', async () => {
    const { world, vault } = await installed();
    await vault.create(PASSPHRASE);
    await vault.commit((draft) => draft.put(note('a', 1)));
    const whole = world.clone();
    const healed = whole.vault();
    await healed.unlock(PASSPHRASE);
    expect(await healed.copies()).to.equal(2);
    sameNames(whole.primary, whole.copy);
    await healed.commit((draft) => draft.put(note('b', 2)));
    whole.copy.values.clear();
    const alone = whole.clone().vault();
    await alone.unlock(PASSPHRASE);
    expect(await notes(alone)).to.deep.equal({ a: 1, b: 2 });
  });

  it('goes on saving where a store goes missing later, and the newest counts ever after', async () => {
    const { world: origin } = await filledWorld();
    const world = origin.clone();
    const one = world.vault({ primary: missing });
    await one.unlock(PASSPHRASE);
    await one.commit((draft) => draft.put(note('late', 3)));
    const back = world.clone();
    const both = back.vault();
    await both.unlock(PASSPHRASE);
    expect(await notes(both)).to.deep.equal({ ...EXPECTED, late: 3 });
    sameNames(back.primary, back.copy);
  });

  it('is still lost where the only store has lost what it held', async () => {
    const { world, vault } = await installed();
    await vault.create(PASSPHRASE);
    world.copy.values.clear(); // and with it whatever says that the installation is fresh
    const later = world.clone().vault({ primary: missing });
    expect((await later.state()).state).to.equal('lost');
    expect(await codeOf(later.create(PASSPHRASE))).to.equal('LOST');
  });

  it('loses its mark of a fresh installation with the first vault, at the latest when unlocked', async () => {
    const { world, vault } = await installed();
    await vault.create(PASSPHRASE);
    expect(world.copy.values.has('no-vault-yet')).to.equal(false);
    world.copy.values.set('no-vault-yet', Uint8Array.of(1)); // its worker died before it went
    await world.clone({ keepSession: true }).vault({ primary: missing }).state();
    const later = world.clone();
    await later.vault({ primary: missing }).unlock(PASSPHRASE);
    expect(later.copy.values.has('no-vault-yet')).to.equal(false);
  });

  it('never marks one as fresh that holds anything of a vault', async () => {
    const { world } = await filledWorld();
    expect(await world.vault().markFirstRun()).to.equal(false);
    expect(world.primary.values.has('no-vault-yet')).to.equal(false);
    expect(world.copy.values.has('no-vault-yet')).to.equal(false);
  });

  it('knows a fresh installation once', async () => {
    const world = new TestBrowser();
    expect(await world.vault().markFirstRun()).to.equal(true);
    expect(await world.vault().markFirstRun()).to.equal(false);
  });

  it('no primary store by the mode of the browser: a first run without an installation, and then one place', async () => {
    const world = new TestBrowser();
    const parts = { primary: null };
    expect((await world.vault(parts).state()).state).to.equal('absent');
    const vault = world.vault(parts);
    expect(await vault.copies()).to.equal(1);
    await vault.create(PASSPHRASE);
    await vault.commit((draft) => draft.put(note('a', 1)));
    const later = world.clone().vault(parts);
    expect((await later.state()).state).to.equal('locked');
    await later.unlock(PASSPHRASE);
    expect(await notes(later)).to.deep.equal({ a: 1 });
    expect(world.primary.values.size).to.equal(0);
  });

  it('a store that is there and fails: a first run, which saves nothing it cannot save twice', async () => {
    const { world, vault } = await installed(failing);
    expect((await vault.state()).state).to.equal('absent');
    expect(await codeOf(vault.create(PASSPHRASE))).to.equal('UNAVAILABLE');
    expect((await world.vault().state()).state).to.equal('absent');
    await world.vault().create(PASSPHRASE);
  });

  it('no store at all: nothing is made, and nothing is called absent', async () => {
    const world = new TestBrowser();
    const vault = world.vault({ primary: missing, copy: missing });
    expect((await vault.state()).state).to.equal('lost');
    expect(await codeOf(vault.create(PASSPHRASE))).to.equal('LOST');
  });
});
