import { expect } from 'chai';
import { frameValue } from '../../../src/keys/values/checksummed-value.ts';
import type { KeyValueStore } from '../../../src/keys/storage/key-value-store.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import type { LineMerge } from '../../../src/keys/vault/joined-lines.ts';
import { Dice } from '../../../bench/stress-engines/dice.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { Faults } from '../../support/stores/faults.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../world.ts';

const SEQUENCES = Number(process.env['SEALWRIGHT_OUTAGES'] ?? (IS_NIGHTLY ? 2000 : 20));
const SEED = process.env['SEALWRIGHT_OUTAGES_SEED'] ?? String(Date.now() % 1_000_000);
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

/** The same, with the other line's first. */
const reversed: LineMerge['merge'] = (own, other) => MERGED_NOTES.merge(other, own);

/** A browser whose stores come and go, at any operation of any of them. */
class Outages extends Faults {
  world: TestBrowser;

  constructor(world: TestBrowser) {
    super();
    this.world = world;
  }

  storeAt(place: Place): KeyValueStore {
    return this.store(this.world[place], true);
  }

  /** A background that has just started: the browser was restarted. */
  vault() {
    this.world.session = new TestBrowser().session;
    const [primary, copy] = [this.storeAt('primary'), this.storeAt('copy')];
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

  for (const line of PLACES) {
    it(`keeps a removal by the ${line} after a join that only the primary has got`, async () => {
      const { outages, on } = await twoLines();
      const grant = { id: 'g', type: 'grant', value: 1 };
      await (await on(['copy'])).commit((d) => d.put(note('a', 1)));
      const second = await on(['primary']);
      for (const id of ['b', 'c']) await second.commit((d) => d.put(note(id, 2)));
      await second.commit((d) => d.put(grant));
      outages.missing.clear();
      const [primary, copy] = [outages.storeAt('primary'), outages.storeAt('copy')];
      let torn: TestBrowser | undefined;
      const write: KeyValueStore['write'] = (puts, removes) => {
        if (HEADS.some((name) => puts.has(name))) torn ??= outages.world.clone();
        return copy.write(puts, removes);
      };
      const joining = outages.world.vault({
        primary,
        copy: { ...copy, write },
        lines: MERGED_NOTES,
      });
      await joining.unlock(PASSPHRASE);
      outages.world = torn!; // the worker has ended between the two heads
      const isOfPrimary = line === 'primary';
      const removing = await on([isOfPrimary ? 'copy' : 'primary']);
      await removing.commit((d) => d.remove('c'));
      const saving = await on([isOfPrimary ? 'primary' : 'copy']);
      await saving.commit((d) => d.put(note('b', 3)));
      await saving.commit((d) => d.put({ ...grant, value: 2 }));
      const both = await on([]);
      expect(await notes(both)).to.deep.equal({ ...EXPECTED, a: 1, b: 3 });
      expect((await both.list('grant')).map(({ value }) => value)).to.deep.equal([2]);
    });
  }

  it('merges no version that the newer line has replaced', async () => {
    const { outages, on } = await twoLines();
    await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
    const newer = await on(['copy']);
    for (const value of [2, 3]) await newer.commit((d) => d.put(note('second', value)));
    outages.missing.clear();
    const lines = { ...MERGED_NOTES, merge: reversed };
    const vault = outages.world.vault({ lines });
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal({ ...EXPECTED, a: 1, second: 3 });
  });

  it('leaves both lines whole where a join is undone', async () => {
    const { outages, on } = await twoLines();
    await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
    await (await on(['copy'])).commit((d) => d.put(note('b', 2)));
    outages.missing.clear();
    const [primary, copy] = PLACES.map((place) => outages.storeAt(place)) as [
      KeyValueStore,
      KeyValueStore,
    ];
    const write: KeyValueStore['write'] = (puts, removes) =>
      HEADS.some((name) => puts.has(name))
        ? Promise.reject(new Error('quota'))
        : copy.write(puts, removes);
    const vault = outages.world.vault({ primary, copy: { ...copy, write }, lines: MERGED_NOTES });
    const failure: unknown = await vault.unlock(PASSPHRASE).catch((error: unknown) => error);
    expect((failure as VaultError).code).to.equal('QUOTA');
    for (const place of PLACES) {
      const names = [...outages.world[place].values.keys()];
      expect(
        names.some((name) => name.startsWith('vault/slot/')),
        place,
      ).to.equal(true);
    }
    expect(await notes(await on([]))).to.deep.equal({ ...EXPECTED, a: 1, b: 2 });
  });

  it('keeps a generation where the other store has a manifest of its number, of a commit that failed', async () => {
    const { outages, on } = await twoLines();
    const failed = outages.world.clone();
    const unsaved = failed.vault();
    await unsaved.unlock(PASSPHRASE);
    await unsaved.commit((d) => d.put(note('unsaved', 1)));
    const { values } = outages.world.primary;
    for (const [name, bytes] of failed.primary.values) {
      if (!HEADS.some((head) => head === name) && !values.has(name)) values.set(name, bytes);
    }
    await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
    outages.missing.clear();
    const primary = outages.storeAt('primary');
    const write: KeyValueStore['write'] = (puts, removes) => {
      // It goes away again before its heads are repaired.
      if (HEADS.some((name) => puts.has(name))) outages.missing.add('primary');
      return primary.write(puts, removes);
    };
    const opening = outages.world.vault({ primary: { ...primary, write }, lines: MERGED_NOTES });
    await opening.unlock(PASSPHRASE);
    for (const missing of [['primary'], []] as const) {
      expect(await notes(await on(missing))).to.deep.equal({ ...EXPECTED, a: 1 });
    }
  });

  it('stays two lines where they cannot be joined, and is joined later', async () => {
    const { outages, on } = await twoLines();
    await (await on(['primary'])).commit((d) => d.put(note('a', 1)));
    await (await on(['copy'])).commit((d) => d.put(note('b', 2)));
    outages.missing.clear();
    const full = outages.storeAt('copy');
    const write = () => Promise.reject(new Error('quota'));
    const primary = outages.storeAt('primary');
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

  it(`has what was reported as saved, and nothing removed, in ${SEQUENCES} sequences, seed ${SEED}`, async function () {
    this.timeout(SEQUENCES * 3000);
    const { world } = await filledWorld();
    let joined = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const name = `${SEED} ${sequence}`;
      if (await oneSequence(new Outages(world.clone()), new Dice(name), name)) joined++;
    }
    expect(joined, 'sequences with commits without each store').to.be.above(SEQUENCES / 10);
  });
});

/** @returns whether something was saved without the one store and without the other */
async function oneSequence(outages: Outages, dice: Dice, name: string): Promise<boolean> {
  const saved = new Map<string, number>();
  /** Of what failed, it may count all the same, later. */
  const unsure = new Set<string>();
  const removed = new Set<string>();
  const without = new Set<Place>();
  let last = 0;
  for (let day = 0; day < 5; day++) {
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
    for (let commits = dice.integer(1, 3); vault && commits > 0; commits--) {
      const isRemoval = saved.size > 0 && dice.integer(0, 3) === 0;
      const id = isRemoval ? dice.pick([...saved.keys()]) : `${name} ${++last}`;
      const [only] = outages.missing as Set<Place>;
      try {
        const isThere = await vault.commit(async (draft) => {
          if (!isRemoval) draft.put({ ...note(id, last), type: typeOf(last) });
          else if (await draft.get(id)) draft.remove(id);
          else return false; // on the other line
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
  const opened = await outages.opened();
  const grants = (await opened.list('grant')).map(({ id, value }): [string, unknown] => [
    id,
    value,
  ]);
  const found = new Map<string, unknown>([...Object.entries(await notes(opened)), ...grants]);
  for (const [id, value] of Object.entries(EXPECTED)) {
    expect(found.get(id), `${name}: ${id}`).to.deep.equal(value);
    found.delete(id);
  }
  for (const id of unsure) [saved, found].forEach((map) => map.delete(id));
  expect(Object.fromEntries(found), name).to.deep.equal(Object.fromEntries(saved));
  return without.size === 2;
}

/** A type that is merged, and one that is not. */
const typeOf = (n: number) => (n % 3 === 0 ? 'grant' : 'note');

function refusal(error: unknown): undefined {
  if (!(error instanceof VaultError)) throw error;
  expect(['UNAVAILABLE', 'LOST', 'CORRUPT', 'QUOTA']).to.include(error.code);
}
