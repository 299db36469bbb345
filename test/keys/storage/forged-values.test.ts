import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { frameValue } from '../../../src/keys/values/checksummed-value.ts';
import type { PassphraseKdf } from '../../../src/format/passphrase.ts';
import { ARGON2ID_COST } from '../../../src/format/passphrase.ts';
import { TRIES } from '../../../src/keys/unlock/opened-slots.ts';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import { cheapKdf, systemRandom } from '../../support/stores/memory-store.ts';
import type { MemoryStore } from '../../support/stores/memory-store.ts';
import { forgedHead, forgedSlot, POOR_KDF } from '../forgeries.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

/** The browser with a vault of a few generations, locked. */
const lockedWorld = async () => (await filledWorld()).world.clone();

/** All heads as an earlier version would have written them. */
function withoutMacs({ values }: MemoryStore): void {
  for (const name of HEADS) values.set(name, frameValue(name, values.get(name)!.slice(4, 4 + 42)));
}

/** Counts the derivations. */
function counted(inner: PassphraseKdf = cheapKdf) {
  const costs: number[] = [];
  const derive: PassphraseKdf = (passphrase, salt, cost, signal) => {
    costs.push(cost.memoryKiB * cost.passes);
    return inner(passphrase, salt, cost, signal);
  };
  return { derive, costs };
}

describe('keys: values that others wrote into one store', () => {
  for (const place of ['primary', 'copy'] as const) {
    for (const schema of [1, 2, 3, 99]) {
      it(`a head of schema ${schema} in the ${place}, while locked: the other store's counts`, async () => {
        const world = await lockedWorld();
        const whole = world.clone();
        const forged = forgedHead(HEADS[0], { schema });
        expect(forged).to.have.lengthOf(78);
        world[place].values.set(HEADS[0], forged);
        expect((await world.vault().state()).state).to.equal('locked');
        const vault = world.vault();
        await vault.unlock(PASSPHRASE);
        expect(await notes(vault)).to.deep.equal(EXPECTED);
        expect(world[place].values, 'mended').to.deep.equal(whole[place].values);
        expect((await world.vault().state()).state).to.equal('unlocked');
      });

      it(`a head of schema ${schema} in the ${place}, while open: commits go on`, async () => {
        const { world, vault } = await filledWorld();
        await notes(vault);
        world[place].values.set(HEADS[1], forgedHead(HEADS[1], { schema }));
        await vault.commit((draft) => draft.remove('third'));
        const afresh = world.clone({ keepSession: true });
        afresh[place].values.set(HEADS[0], forgedHead(HEADS[0], { schema }));
        expect(await afresh.vault().read('third')).to.equal(undefined);
        await afresh.vault().commit((draft) => draft.remove('second'));
        const later = afresh.clone().vault();
        await later.unlock(PASSPHRASE);
        expect(await notes(later)).to.deep.equal({ first: 'changed' });
      });
    }
  }

  it('the head of a commit that failed: it does not count where its manifest is gone', async () => {
    const { world } = await filledWorld();
    const branch = world.clone({ keepSession: true });
    await branch.vault().commit((draft) => draft.remove('first'));
    for (const name of HEADS) world.copy.values.set(name, branch.copy.values.get(name)!);
    const vault = world.clone().vault();
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });

  it('a head without its MAC does not bring back a commit that failed', async () => {
    const { world } = await filledWorld();
    const branch = world.clone({ keepSession: true });
    await branch.vault().commit((draft) => draft.remove('first'));
    for (const [name, bytes] of branch.copy.values) {
      if (!world.copy.values.has(name)) world.copy.values.set(name, bytes);
    }
    for (const name of HEADS) {
      const body = branch.copy.values.get(name)!.slice(4, 4 + 42);
      world.copy.values.set(name, frameValue(name, body));
    }
    const vault = world.clone().vault();
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });

  it('a head of a later version counts where both stores, or no other store, say so', async () => {
    for (const places of [['primary', 'copy'], ['copy']] as const) {
      const world = await lockedWorld();
      if (places.length === 1) world.primary.values.delete(HEADS[0]);
      if (places.length === 1) world.primary.values.delete(HEADS[1]);
      for (const place of places) {
        world[place].values.set(HEADS[0], forgedHead(HEADS[0], { schema: 3 }));
      }
      const before = new Map(world.copy.values);
      expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('NEWER');
      expect((await world.vault().state()).state).to.equal('locked');
      expect(world.copy.values).to.deep.equal(before);
    }
  });

  it('a store that does not answer lets no older generation of the other count', async () => {
    const { world, vault } = await filledWorld();
    const newest = [...world.copy.values.keys()]
      .filter((name) => name.includes('/manifest/'))
      .pop()!;
    await vault.lock();
    world.copy.values.set(newest, systemRandom.bytes(300));
    const get = world.primary.get.bind(world.primary);
    world.primary.get = (name) =>
      name.includes('/slot/') || name.includes('/exists')
        ? get(name)
        : Promise.reject(new Error('no answer'));
    expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('CORRUPT');
  });

  it('another vault’s slot of the same passphrase neither opens nor makes the vault a lost one', async () => {
    const world = await lockedWorld();
    const { world: other } = await filledWorld();
    const putBack = () => {
      for (const [name, bytes] of other.copy.values) {
        if (name.includes('/slot/')) world.copy.values.set(name, bytes);
      }
    };
    putBack();
    const vault = world.vault();
    await vault.unlock(PASSPHRASE);
    await world.slotKeeper(vault).changePassphrase({ passphrase: PASSPHRASE }, 'another one');
    await vault.lock();
    putBack();
    expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('WRONG_PASSPHRASE');
    expect((await world.vault().state()).state).to.equal('locked');
    await world.vault().unlock('another one');
  });

  it('twenty slots: the right passphrase is tried on the vault’s own slot first', async () => {
    for (const cost of [
      { memoryKiB: 19_456, passes: 2 },
      { memoryKiB: 262_144, passes: 16 },
    ]) {
      const world = await lockedWorld();
      for (let i = 0; i < 20; i++) world.copy.values.set(...forgedSlot(cost));
      const { derive, costs } = counted();
      await world.vault({ derive }).unlock(PASSPHRASE);
      expect(costs).to.have.lengthOf(1);
      const names = [...world.copy.values.keys()].filter((name) => name.includes('/slot/'));
      expect(names, 'the others are removed').to.have.lengthOf(1);
    }
  });

  it('twenty slots in the only store: what costs most is tried last', async () => {
    const world = await lockedWorld();
    world.primary.values.clear();
    for (let i = 0; i < 20; i++) world.copy.values.set(...forgedSlot({ memoryKiB: 262_144 }));
    const { derive, costs } = counted();
    await world.vault({ derive }).unlock(PASSPHRASE);
    expect(costs).to.deep.equal([ARGON2ID_COST.memoryKiB * ARGON2ID_COST.passes]);
  });

  it('any number of slots: a wrong passphrase is refused after a bounded amount of work', async () => {
    const world = await lockedWorld();
    for (let i = 0; i < 500; i++) {
      const memoryKiB = i % 2 === 0 ? 19_456 : 262_144;
      world.copy.values.set(...forgedSlot({ memoryKiB, passes: 16 }));
      world.copy.values.set(...forgedSlot({ memoryKiB: 2 ** 20 }));
    }
    const { derive, costs } = counted();
    expect(await codeOf(world.vault({ derive }).unlock('wrong'))).to.equal('WRONG_PASSPHRASE');
    expect(costs.length).to.be.within(2, TRIES.slots);
    expect(costs.reduce((sum, cost) => sum + cost, 0)).to.be.at.most(TRIES.work);
  });

  it('a slot whose derivation fails is one that the passphrase does not open', async () => {
    const world = await lockedWorld();
    world.primary.values.clear();
    for (let i = 0; i < 3; i++) {
      world.copy.values.set(...forgedSlot({ memoryKiB: 262_144, passes: 2 }));
    }
    for (let i = 0; i < 3; i++) world.copy.values.set(...forgedSlot({ memoryKiB: 19_456 }));
    const derive: PassphraseKdf = (...all) =>
      all[2].memoryKiB === 19_456 ? Promise.reject(new Error('fails')) : POOR_KDF(...all);
    const { derive: tried, costs } = counted(derive);
    await world.vault({ derive: tried }).unlock(PASSPHRASE);
    expect(costs).to.have.lengthOf(4);
    await world.vault().lock();
    const failing = world.vault({ derive: () => Promise.reject(new Error('no worker')) });
    expect(await codeOf(failing.unlock(PASSPHRASE)), 'all of them').to.equal('Error: no worker');
  });
});

describe('keys: heads without a MAC, of an earlier version', () => {
  /** A vault as the version before MACs left it. */
  function earlierWorld(): TestBrowser {
    const text = readFileSync('test/keys/vectors/vault-without-macs.json', 'utf8');
    const { values } = JSON.parse(text) as { values: Record<string, string> };
    const world = new TestBrowser();
    for (const [name, bytes] of Object.entries(values)) {
      for (const store of [world.primary, world.copy]) {
        store.values.set(name, new Uint8Array(Buffer.from(bytes, 'base64url')));
      }
    }
    return world;
  }

  it('are accepted, and have one as soon as the vault was opened', async () => {
    const world = earlierWorld();
    const vault = world.vault();
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
    for (const store of [world.primary, world.copy]) {
      for (const name of HEADS) expect(store.values.get(name)).to.have.lengthOf(78 + 32);
    }
    await vault.commit((draft) => draft.put({ id: 'more', type: 'note', value: 1 }));
    const later = world.clone().vault();
    await later.unlock(PASSPHRASE);
    expect(await notes(later)).to.deep.equal({ ...EXPECTED, more: 1 });
    expect(later.repairs).to.deep.equal([]);
  });

  it('are accepted with one forged among them', async () => {
    for (const place of ['primary', 'copy'] as const) {
      for (const schema of [1, 3]) {
        const world = earlierWorld();
        for (const name of HEADS) world[place].values.set(name, forgedHead(name, { schema }));
        const vault = world.vault();
        await vault.unlock(PASSPHRASE);
        expect(await notes(vault)).to.deep.equal(EXPECTED);
      }
    }
  });

  it('do not count against an authentic one: not even of the newest manifest', async () => {
    const { world, vault } = await filledWorld();
    const old = world.copy.clone();
    await vault.commit((draft) => draft.remove('first'));
    withoutMacs(old);
    for (const name of HEADS) world.copy.values.set(name, old.values.get(name)!);
    const later = world.clone().vault();
    await later.unlock(PASSPHRASE);
    expect(await later.read('first')).to.equal(undefined);
  });

  it('are accepted after an earlier version has opened the vault of this one', async () => {
    const world = await lockedWorld();
    withoutMacs(world.primary);
    withoutMacs(world.copy);
    const vault = world.vault();
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });
});
