import 'fake-indexeddb/auto';
import { expect } from 'chai';
import { createRxDatabase, wrapRxStorageInstance } from 'rxdb/plugins/core';
import type { RxCollection, RxDatabase, RxJsonSchema, RxStorage } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv';
import sinon from 'sinon';
import { blindIndexer } from '../../../../src/client/adapters/fields/blind-index.ts';
import type { FieldOptions } from '../../../../src/client/adapters/fields/row.ts';
import { rxSealedStorage } from '../../../../src/client/adapters/fields/rxdb.ts';
import { quarantineOf } from '../../../../src/client/adapters/quarantine.ts';
import { testPage, type TestPage } from '../test-page.ts';
import { errorOf } from '../../../support/outcomes.ts';

interface Contact {
  id: string;
  email?: string;
  emailIndex?: string;
  city: string;
  notes?: { readonly text: string };
}
const SCHEMA: RxJsonSchema<Contact> = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 20 },
    email: { type: 'string' },
    emailIndex: { type: 'string', maxLength: 43 },
    city: { type: 'string', maxLength: 50 },
    notes: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  required: ['id', 'city', 'email', 'emailIndex'],
  indexes: ['emailIndex', 'city'],
  encrypted: ['email', 'notes'],
};
const SECRET = 'the river bends';
type Contacts = RxDatabase<{ contacts: RxCollection<Contact> }>;
type AnyStorage = RxStorage<unknown, object>;

/* The real library over the extension in memory, with both of its free storages. */
describe('rxSealedStorage', () => {
  let test: TestPage;
  let emailIndex: (value: string) => Promise<string>;
  let count = 0;
  const open: { close(): Promise<unknown> }[] = [];

  const validated = (storage: AnyStorage) => wrappedValidateAjvStorage({ storage: storage });

  async function database(
    inner: AnyStorage,
    name: string,
    options: FieldOptions = {},
    around = validated,
  ): Promise<Contacts> {
    const storage = around(
      rxSealedStorage(test.page, { storage: inner, wrapRxStorageInstance, ...options }),
    );
    const db = (await createRxDatabase({
      name,
      storage,
      multiInstance: false,
    })) as unknown as Contacts;
    open.push(db);
    await db.addCollections({ contacts: { schema: SCHEMA } });
    db.contacts.preInsert(async (contact) => {
      contact.emailIndex = await emailIndex(contact.email!);
    }, false);
    return db;
  }
  const contact = (i: number): Contact => ({
    id: `c${i}`,
    email: `user${i}@example.org`,
    city: i % 2 ? 'London' : 'Paris',
    notes: { text: `${SECRET} ${i}` },
  });

  before(() => {
    const { warn } = console;
    // An advertisement for other storages.
    sinon.stub(console, 'warn').callsFake((...args: unknown[]) => {
      if (!String(args[0]).includes('RxDB Open Core')) warn(...args);
    });
  });
  after(() => sinon.restore());
  before(async () => {
    test = await testPage();
    emailIndex = blindIndexer(test.page, 'contacts.email');
  });
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
  });

  for (const [kind, make] of [
    ['memory', () => getRxStorageMemory()],
    ['Dexie', () => getRxStorageDexie()],
  ] as const) {
    it(`stores, finds, changes and deletes documents (${kind})`, async () => {
      test.batches.seal.length = test.batches.open.length = 0;
      const name = `rx${++count}`;
      const storage = make() as unknown as AnyStorage;
      const { contacts } = await database(storage, name);
      const { error } = await contacts.bulkInsert(Array.from({ length: 20 }, (_, i) => contact(i)));
      expect(error).to.deep.equal([]);
      expect(test.batches.seal).to.deep.equal([20]);
      const index = await emailIndex('user3@example.org');
      const [one] = await contacts.find({ selector: { emailIndex: index } }).exec();
      expect(one!.toJSON()).to.deep.equal({ ...contact(3), emailIndex: index });
      const london = await contacts
        .find({ selector: { city: 'London' }, sort: [{ id: 'asc' }] })
        .exec();
      expect(london).to.have.length(10);
      expect(london.every(({ notes }) => notes!.text.startsWith(SECRET))).to.equal(true);
      const changes: unknown[] = [];
      const subscription = contacts.$.subscribe(({ documentData }) =>
        changes.push(documentData.notes),
      );
      await one!.incrementalPatch({ notes: { text: 'changed' } });
      expect(changes).to.deep.equal([{ text: 'changed' }]);
      subscription.unsubscribe();
      await contacts.findOne('c4').remove();
      expect(await contacts.findOne('c4').exec()).to.equal(null);
      const refused = contacts.insert({ ...contact(25), notes: { words: 1 } } as never);
      expect(await errorOf(refused)).to.have.property('code', 'VD2');
    });
  }

  it('leaves no sealed field in the storage, and reads documents of an earlier run', async () => {
    const name = `rx${++count}`;
    const storage = getRxStorageDexie() as unknown as AnyStorage;
    const first = await database(storage, name);
    await first.contacts.bulkInsert([contact(1), contact(2)]);
    await first.close();
    open.length = 0;
    const { contacts } = await database(storage, name);
    const found = await contacts.find({ sort: [{ id: 'asc' }] }).exec();
    expect(found.map(({ email, notes }) => [email, notes!.text])).to.deep.equal([
      ['user1@example.org', `${SECRET} 1`],
      ['user2@example.org', `${SECRET} 2`],
    ]);
    await contacts.database.close();
    open.length = 0;
    const raw = await rawDexie(name);
    expect(raw).to.have.length(2);
    for (const row of raw) {
      expect(row).to.include.keys('id', 'city', 'emailIndex', 'sealwrightSealed');
      expect(row).to.not.have.any.keys('email', 'notes');
    }
    expect(JSON.stringify(raw)).to.not.match(/river|user/);
  });

  it('quarantines documents that were swapped or are in the clear, and opens the others', async () => {
    const name = `rx${++count}`;
    const storage = getRxStorageDexie() as unknown as AnyStorage;
    const db = await database(storage, name);
    await db.contacts.bulkInsert([contact(1), contact(2), contact(3)]);
    await db.close();
    open.length = 0;
    await changeDexie(name, (rows) => {
      rows['c2']!['sealwrightSealed'] = rows['c1']!['sealwrightSealed'];
      rows['c3']!['notes'] = { text: 'forged' };
      delete rows['c3']!['sealwrightSealed'];
    });
    const reported: string[] = [];
    const onQuarantine = (id: string, { code }: { code: string }) => reported.push(`${id} ${code}`);
    const { contacts } = await database(storage, name, { onQuarantine });
    const found = await contacts.find({ sort: [{ id: 'asc' }] }).exec();
    expect(found.map((one) => quarantineOf(one.toJSON())?.code)).to.deep.equal([
      undefined,
      'WRONG_PLACE',
      'NOT_SEALED',
    ]);
    expect(found[2]!.notes).to.equal(undefined);
    expect(found[0]!.notes).to.deep.equal({ text: `${SECRET} 1` });
    expect(reported).to.have.members(['c2 WRONG_PLACE', 'c3 NOT_SEALED']);
    // The schema does not know a quarantine, so a validating storage refuses to change the document.
    expect(await errorOf(found[1]!.incrementalPatch({ city: 'Rome' }))).to.include({
      code: 'COL20',
    });
    const before = await rawDexie(name);
    await contacts.database.close();
    open.length = 0;
    // Another one stores what it cannot open as it was.
    const lax = await database(storage, name, {}, (inner) => inner);
    await (await lax.contacts.findOne('c2').exec())!.incrementalPatch({ city: 'Rome' });
    const after = await rawDexie(name);
    const sealedOf = (rows: Record<string, unknown>[]) =>
      rows.map((row) => row['sealwrightSealed']);
    expect(sealedOf(after)).to.deep.equal(sealedOf(before));
    expect(after.map((row) => row['city'])).to.deep.equal(['London', 'Rome', 'London']);
  });

  it('refuses schemas whose fields it would not seal', async () => {
    const inner = getRxStorageMemory() as unknown as AnyStorage;
    const storage = rxSealedStorage(test.page, { storage: inner, wrapRxStorageInstance });
    for (const [change, words] of [
      [{ encrypted: ['notes.text'] }, 'top-level field'],
      [{ encrypted: ['id'] }, 'primary key'],
      [{ attachments: { encrypted: true } }, 'attachments are not sealed'],
    ] as const) {
      const db = await createRxDatabase({ name: `rx${++count}`, storage, multiInstance: false });
      open.push(db);
      const schema = { ...SCHEMA, ...change } as unknown as RxJsonSchema<Contact>;
      const adding = db.addCollections({ contacts: { schema } });
      expect(String(await errorOf(adding))).to.include(words);
    }
  });

  it('stores nothing while the vault is locked', async () => {
    const { contacts } = await database(getRxStorageMemory(), `rx${++count}`);
    await contacts.insert(contact(1));
    await test.user.lock();
    try {
      expect(await errorOf(contacts.insert({ ...contact(2), emailIndex: 'x' }))).to.include({
        code: 'LOCKED',
      });
    } finally {
      await test.user.unlock();
    }
    expect(await contacts.count().exec()).to.equal(1);
  });
});

type Rows = Record<string, Record<string, unknown>>;

/** The rows that RxDB's Dexie storage has, by their keys. */
async function rawDexie(name: string): Promise<Record<string, unknown>[]> {
  let found: Record<string, unknown>[] = [];
  await changeDexie(name, (rows) => (found = Object.values(rows)));
  return found;
}

async function changeDexie(name: string, change: (rows: Rows) => void): Promise<void> {
  const names = (await indexedDB.databases()).map((one) => one.name!);
  const database = names.find((one) => one.includes(name) && one.includes('contacts'))!;
  const opening = indexedDB.open(database);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const db = opening.result;
  const store = db.transaction('docs', 'readwrite').objectStore('docs');
  const reading = store.getAll() as IDBRequest<Record<string, unknown>[]>;
  await new Promise((resolve) => (reading.onsuccess = resolve));
  const rows = Object.fromEntries(reading.result.map((row) => [row['id'] as string, row]));
  change(rows);
  for (const row of Object.values(rows)) store.put(row);
  await new Promise((resolve) => (store.transaction.oncomplete = resolve));
  db.close();
}
