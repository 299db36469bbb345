import { expect } from 'chai';
import { PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

const NEW = 'a passphrase of the new vault';

/** A vault whose slots are gone from both stores: what is left of it opens by nothing. */
async function lostWorld(): Promise<TestBrowser> {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'mine' }));
  await vault.lock();
  for (const { values } of [world.primary, world.copy]) {
    for (const name of [...values.keys()]) if (name.startsWith('vault/slot/')) values.delete(name);
  }
  expect(await vault.state()).to.include({ state: 'lost' });
  return world;
}

const contents = (values: ReadonlyMap<string, Uint8Array>) =>
  Object.fromEntries(
    [...values].map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')]),
  );

describe('a vault in the place of a lost one', () => {
  it('is made only when that is asked for', async () => {
    const world = await lostWorld();
    const before = world.clone();
    expect(await codeOf(world.vault().create(NEW))).to.equal('LOST');
    expect(contents(world.primary.values)).to.deep.equal(contents(before.primary.values));
    const whole = new TestBrowser();
    await whole.vault().create(PASSPHRASE);
    expect(await codeOf(whole.vault().create(NEW, 'of-a-lost-one'))).to.equal('EXISTS');
  });

  it('leaves every byte of the old one, under another name', async () => {
    const world = await lostWorld();
    const before = world.clone();
    const vault = world.vault();
    await vault.create(NEW, 'of-a-lost-one');
    for (const store of ['primary', 'copy'] as const) {
      const kept = contents(world[store].values);
      for (const [name, bytes] of Object.entries(contents(before[store].values))) {
        expect(kept[`set-aside/${world.time}/${name}`], `${store} ${name}`).to.equal(bytes);
      }
    }
    await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'new' }));
    await vault.lock();
    const again = world.vault();
    await again.unlock(NEW);
    expect(await again.read('first')).to.include({ value: 'new' });
    const names = [...world.primary.values.keys()].filter((name) => name.startsWith('set-aside/'));
    expect(names).to.have.length(before.primary.values.size);
  });

  it('may be lost too: nothing of the first is written over', async () => {
    const world = await lostWorld();
    await world.vault().create(NEW, 'of-a-lost-one');
    world.session = world.clone().session;
    for (const { values } of [world.primary, world.copy]) {
      for (const name of [...values.keys()]) {
        if (name.startsWith('vault/slot/')) values.delete(name);
      }
    }
    const before = world.clone();
    world.time += 1;
    await world.vault().create(NEW, 'of-a-lost-one');
    const kept = contents(world.copy.values);
    for (const [name, bytes] of Object.entries(contents(before.copy.values))) {
      const now = name.startsWith('set-aside/') ? name : `set-aside/${world.time}/${name}`;
      expect(kept[now], name).to.equal(bytes);
    }
  });

  it('is never taken for a first run, wherever the worker ends', async () => {
    const lost = await lostWorld();
    for (let deaths = 0; ; deaths++) {
      const world = lost.clone();
      const stores = [world.primary, world.copy];
      let writes = 0;
      const died = new Promise<never>(() => undefined);
      for (const store of stores) {
        const write = store.write.bind(store);
        store.write = async (...args) => {
          if (writes++ === deaths) return died;
          return write(...args);
        };
      }
      const making = world.vault().create(NEW, 'of-a-lost-one');
      const ended = await Promise.race([
        making.then(() => 'made'),
        new Promise((resolve) => setTimeout(() => resolve('died'), 150)),
      ]);
      const next = world.clone();
      const { state } = await next.vault().state();
      expect(state, `after ${deaths} writes`).to.be.oneOf(['lost', 'locked']);
      if (state === 'lost') await next.vault().create(NEW, 'of-a-lost-one');
      await next.vault().unlock(NEW);
      if (ended === 'made') {
        expect(deaths).to.be.greaterThan(3);
        return;
      }
    }
  });

  it('is not made while a store does not answer: it may hold all', async () => {
    const world = await lostWorld();
    const before = world.clone();
    world.copy.keys = () => Promise.reject(new Error('not now'));
    expect(await codeOf(world.vault().create(NEW, 'of-a-lost-one'))).to.equal('UNAVAILABLE');
    expect(contents(world.primary.values)).to.deep.equal(contents(before.primary.values));
  });
});
