import { expect } from 'chai';
import type { Json } from '../../../src/keys/values/json.ts';
import { NEWEST_SCHEMA } from '../../../src/keys/values/record.ts';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import { MemoryStore } from '../../support/stores/memory-store.ts';
import { forgedHead } from '../forgeries.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, START, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

describe('Vault', () => {
  it('is absent before it is created, unlocked after, and knows its birthday', async () => {
    const world = new TestBrowser();
    const vault = world.vault();
    expect(await vault.state()).to.deep.equal({ state: 'absent', created: null });
    expect(await codeOf(vault.unlock(PASSPHRASE))).to.equal('ABSENT');
    await vault.create(PASSPHRASE);
    expect(await vault.state()).to.deep.equal({ state: 'unlocked', created: START });
    await vault.lock();
    expect(await vault.state()).to.deep.equal({ state: 'locked', created: START });
  });

  it('gives back what was committed, after lock and unlock in another worker', async () => {
    const { world, vault } = await filledWorld();
    expect(await notes(vault)).to.deep.equal(EXPECTED);
    await vault.lock();
    const other = world.clone().vault();
    expect(await codeOf(other.read('first'))).to.equal('LOCKED');
    await other.unlock(PASSPHRASE);
    expect(await notes(other)).to.deep.equal(EXPECTED);
    expect(await other.read('nothing')).to.equal(undefined);
    expect(other.repairs).to.deep.equal([]);
  });

  it('seals and opens for the self-test, and stores nothing', async () => {
    const { world, vault } = await filledWorld();
    const before = world.clone();
    expect(await vault.sealAndOpen('a text')).to.equal('a text');
    expect(world.primary.values).to.deep.equal(before.primary.values);
    expect(world.copy.values).to.deep.equal(before.copy.values);
    await vault.lock();
    expect(await codeOf(vault.sealAndOpen('a text'))).to.equal('LOCKED');
  });

  it('lets a wrong passphrase change nothing', async () => {
    const { world } = await filledWorld();
    const before = world.clone();
    const vault = world.clone().vault({ primary: world.primary, copy: world.copy });
    for (const wrong of ['wrong', '', 'x'.repeat(2000), 'bell\u0007', PASSPHRASE + ' ']) {
      expect(await codeOf(vault.unlock(wrong))).to.equal('WRONG_PASSPHRASE');
    }
    expect((await vault.state()).state).to.equal('locked');
    expect(world.primary.values).to.deep.equal(before.primary.values);
    expect(world.copy.values).to.deep.equal(before.copy.values);
  });

  it('is still unlocked after the end of the worker, and locked after the end of the browser', async () => {
    const { world } = await filledWorld();
    expect(await notes(world.vault())).to.deep.equal(EXPECTED);
    expect(await codeOf(world.clone().vault().list('note'))).to.equal('LOCKED');
  });

  it('locks everywhere at once: other workers and their caches too', async () => {
    const { world, vault } = await filledWorld();
    const other = world.vault();
    await notes(other);
    await vault.lock();
    expect([...world.session.values.keys()]).to.deep.equal([]);
    for (const each of [vault, other]) {
      expect(await codeOf(each.read('first'))).to.equal('LOCKED');
      expect(await codeOf(each.list('note'))).to.equal('LOCKED');
      expect(await codeOf(each.refresh())).to.equal('LOCKED');
      expect(await codeOf(each.commit(() => 1))).to.equal('LOCKED');
      expect(await each.hedgeKey()).to.equal(undefined);
    }
  });

  it('finishes a commit that a lock overtook, and stays locked', async () => {
    const { world, vault } = await filledWorld();
    const saving = vault.commit(async (draft) => {
      await vault.lock();
      draft.put({ id: 'late', type: 'note', value: 4 });
    });
    await saving;
    expect((await vault.state()).state).to.equal('locked');
    expect(await codeOf(vault.read('late'))).to.equal('LOCKED');
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal({ ...EXPECTED, late: 4 });
    expect(await notes(world.vault())).to.deep.equal({ ...EXPECTED, late: 4 });
  });

  it('gives a read that a lock overtakes nothing', async () => {
    const { world } = await filledWorld();
    const vault = world.vault();
    const reading = codeOf(vault.read('first'));
    await vault.lock();
    expect(await reading).to.equal('LOCKED');
  });
});

describe('The commits of a vault', () => {
  it('commits all or nothing', async () => {
    const { vault } = await filledWorld();
    const failing = vault.commit((draft) => {
      draft.put({ id: 'first', type: 'note', value: 'lost' });
      draft.remove('second');
      throw new Error('changed my mind');
    });
    expect(await codeOf(failing)).to.contain('changed my mind');
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });

  it('shows a draft its own changes, and removes records', async () => {
    const { world, vault } = await filledWorld();
    await vault.commit(async (draft) => {
      expect((await draft.get('first'))?.value).to.equal('changed');
      draft.put({ id: 'first', type: 'note', value: 'again' });
      expect((await draft.get('first'))?.value).to.equal('again');
      draft.remove('second');
      expect(await draft.get('second')).to.equal(undefined);
      draft.put({ id: 'fourth', type: 'note', value: 4 });
      const listed = await draft.list('note');
      expect(listed.map(({ id }) => id)).to.have.members(['first', 'third', 'fourth']);
      draft.remove('fourth');
      draft.remove('never was');
    });
    const expected = { first: 'again', third: 'three' };
    expect(await notes(vault)).to.deep.equal(expected);
    expect(await notes(world.vault())).to.deep.equal(expected);
  });

  it('writes nothing where nothing changed', async () => {
    const { world, vault } = await filledWorld();
    const { writes } = world.primary;
    await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'changed' }));
    await vault.commit((draft) => draft.remove('never was'));
    expect(await vault.commit(async (draft) => (await draft.list('note')).length)).to.equal(3);
    expect(world.primary.writes).to.equal(writes);
  });

  it('reads no record again for later commits that list it, however many there are', async () => {
    const { world, vault } = await filledWorld();
    const readsOfCommit = async (i: number): Promise<number> => {
      const before = world.primary.reads;
      await vault.commit(async (draft) => {
        await draft.list('note');
        draft.put({ id: `note ${i}`, type: 'note', value: i });
      });
      return world.primary.reads - before;
    };
    await readsOfCommit(0);
    const few = await readsOfCommit(1);
    for (let i = 2; i < 40; i++) expect(await readsOfCommit(i)).to.equal(few);
  });

  it('opens no record in a commit but those it asks for', async () => {
    const { world } = await filledWorld();
    const cold = world.vault();
    const reads = (): number => world.primary.reads;
    const before = reads();
    await cold.commit((draft) => draft.put({ id: 'new', type: 'other', value: 1 }));
    const one = reads() - before;
    const many = world.vault();
    await many.commit((draft) => {
      for (let i = 0; i < 50; i++) draft.put({ id: `more ${i}`, type: 'more', value: i });
    });
    const colder = world.vault();
    const then = reads();
    await colder.commit((draft) => draft.put({ id: 'newer', type: 'other', value: 1 }));
    expect(reads() - then).to.equal(one);
    const asking = reads();
    await world.vault().commit(async (draft) => {
      await draft.get('first');
      draft.put({ id: 'newest', type: 'other', value: 1 });
    });
    expect(reads() - asking).to.equal(one + 1);
  });

  it('replaces in a commit what cannot be read, without having read it', async () => {
    const { world, vault } = await filledWorld();
    const damaged = world.clone();
    const cold = damaged.vault();
    await cold.unlock(PASSPHRASE);
    const wanted = [...damaged.primary.values.keys()].filter((name) => name.includes('/record/'));
    for (const store of [damaged.primary, damaged.copy]) {
      for (const name of wanted) store.values.set(name, new Uint8Array(9));
    }
    const read = cold.commit((draft) => draft.get('first'));
    expect(await codeOf(read)).to.equal('CORRUPT');
    await cold.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'again' }));
    expect((await cold.read('first'))?.value).to.equal('again');
    expect(await codeOf(cold.read('third'))).to.equal('CORRUPT');
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });

  it('refuses what is no plain JSON, and hands out frozen records', async () => {
    const { vault } = await filledWorld();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const bad: unknown[] = [
      undefined,
      NaN,
      new Date(0),
      new Map(),
      cyclic,
      { a: undefined },
      [() => 1],
      1n,
    ];
    bad.push(JSON.parse('{"__proto__":1}'));
    for (const value of bad) {
      const put = vault.commit((draft) =>
        draft.put({ id: 'x', type: 'note', value: value as Json }),
      );
      expect(await codeOf(put)).to.contain('TypeError');
    }
    for (const id of ['', '\ud800', 7]) {
      const put = vault.commit((draft) => draft.put({ id, type: 'note', value: 1 } as never));
      expect(await codeOf(put)).to.contain('TypeError');
    }
    const record = await vault.read('second');
    expect(Object.isFrozen(record?.value)).to.equal(true);
    expect(Object.isFrozen((record!.value as { list: unknown }).list)).to.equal(true);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });
});

describe('A vault in two stores, used by many workers', () => {
  it('makes one vault of many creations at once, and none over another', async () => {
    const world = new TestBrowser();
    const vaults = Array.from({ length: 16 }, () => world.vault());
    const codes = await Promise.all(vaults.map((vault) => codeOf(vault.create(PASSPHRASE))));
    expect(codes.filter((code) => code === 'ok')).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'EXISTS')).to.have.lengthOf(15);
    await world.vault().unlock(PASSPHRASE);
  });

  it('loses no update of many writers in many contexts', async () => {
    const { world } = await filledWorld();
    await world.vault().commit((draft) => draft.put({ id: 'n', type: 'count', value: 0 }));
    const workers = Array.from({ length: 4 }, () => world.vault());
    const add = (worker: (typeof workers)[0]) =>
      worker.commit(async (draft) => {
        const value = ((await draft.get('n'))!.value as number) + 1;
        draft.put({ id: 'n', type: 'count', value });
        return value;
      });
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, i) => add(workers[i % workers.length]!)),
    );
    expect(new Set(counts).size).to.equal(40);
    for (const worker of workers) expect((await worker.read('n'))?.value).to.equal(40);
  });

  it('lets a commit see at once what another context committed', async () => {
    const { world, vault } = await filledWorld();
    const other = world.vault();
    expect((await other.read('third'))?.value).to.equal('three');
    await vault.commit((draft) => draft.put({ id: 'third', type: 'note', value: 'new' }));
    expect((await other.read('third'))?.value).to.equal('new');
  });

  it('keeps at least three generations and removes older values', async () => {
    const { world, vault } = await filledWorld();
    const sizes: number[] = [];
    for (let i = 0; i < 12; i++) {
      await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: i }));
      sizes.push(world.primary.values.size);
    }
    const manifests = [...world.primary.values.keys()].filter((name) => name.includes('manifest'));
    expect(manifests).to.have.lengthOf(4);
    expect(new Set(sizes.slice(4)).size).to.equal(1);
    expect([...world.copy.values.keys()]).to.have.members([...world.primary.values.keys()]);
  });

  it('has nothing in clear but ids, birthday and slot parameters', async () => {
    const { world, vault } = await filledWorld();
    const secret = 'https://secret.example';
    await vault.commit((draft) => draft.put({ id: secret, type: secret, value: secret }));
    for (const store of [world.primary, world.copy]) {
      for (const [name, bytes] of store.values) {
        const text = name + Buffer.from(bytes).toString('latin1');
        expect(text).not.to.contain('secret');
        expect(text).not.to.contain('note');
        expect(text).not.to.contain('first');
      }
    }
  });

  it('gives a hedge key that belongs to the vault key', async () => {
    const { world, vault } = await filledWorld();
    const key = await vault.hedgeKey();
    expect(key).to.have.lengthOf(32);
    expect(await world.vault().hedgeKey()).to.deep.equal(key);
    const stranger = new TestBrowser().vault();
    await stranger.create(PASSPHRASE);
    expect(await stranger.hedgeKey()).not.to.deep.equal(key);
  });

  it('reads no store when unlocked and unchanged', async () => {
    const { world, vault } = await filledWorld();
    await notes(vault);
    const reads = [world.primary.reads, world.copy.reads];
    await vault.read('first');
    await vault.list('note');
    await vault.commit(() => 1).catch(() => undefined);
    const after = [world.primary.reads, world.copy.reads];
    // Only the commit looked at the four head slots.
    expect(after).to.deep.equal([reads[0]! + 2, reads[1]! + 2]);
  });

  it('refuses a vault of a newer version, and leaves it alone', async () => {
    const { world, vault } = await filledWorld();
    const schema = NEWEST_SCHEMA + 1;
    for (const store of [world.primary, world.copy]) {
      for (const name of HEADS) store.values.set(name, forgedHead(name, { schema }));
    }
    const before = new Map(world.primary.values);
    expect(await codeOf(vault.commit((draft) => draft.remove('first')))).to.equal('NEWER');
    expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('NEWER');
    expect(world.primary.values).to.deep.equal(before);
  });

  it('is never absent while anything of a vault is left', async () => {
    const { world } = await filledWorld();
    const { primary } = world;
    for (const name of primary.values.keys()) {
      const left = new TestBrowser();
      left.primary.values.set(name, primary.values.get(name)!);
      expect((await left.vault().state()).state, name).to.equal('lost');
      expect(await codeOf(left.vault().create(PASSPHRASE)), name).to.equal('LOST');
      expect(await codeOf(left.vault().unlock(PASSPHRASE)), name).to.equal('LOST');
    }
  });

  it('opens from either store when the other is gone', async () => {
    const { world } = await filledWorld();
    for (const gone of ['primary', 'copy'] as const) {
      const left = world.clone();
      left[gone] = new MemoryStore(gone);
      const vault = left.vault();
      await vault.unlock(PASSPHRASE);
      expect(await notes(vault)).to.deep.equal(EXPECTED);
      expect(left.primary.values).to.deep.equal(world.primary.values);
      expect(left.copy.values).to.deep.equal(world.copy.values);
      expect(vault.repairs.every((repair) => repair.mended && repair.store === gone)).to.equal(
        true,
      );
    }
  });
});
