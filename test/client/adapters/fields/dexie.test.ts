import 'fake-indexeddb/auto';
import { expect } from 'chai';
import Dexie, { liveQuery, type EntityTable, type Table } from 'dexie';
import { dexieSealedFields } from '../../../../src/client/adapters/fields/dexie.ts';
import type { DexieSealedOptions } from '../../../../src/client/adapters/fields/dexie.ts';
import { SealedRows, type SealedForm } from '../../../../src/client/adapters/fields/row.ts';
import { textOfValue } from '../../../../src/client/adapters/fields/values.ts';
import { sealedMessages } from '../../../../src/client/adapters/messages.ts';
import { quarantineOf } from '../../../../src/client/adapters/quarantine.ts';
import { testPage, type TestPage } from '../test-page.ts';
import { errorOf } from '../../../support/outcomes.ts';

/* The real library over the extension in memory; test/browser/api/adapters.test.ts has the browsers' own IndexedDB. */
interface Person {
  id: string;
  email?: string;
  tags?: string[];
  city: string;
  age?: number;
  notes?: unknown;
}
interface Log {
  id: number;
  text: string;
}
class People extends Dexie {
  people!: EntityTable<Person, 'id'>;
  log!: EntityTable<Log, 'id'>;
  outside!: Table<{ text: string; city: string }, number>;
  plain!: EntityTable<{ id: string; text: string }, 'id'>;
  constructor(name: string) {
    super(name);
    this.version(1).stores({
      people: 'id, &email, *tags, city, [city+age]',
      log: '++id',
      outside: ',city',
      plain: 'id',
    });
  }
}

const TABLES = {
  people: { sealed: ['notes'], blind: ['email', 'tags'] },
  log: { sealed: ['text'] },
  outside: { sealed: ['text'] },
};
const SECRET = 'the river bends';

let test: TestPage;
let db: People;
let count = 0;
const open: Dexie[] = [];

function database(name: string, options: Partial<DexieSealedOptions> = {}): People {
  const made = new People(name);
  dexieSealedFields(made, test.page, { tables: TABLES, ...options });
  open.push(made);
  return made;
}
/** What is on the disk. */
async function rows(table: string): Promise<Record<string, unknown>[]> {
  const raw = new Dexie(db.name);
  await raw.open();
  const all = (await raw.table(table).toArray()) as Record<string, unknown>[];
  raw.close();
  return all;
}
const person = (i: number): Person => ({
  id: `p${String(i).padStart(4, '0')}`,
  email: `user${i}@example.org`,
  tags: [i % 2 ? 'odd' : 'even', `t${i}`],
  city: i % 3 ? 'London' : 'Paris',
  age: i,
  notes: `${SECRET} ${i}`,
});
const people = (n: number) => Array.from({ length: n }, (_, i) => person(i));

/** One page for a describe, and an empty database for each test. */
function withDatabase(): void {
  before(async () => {
    test = await testPage();
  });
  beforeEach(() => {
    db = database(`people ${++count}`);
    test.batches.seal.length = test.batches.open.length = 0;
  });
  afterEach(() => open.splice(0).forEach((one) => one.close()));
}

describe('dexieSealedFields', () => {
  withDatabase();

  it('stores named fields sealed, hashes in their indexes, and the rest in the clear', async () => {
    await db.people.put(person(7));
    const [row] = await rows('people');
    expect(row).to.have.all.keys('id', 'city', 'age', 'email', 'tags', 'sealwrightSealed');
    expect(row).to.include({ id: 'p0007', city: 'London', age: 7 });
    expect(row!['email']).to.match(/^[\w-]{43}$/);
    expect(row!['tags']).to.have.length(2);
    expect(row!['sealwrightSealed']).to.be.instanceOf(Uint8Array);
    const stored = Buffer.from(row!['sealwrightSealed'] as Uint8Array).toString('latin1');
    expect(JSON.stringify(row) + stored).to.not.match(/river|user7|odd/);
    expect(await db.people.get('p0007')).to.deep.equal(person(7));
    expect(await db.people.get('p0008')).to.equal(undefined);
  });

  it('keeps dates, bytes and missing fields as Dexie does', async () => {
    const notes = { when: new Date(5), bytes: Uint8Array.of(1, 2), big: 5n, nothing: undefined };
    await db.people.put({ id: 'a', city: 'Oslo', notes });
    expect(await db.people.get('a')).to.deep.equal({ id: 'a', city: 'Oslo', notes });
    await db.people.put({ id: 'a', city: 'Oslo' });
    expect(await db.people.get('a')).to.deep.equal({ id: 'a', city: 'Oslo' });
    const error = await errorOf(db.people.put({ id: 'b', city: 'Oslo', notes: () => 1 }));
    expect(error).to.be.instanceOf(TypeError);
    expect(await db.people.count()).to.equal(1);
  });

  it('writes and reads a thousand rows with one call each', async () => {
    await db.people.bulkPut(people(1000));
    expect(await db.people.toArray()).to.deep.equal(people(1000));
    expect(test.batches).to.deep.equal({ seal: [1000], open: [1000] });
    const some = await db.people.bulkGet(['p0001', 'none', 'p0999']);
    expect(some).to.deep.equal([person(1), undefined, person(999)]);
    expect(test.batches.open).to.deep.equal([1000, 2]);
  });

  it('finds rows by equality of blind fields, of clear ones, and of both', async () => {
    await db.people.bulkPut(people(30));
    expect(await db.people.get({ email: 'user5@example.org' })).to.deep.equal(person(5));
    expect(await db.people.where('email').equals('nobody').count()).to.equal(0);
    expect(await db.people.where('tags').equals('odd').count()).to.equal(15);
    expect(await db.people.where('tags').equals('t4').primaryKeys()).to.deep.equal(['p0004']);
    const both = await db.people
      .where('email')
      .equals('user5@example.org')
      .or('tags')
      .equals('t6')
      .toArray();
    expect(both.map(({ id }) => id).sort()).to.deep.equal(['p0005', 'p0006']);
    const where = await db.people.where({ email: 'user4@example.org', city: 'London' }).toArray();
    expect(where).to.deep.equal([person(4)]);
    expect(await db.people.where('[city+age]').equals(['Paris', 6]).toArray()).to.deep.equal([
      person(6),
    ]);
    expect(await db.people.where('city').anyOf('Paris', 'Rome').count()).to.equal(10);
    const paris = await db.people.where('city').startsWithIgnoreCase('paR').toArray();
    expect(paris).to.have.length(10);
    const duplicate = { ...person(3), id: 'other' };
    expect(await errorOf(db.people.put(duplicate))).to.include({ name: 'ConstraintError' });
  });

  it('refuses to order or compare by a blind index, which would give wrong answers', async () => {
    await db.people.bulkPut(people(3));
    for (const query of [
      db.people.orderBy('email').toArray(),
      db.people.where('email').startsWith('user').toArray(),
      db.people.where('email').above('a').count(),
      db.people.where('email').anyOf('a', 'b').toArray(),
    ]) {
      expect(String(await errorOf(query))).to.match(/people\.email has a blind index/);
    }
    const numbers = db.people.put({ id: 'x', city: 'Oslo', email: 7 as unknown as string });
    expect(String(await errorOf(numbers))).to.include('a blind index is of a text');
  });

  it('filters, orders, limits and counts over opened rows, read ahead in growing batches', async () => {
    await db.people.bulkPut(people(500));
    test.batches.open.length = 0;
    const found = await db.people.filter(({ notes }) => String(notes).endsWith('99')).toArray();
    expect(found.map(({ id }) => id)).to.deep.equal(['p0099', 'p0199', 'p0299', 'p0399', 'p0499']);
    expect(test.batches.open).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 245]);
    test.batches.open.length = 0;
    expect(await db.people.filter(({ age }) => age! > 1).first()).to.deep.equal(person(2));
    expect(test.batches.open).to.deep.equal([1, 2]);
    const last = await db.people
      .orderBy('city')
      .reverse()
      .filter(({ age }) => age! % 2 === 0)
      .limit(3)
      .toArray();
    expect(last).to.have.length(3);
    expect(
      last.every(({ city, notes }) => city === 'Paris' && String(notes).startsWith(SECRET)),
    ).to.equal(true);
    let seen = 0;
    await db.people
      .where('city')
      .anyOf('London', 'Paris')
      .and(({ age }) => age! < 100)
      .each(({ notes, age }) => {
        expect(notes).to.equal(`${SECRET} ${age}`);
        seen++;
      });
    expect(seen).to.equal(100);
    expect(await db.people.orderBy('city').uniqueKeys()).to.deep.equal(['London', 'Paris']);
    const offset = await db.people
      .toCollection()
      .filter(() => true)
      .offset(3)
      .limit(2)
      .toArray();
    expect(offset).to.deep.equal([person(3), person(4)]);
    expect(
      await db.people
        .where('city')
        .equals('Paris')
        .filter(({ age }) => age === 3)
        .count(),
    ).to.equal(1);
    const throwing = db.people.filter(() => {
      throw new Error('of the app');
    });
    expect(await errorOf(throwing.toArray())).to.include({
      message: 'of the app',
    });
  });
});

describe('dexieSealedFields, writing', () => {
  withDatabase();

  it('changes rows: update, modify, upsert, bulkUpdate, delete, add', async () => {
    await db.people.bulkAdd(people(10));
    await db.people.update('p0001', { notes: 'changed', city: 'Rome' });
    expect(await db.people.get('p0001')).to.deep.equal({
      ...person(1),
      notes: 'changed',
      city: 'Rome',
    });
    await db.people
      .where('tags')
      .equals('even')
      .modify((row) => {
        row.notes = `${String(row.notes)}!`;
        row.email = `new-${row.email}`;
      });
    expect(await db.people.get({ email: 'new-user4@example.org' })).to.include({
      notes: `${SECRET} 4!`,
    });
    expect(await db.people.get({ email: 'user4@example.org' })).to.equal(undefined);
    await db.people.bulkUpdate([
      { key: 'p0003', changes: { notes: 'three' } },
      { key: 'p0005', changes: { city: 'Bern' } },
    ]);
    await db.people.upsert('p0100', { city: 'Wien', notes: 'hundred' });
    const found = await db.people.bulkGet(['p0003', 'p0005', 'p0100']);
    expect(found.map((row) => row!.notes)).to.deep.equal(['three', `${SECRET} 5`, 'hundred']);
    await db.people.where({ email: 'user5@example.org' }).delete();
    expect(await db.people.get('p0005')).to.equal(undefined);
    expect(await errorOf(db.people.add(person(3)))).to.include({ name: 'ConstraintError' });
    const stored = await rows('people');
    const text = stored.map(
      (row) =>
        JSON.stringify(row) + Buffer.from(row['sealwrightSealed'] as Uint8Array).toString('latin1'),
    );
    expect(text.join()).to.not.match(/river|three|hundred|changed|user/);
    await db.people.clear();
    expect(await db.people.count()).to.equal(0);
  });

  it('works in transactions, which live while the extension seals and opens, and are whole or nothing', async () => {
    await db.transaction('rw', db.people, db.log, async () => {
      await db.people.bulkPut(people(5));
      const one = await db.people.get('p0002');
      await db.log.add({ text: `saw ${String(one!.notes)}` });
      const two = await db.people.filter(({ age }) => age === 3).first();
      await db.people.put({ ...two!, notes: 'after reading' });
      expect(await db.people.get({ email: 'user3@example.org' })).to.include({
        notes: 'after reading',
      });
    });
    expect((await db.log.toArray()).map(({ text }) => text)).to.deep.equal([`saw ${SECRET} 2`]);
    const failed = db.transaction('rw', db.people, async () => {
      await db.people.put(person(90));
      await db.people.update('p0001', { notes: 'rolled back' });
      throw new Error('of the app');
    });
    expect(await errorOf(failed)).to.include({
      message: 'of the app',
    });
    expect(await db.people.get('p0090')).to.equal(undefined);
    expect(await db.people.get('p0001')).to.deep.equal(person(1));
  });

  it('aborts and stores nothing while the vault is locked', async () => {
    await db.people.put(person(1));
    await test.user.lock();
    try {
      const writing = db.transaction('rw', db.people, async () => {
        await db.people.delete('p0001');
        await db.people.put(person(2));
      });
      expect(await errorOf(writing)).to.include({ code: 'LOCKED' });
      expect(await errorOf(db.people.toArray())).to.include({
        code: 'LOCKED',
      });
      const cursor = db.people.filter(() => true).toArray() as unknown as Promise<unknown>;
      expect(await errorOf(cursor)).to.include({ code: 'LOCKED' });
      expect(await db.people.count()).to.equal(1);
      expect(await db.people.toCollection().primaryKeys()).to.deep.equal(['p0001']);
    } finally {
      await test.user.unlock();
    }
    expect(await db.people.get('p0001')).to.deep.equal(person(1));
  });

  it('gives hooks opened rows, and seals what they add', async () => {
    const seen: unknown[] = [];
    db.people.hook('creating', (_key, row) => {
      seen.push(row.notes);
      row.notes = `${String(row.notes)} and by a hook`;
    });
    db.people.hook('updating', (changes, _key, row) => {
      seen.push(row.notes, changes);
    });
    await db.people.add({ id: 'h', city: 'Oslo', notes: SECRET });
    await db.people.update('h', { notes: 'new' });
    expect(seen).to.deep.equal([SECRET, `${SECRET} and by a hook`, { notes: 'new' }]);
    expect(await db.people.get('h')).to.include({ notes: 'new' });
    expect(JSON.stringify(await rows('people'))).to.not.match(/river|hook|new/);
  });

  it('feeds live queries', async () => {
    const results: string[][] = [];
    const query = liveQuery(async () => {
      const found = await db.people.where('tags').equals('odd').toArray();
      return found.map(({ notes }) => String(notes));
    });
    const subscription = query.subscribe((value) => void results.push(value));
    const until = async (length: number): Promise<void> => {
      while (results.at(-1)?.length !== length) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    try {
      await until(0);
      await db.people.put(person(1));
      await until(1);
      await db.people.bulkPut([person(2), person(3)]);
      await until(2);
      // In any order: Dexie adds to its cache what is being written.
      expect(results.at(-1)).to.have.members([`${SECRET} 1`, `${SECRET} 3`]);
    } finally {
      subscription.unsubscribe();
    }
  });
});

describe('dexieSealedFields, over rows and tables of every kind', () => {
  withDatabase();

  it('binds a row to its key, table and database', async () => {
    await db.people.bulkPut([person(1), person(2)]);
    const raw = new Dexie(db.name);
    await raw.open();
    const [one, two] = (await raw.table('people').toArray()) as Record<string, unknown>[];
    await raw.table('people').put({ ...two, sealwrightSealed: one!['sealwrightSealed'] });
    await raw.table('log').put({ id: 5, sealwrightSealed: one!['sealwrightSealed'] });
    await raw.table('people').put({ id: 'forged', city: 'X', notes: 'forged' });
    await raw.table('people').put({ ...one, notes: 'beside the sealed ones' });
    const reported: string[] = [];
    const other = database(db.name, {
      onQuarantine: (id, { code }) => reported.push(`${id} ${code}`),
    });
    const found = await other.people.toArray();
    expect(found.map((row) => quarantineOf(row)?.code)).to.deep.equal([
      'NOT_SEALED',
      undefined,
      'WRONG_PLACE',
    ]);
    expect(found[0]).to.not.have.property('notes');
    expect(found[1]).to.deep.equal(person(1));
    expect(quarantineOf((await other.log.toArray())[0]!)).to.include({ code: 'AUTH_FAILED' });
    expect(reported).to.deep.equal(['forged NOT_SEALED', 'p0002 WRONG_PLACE', '5 AUTH_FAILED']);
    raw.close();
  });

  type Keyed = Table<{ text: string }, unknown, object>;
  /** Each as the app may write it, and as IndexedDB may give it back. */
  const KEYS: Readonly<Record<string, readonly (() => unknown)[]>> = {
    'a negative number': [() => -1.5],
    'zero, with either sign': [() => -0, () => 0],
    infinity: [() => -Infinity],
    'a date': [() => new Date(86_400_000)],
    bytes: [
      () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer,
      () => new DataView(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 0).buffer, 1, 8),
      () => new Float64Array(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer),
    ],
    'an array of all of them': [
      () => [-0, 'a', new Date(0), Uint8Array.of(7), [[]]],
      () => [0, 'a', new Date(0), Uint8Array.of(7).buffer, [[]]],
    ],
  };
  for (const [kind, forms] of Object.entries(KEYS)) {
    it(`opens rows whose key is ${kind}, in the row, beside it, and of several fields`, async () => {
      const raw = new Dexie(`keys ${count++}`);
      raw.version(1).stores({ inside: 'id', beside: '', compound: '[a+b]' });
      const sealed = { sealed: ['text'] };
      const tables = { inside: sealed, beside: sealed, compound: sealed };
      dexieSealedFields(raw, test.page, { tables });
      open.push(raw);
      const inside: Keyed = raw.table('inside');
      const beside: Keyed = raw.table('beside');
      const compound: Keyed = raw.table('compound');
      for (const write of forms) {
        await inside.put({ id: write(), text: SECRET });
        await beside.put({ text: SECRET }, write());
        await compound.put({ a: write(), b: 'b', text: SECRET });
        for (const read of forms) {
          const found = [
            await inside.get(read()),
            ...(await inside.bulkGet([read()])),
            ...(await inside
              .where('id')
              .equals(read() as string)
              .toArray()),
            await beside.get(read()),
            ...(await beside.toArray()),
            await compound.get([read(), 'b']),
            ...(await compound.filter(() => true).toArray()),
          ];
          expect(found.map((row) => row?.text)).to.deep.equal(found.map(() => SECRET));
          expect(found).to.have.length(7);
        }
      }
    });
  }

  it('opens rows that were bound to a view of their key, before keys were bound as they are stored', async () => {
    const bytes = Uint8Array.of(1, 2);
    const messages = sealedMessages(test.page, 'keys', undefined);
    const as: SealedForm = { stored: (sealed) => sealed, bytes: (stored) => stored as never };
    const rows = new SealedRows(messages, ['text'], as, {});
    const text = textOfValue([textOfValue(bytes), { text: SECRET }]);
    const row = { sealwrightSealed: await messages.seal(text) };
    expect(await rows.opened(bytes.buffer, row)).to.deep.equal({ text: SECRET });
    expect(await rows.opened(Uint8Array.of(1, 3), row)).to.have.property('sealwrightQuarantine');
  });

  it('stores a quarantined row back as it was, whatever else changed in it', async () => {
    await db.people.put(person(1));
    const raw = new Dexie(db.name);
    await raw.open();
    const row = (await raw.table('people').get('p0001')) as Record<string, unknown>;
    const broken = { ...row, sealwrightSealed: Uint8Array.of(1, 2, 3) };
    await raw.table('people').put(broken);
    await db.people.update('p0001', { city: 'Rome' });
    expect(await raw.table('people').get('p0001')).to.deep.equal({ ...broken, city: 'Rome' });
    // Once it opens again, it is there.
    await raw.table('people').put({ ...broken, sealwrightSealed: row['sealwrightSealed'] });
    expect(await db.people.get('p0001')).to.deep.equal(person(1));
    // What is written into a quarantined row is sealed beside it.
    await raw.table('people').put(broken);
    await db.people.update('p0001', { notes: 'written meanwhile' });
    const both = await db.people.get('p0001');
    expect(both).to.include({ notes: 'written meanwhile' });
    expect(quarantineOf(both!)).to.deep.include({ code: 'BAD_ENVELOPE' });
    raw.close();
  });

  it('opens rows of before, by choice, until they are written again', async () => {
    const raw = new Dexie(db.name);
    raw.version(1).stores({
      people: 'id, &email, *tags, city, [city+age]',
      log: '++id',
      outside: ',city',
      plain: 'id',
    });
    await raw.table('people').bulkPut(people(5));
    raw.close();
    const strict = await db.people.toArray();
    expect(strict.map((row) => quarantineOf(row)?.code)).to.deep.equal(Array(5).fill('NOT_SEALED'));
    const migrating = database(db.name, { clearRows: 'open' });
    expect(await migrating.people.toArray()).to.deep.equal(people(5));
    expect(JSON.stringify(await rows('people'))).to.include(SECRET);
    await migrating.people.toCollection().modify(() => undefined);
    expect(JSON.stringify(await rows('people'))).to.not.match(/river|user/);
    expect(await db.people.toArray()).to.deep.equal(people(5));
    expect(await db.people.get({ email: 'user2@example.org' })).to.deep.equal(person(2));
  });

  it('takes keys that are given at insertion, and those outside of rows', async () => {
    const id = await db.log.add({ text: SECRET });
    expect(await db.log.get(id)).to.deep.equal({ id, text: SECRET });
    await db.log.update(id, { text: 'again' });
    expect(await db.log.toArray()).to.deep.equal([{ id, text: 'again' }]);
    await db.outside.bulkPut(
      [
        { text: 'a', city: 'Oslo' },
        { text: 'b', city: 'Bern' },
      ],
      [7, 8],
    );
    expect(await db.outside.toArray()).to.deep.equal([
      { text: 'a', city: 'Oslo' },
      { text: 'b', city: 'Bern' },
    ]);
    expect(await db.outside.where('city').equals('Bern').toArray()).to.deep.equal([
      { text: 'b', city: 'Bern' },
    ]);
    expect(await db.outside.get(7)).to.deep.equal({ text: 'a', city: 'Oslo' });
    expect(await db.outside.filter(({ text }) => text === 'b').primaryKeys()).to.deep.equal([8]);
  });

  it('leaves other tables alone', async () => {
    await db.plain.put({ id: 'a', text: 'clear' });
    expect(await rows('plain')).to.deep.equal([{ id: 'a', text: 'clear' }]);
    expect(test.batches.seal).to.deep.equal([]);
  });

  it('refuses fields that it cannot seal, when the database is opened or before', async () => {
    for (const field of ['', 'address.city']) {
      const use = () => database('refused', { tables: { people: { sealed: [field] } } });
      expect(use).to.throw(TypeError, 'top-level field');
    }
    for (const [sealed, blind, words] of [
      [['id'], [], 'primary key id cannot be sealed'],
      [['city'], [], 'would need city'],
      [['age'], [], 'index city+age would need age'],
      [[], ['city'], 'index city+age would need city'],
    ] as const) {
      const made = database(`refused ${words}`, { tables: { people: { sealed, blind } } });
      expect(String(await errorOf(made.open()))).to.include(words);
    }
  });
});
