import { expect } from 'chai';
import type { KeyValueStore } from '../../../src/keys/storage/key-value-store.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

type Operation = 'get' | 'keys' | 'write';

/** A store of which some operations fail: Firefox's "An unexpected error occurred". */
function broken(
  inner: KeyValueStore,
  operations: readonly Operation[],
  message = 'An unexpected error occurred',
): KeyValueStore {
  const fail = (operation: Operation, work: () => Promise<unknown>) =>
    operations.includes(operation) ? Promise.reject(new Error(message)) : work();
  return {
    name: inner.name,
    get: (key) => fail('get', () => inner.get(key)) as Promise<Uint8Array | undefined>,
    keys: () => fail('keys', () => inner.keys()) as Promise<string[]>,
    write: (puts, removes) => fail('write', () => inner.write(puts, removes)) as Promise<undefined>,
  };
}

const WAYS: readonly (readonly Operation[])[] = [
  ['get', 'keys', 'write'],
  ['get', 'keys'],
  ['get'],
  ['keys'],
  ['write'],
];

describe('keys: stores that do not work', () => {
  for (const place of ['primary', 'copy'] as const) {
    for (const operations of WAYS) {
      const title = `${place} fails at ${operations.join(', ')}`;

      it(`${title}: the vault opens from the other store`, async () => {
        const { world: origin } = await filledWorld();
        const world = origin.clone();
        const vault = world.vault({ [place]: broken(world[place], operations) });
        expect((await vault.state()).state).to.equal('locked');
        await vault.unlock(PASSPHRASE);
        expect(await notes(vault)).to.deep.equal(EXPECTED);
        expect(await codeOf(vault.create(PASSPHRASE))).to.equal('EXISTS');
      });

      it(`${title}: what cannot be saved in both stores is not saved at all`, async () => {
        const { world: origin } = await filledWorld();
        const world = origin.clone();
        const vault = world.vault({ [place]: broken(world[place], operations) });
        await vault.unlock(PASSPHRASE);
        const save = codeOf(vault.commit((d) => d.put({ id: 'x', type: 'note', value: 1 })));
        const listsOnly = operations.join() === 'keys';
        expect(await save).to.equal(listsOnly ? 'ok' : 'UNAVAILABLE');
        const expected = listsOnly ? { ...EXPECTED, x: 1 } : EXPECTED;
        expect(await notes(vault)).to.deep.equal(expected);
        // When the store works again, all is well again.
        const later = world.clone();
        const healed = later.vault();
        await healed.unlock(PASSPHRASE);
        expect(await notes(healed)).to.deep.equal(expected);
        await healed.commit((d) => d.put({ id: 'y', type: 'other', value: 1 }));
      });

      it(`${title}: no vault is made beside one that may be there`, async () => {
        const world = new TestBrowser();
        const vault = world.vault({ [place]: broken(world[place], operations) });
        const reads = operations.includes('keys');
        expect((await vault.state()).state).to.equal(reads ? 'lost' : 'absent');
        const code = await codeOf(vault.create(PASSPHRASE));
        expect(code).to.equal(reads ? 'LOST' : 'UNAVAILABLE');
        expect((await world.vault().state()).state).to.equal('absent');
      });
    }
  }

  it('both stores fail: lost, never absent', async () => {
    const { world } = await filledWorld();
    const stores = { primary: broken(world.primary, ['get', 'keys', 'write']) };
    const both = { ...stores, copy: broken(world.copy, ['get', 'keys', 'write']) };
    const vault = world.clone().vault(both);
    expect((await vault.state()).state).to.equal('lost');
    expect(await codeOf(vault.unlock(PASSPHRASE))).to.equal('LOST');
    expect(await codeOf(vault.create(PASSPHRASE))).to.equal('LOST');
  });

  for (const place of ['primary', 'copy'] as const) {
    it(`no room in the ${place}: QUOTA, the old state intact, and a later try works`, async () => {
      const { world, vault: opened } = await filledWorld();
      const message = 'QUOTA_BYTES quota exceeded';
      const full = world.vault({ [place]: broken(world[place], ['write'], message) });
      const before = { primary: world.primary.clone(), copy: world.copy.clone() };
      const put = codeOf(full.commit((d) => d.put({ id: 'x', type: 'note', value: 1 })));
      expect(await put).to.equal('QUOTA');
      expect(await notes(full)).to.deep.equal(EXPECTED);
      expect(await notes(opened)).to.deep.equal(EXPECTED);
      expect(new Set(world.copy.values.keys())).to.deep.equal(new Set(before.copy.values.keys()));
      await opened.commit((d) => d.put({ id: 'x', type: 'note', value: 1 }));
      expect(await notes(full)).to.deep.equal({ ...EXPECTED, x: 1 });
    });

    it(`no room in the ${place} at creation: QUOTA, and still no vault`, async () => {
      const world = new TestBrowser();
      const full = world.vault({ [place]: broken(world[place], ['write'], 'quota') });
      expect(await codeOf(full.create(PASSPHRASE))).to.equal('QUOTA');
      expect((await world.vault().state()).state).to.equal('absent');
      await world.vault().create(PASSPHRASE);
    });
  }

  it('a store that keeps something else than it was given: nothing is reported as saved', async () => {
    for (const place of ['primary', 'copy'] as const) {
      const { world } = await filledWorld();
      const inner = world[place];
      const lying: KeyValueStore = {
        name: inner.name,
        get: (key) => inner.get(key),
        keys: () => inner.keys(),
        write: (puts, removes) => {
          const bent = [...puts].map(([key, bytes]): [string, Uint8Array] => {
            const wrong = bytes.slice();
            wrong[wrong.length >> 1]! ^= 1;
            return [key, wrong];
          });
          return inner.write(new Map(bent), removes);
        },
      };
      const vault = world.vault({ [place]: lying });
      const put = codeOf(vault.commit((d) => d.put({ id: 'x', type: 'note', value: 1 })));
      expect(await put).to.equal('UNAVAILABLE');
      const later = world.clone().vault();
      await later.unlock(PASSPHRASE);
      expect(await notes(later)).to.deep.equal(EXPECTED);
    }
  });
});
