import { expect } from 'chai';
import { frameValue } from '../../../src/keys/storage/checksummed-value.ts';
import type { KeyValueStore } from '../../../src/keys/storage/key-value-store.ts';
import { VaultError } from '../../../src/keys/vault/errors.ts';
import { HEADS } from '../../../src/keys/vault/value-names.ts';
import type { LineMerge } from '../../../src/keys/vault/joined-lines.ts';
import { Dice } from '../../../bench/stress-engines/dice.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../world.ts';

const SEQUENCES = IS_NIGHTLY ? 20_000 : 200;
const PLACES = ['primary', 'copy'] as const;
type Place = (typeof PLACES)[number];

const note = (id: string, value: number) => ({ id, type: 'note', value });

/** Notes as a type that is merged: each line's, and of one that both have, the own line's. */
const MERGED_NOTES: LineMerge = {
  types: ['note'],
  merge: (own, other) => [
    ...new Map([...other, ...own].map((record) => [record.id, record])).values(),
  ],
};

/** A browser whose stores come and go, at any operation of any of them. */
class Outages {
  readonly world: TestBrowser;
  readonly missing = new Set<Place>();
  /** Called before each operation. */
  before: () => void = () => undefined;

  constructor(world: TestBrowser) {
    this.world = world;
  }

  store(place: Place): KeyValueStore {
    const inner = this.world[place];
    const run = async <T>(work: () => Promise<T>): Promise<T> => {
      this.before();
      if (this.missing.has(place)) throw new Error('The operation failed for reasons unrelated');
      return work();
    };
    return {
      name: inner.name,
      get: (key) => run(() => inner.get(key)),
      keys: () => run(() => inner.keys()),
      write: (puts, removes) => run(() => inner.write(puts, removes)),
      isThere: () => Promise.resolve(!this.missing.has(place)),
    };
  }

  /** A background that has just started: the browser was restarted. */
  vault() {
    this.world.session = new TestBrowser().session;
    const [primary, copy] = [this.store('primary'), this.store('copy')];
    return this.world.vault({ primary, copy, lines: MERGED_NOTES });
  }

  async opened() {
    const vault = this.vault();
    await vault.unlock(PASSPHRASE);
    return vault;
  }
}

describe('A vault whose stores were missing in turn', () => {
  async function twoLines() {
    const { world } = await filledWorld();
    const outages = new Outages(world.clone());
    const on = async (missing: readonly Place[]) => {
      outages.missing.clear();
      for (const place of missing) outages.missing.add(place);
      return outages.opened();
    };
    return { outages, on };
  }

  for (const [first, second] of [PLACES, [...PLACES].reverse() as [Place, Place]]) {
    it(`has all that was saved without the ${first}, and then without the ${second}`, async () => {
      const { on } = await twoLines();
      const one = await on([first]);
      await one.commit((d) => d.put(note('a', 1)));
      await one.commit((d) => d.put(note('b', 2)));
      await one.commit((d) => d.remove('third'));
      const two = await on([second]);
      for (const id of ['x', 'y', 'z']) await two.commit((d) => d.put(note(id, 3)));
      await two.commit((d) => d.put({ ...note('second', 4) }));
      const { third, ...kept } = EXPECTED;
      const all = { ...kept, a: 1, b: 2, second: 4, x: 3, y: 3, z: 3 };
      expect(third).to.equal('three');
      const both = await on([]);
      expect(await notes(both)).to.deep.equal(all);
      for (const place of PLACES) expect(await notes(await on([place]))).to.deep.equal(all);
    });
  }

  it('is joined while it is open, too, before a read and before a commit', async () => {
    for (const isRead of [true, false]) {
      const { outages, on } = await twoLines();
      await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
      const vault = await on(['copy']);
      await vault.commit((d) => d.put(note('b', 2)));
      await outages.world.session.remove('vault/generation'); // as after a commit that was cut off
      outages.missing.clear();
      if (!isRead) await vault.commit((d) => d.put(note('c', 3)));
      const expected = { ...EXPECTED, a: 1, b: 2, ...(!isRead && { c: 3 }) };
      expect(await notes(vault)).to.deep.equal(expected);
      expect(await notes(await on(['copy']))).to.deep.equal(expected);
    }
  });

  it('stays two lines where they cannot be joined, and is joined later', async () => {
    const { outages, on } = await twoLines();
    await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
    await (await on(['copy'])).commit((d) => d.put(note('b', 2)));
    outages.missing.clear();
    const full = outages.store('copy');
    const write = () => Promise.reject(new Error('quota'));
    const primary = outages.store('primary');
    const vault = outages.world.vault({ primary, copy: { ...full, write } });
    const failure: unknown = await vault.unlock(PASSPHRASE).catch((error: unknown) => error);
    expect((failure as VaultError).code).to.equal('QUOTA');
    expect(await notes(await on([]))).to.deep.equal({ ...EXPECTED, a: 1, b: 2 });
  });

  it('revives nothing by a store that was put back to how it was in an outage', async () => {
    const { outages, on } = await twoLines();
    const alone = await on(['primary']);
    await alone.commit((d) => d.put({ id: 'g', type: 'grant', value: 1 }));
    await alone.commit((d) => d.put({ id: 'h', type: 'grant', value: 1 }));
    const old = new Map(outages.world.copy.values);
    const later = await on([]);
    await later.commit((d) => d.remove('g'));
    await later.commit((d) => d.remove('h'));
    outages.world.copy.values.clear();
    for (const [name, bytes] of old) outages.world.copy.values.set(name, bytes);
    const vault = await on([]);
    expect(await vault.list('grant')).to.deep.equal([]);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
  });

  it('joins no line whose heads are not authentic under the vault key', async () => {
    const { outages, on } = await twoLines();
    await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
    await (await on(['copy'])).commit((d) => d.put(note('b', 2)));
    const { values } = outages.world.copy;
    for (const name of HEADS) values.set(name, frameValue(name, values.get(name)!.slice(4, 46)));
    expect(await notes(await on([]))).to.deep.equal({ ...EXPECTED, b: 2 });
  });

  it(`has all that was reported as saved, in ${SEQUENCES} sequences of outages`, async function () {
    this.timeout(SEQUENCES * 400);
    const { world } = await filledWorld();
    const seed = String(Date.now() % 1_000_000);
    const dice = new Dice(seed);
    const total = { joined: 0, revived: 0 };
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const name = `seed ${seed}, sequence ${sequence}`;
      const { joined, revived } = await oneSequence(new Outages(world.clone()), dice, name);
      total.joined += joined;
      total.revived += revived;
    }
    expect(total.joined, 'sequences with commits without each store').to.be.above(SEQUENCES / 10);
    // A commit that ended between its two heads, and then an outage of each store: a removal may not be known.
    expect(total.revived, 'removals that did not last').to.be.at.most(SEQUENCES / 50);
  });
});

/** @returns joined: 1 where something was saved without the one store and without the other; revived: removed notes that are back */
async function oneSequence(outages: Outages, dice: Dice, name: string) {
  const saved = new Map<string, number>();
  /** Of what failed, it may count all the same, later. */
  const unsure = new Set<string>();
  const removed = new Set<string>();
  const without = new Set<Place>();
  let last = 0;
  for (let day = 0; day < 4; day++) {
    outages.missing.clear();
    const missing = dice.pick([...PLACES, undefined]);
    if (missing) outages.missing.add(missing);
    // At some operation of the day, a store goes or comes.
    let left = dice.integer(1, 120);
    outages.before = () => {
      if (--left !== 0) return;
      const place = dice.pick(PLACES);
      if (!outages.missing.delete(place)) outages.missing.add(place);
    };
    const vault = await outages.opened().catch(refusal);
    for (let commits = dice.integer(1, 2); vault && commits > 0; commits--) {
      const isRemoval = saved.size > 0 && dice.integer(0, 3) === 0;
      const id = isRemoval ? dice.pick([...saved.keys()]) : `${name} ${++last}`;
      const [only] = outages.missing;
      try {
        const isThere = await vault.commit(async (draft) => {
          if (!isRemoval) draft.put(note(id, last));
          else if ((await draft.get(id)) === undefined)
            return false; // on the other line
          else draft.remove(id);
          return true;
        });
        if (!isRemoval) saved.set(id, last);
        else if (isThere && saved.delete(id)) removed.add(id);
        if (only) without.add(only);
      } catch (error) {
        refusal(error);
        unsure.add(id);
      }
    }
    outages.before = () => undefined;
  }
  outages.missing.clear();
  const found = new Map(Object.entries(await notes(await outages.opened())));
  for (const [id, value] of Object.entries(EXPECTED)) {
    expect(found.get(id), `${name}: ${id}`).to.deep.equal(value);
    found.delete(id);
  }
  for (const id of unsure) [saved, found].forEach((map) => map.delete(id));
  const revived = [...removed].filter((id) => found.delete(id)).length;
  expect(Object.fromEntries(found), name).to.deep.equal(Object.fromEntries(saved));
  return { joined: without.size === 2 ? 1 : 0, revived };
}

function refusal(error: unknown): undefined {
  if (!(error instanceof VaultError)) throw error;
  expect(['UNAVAILABLE', 'LOST', 'CORRUPT', 'QUOTA']).to.include(error.code);
}
