import { expect } from 'chai';
import { sealedCollection } from '../../../src/client/adapters/collection.ts';
import { openedPouch } from '../../../src/client/adapters/pouch-opened.ts';
import { pouchAttachments } from '../../../src/client/adapters/pouch-attachments.ts';
import { pouchTransform } from '../../../src/client/adapters/pouch.ts';
import { quarantineOf } from '../../../src/client/adapters/quarantine.ts';
import { Database, startCouch } from '../../servers/couch.ts';
import type { SyncServer } from '../../servers/server.ts';
import { createTestSealwright, type TestSealwright } from '../../../extension/testing/testing.ts';
import { errorOf } from '../../support/outcomes.ts';

const SECRET = 'the river bends';
const TEXT = 'Meet me at nine';
type Db = InstanceType<typeof Database>;

/* PouchDB with a real server, over the extension in memory. */
describe('sealed databases of PouchDB', () => {
  let server: SyncServer;
  let test: TestSealwright;
  let count = 0;
  const local = (name: string) => new Database(`${name} ${count}`, { adapter: 'memory' });
  const remote = (name: string) => new Database(`http://127.0.0.1:${server.port}/couch/${name}`);
  const collection = () => sealedCollection(test.sealwright, 'letters');
  const texts = async (database: Db) =>
    (await database.allDocs({ include_docs: true })).rows.map(({ doc }) => doc['text']);
  const toData = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());
  const attachmentsOf = (db: Db) => pouchAttachments(db, test.sealwright, { toData });

  before(async () => {
    server = await startCouch('sealed', 'leaking', 'attached', 'opened', 'refused');
    test = await createTestSealwright();
    const purpose = 'Keep letters private';
    await test.sealwright.connect({ purpose, capabilities: ['seal', 'open'] });
    await test.sealwright.connect({
      purpose,
      key: { kind: 'sync', label: 'Letters', collections: ['letters'] },
      capabilities: ['sync'],
    });
  });
  beforeEach(() => count++);
  after(() => server.close());

  describe('replication with pouchTransform', () => {
    it('stores local databases in the clear and only ciphertext on the server', async () => {
      const [here, there] = [local('here'), local('there')];
      await here.put({ _id: 'a', text: TEXT });
      for (const database of [here, there]) {
        const sealed = remote('sealed');
        pouchTransform(sealed, collection());
        await database.sync(sealed);
      }
      expect(await texts(here)).to.deep.equal([TEXT]);
      expect(await texts(there)).to.deep.equal([TEXT]);
      const stored = (await server.stored()).toString();
      expect(stored).to.include('"payload"');
      expect(stored).to.not.include(TEXT);
    });

    it('refuses a local database, which would leak', async () => {
      const leaking = local('leaking-here');
      const hooks: object[] = [];
      // The transform of a remote handle, as if pouchTransform had accepted this database.
      pouchTransform({ type: () => 'http', transform: (made) => hooks.push(made) }, collection());
      leaking.transform(hooks[0]!);
      await leaking.put({ _id: 'a', text: TEXT });
      await leaking.sync(remote('leaking'));
      expect((await server.stored()).toString()).to.include(TEXT);
      expect(() => pouchTransform(leaking, collection())).to.throw('in the clear');
    });
  });

  describe('pouchAttachments', () => {
    it('reach another device over a server that sees neither their content, name nor type', async () => {
      const [here, there] = [local('here'), local('there')];
      const photo = new Blob([`${SECRET} `.repeat(20_000)], { type: 'image/x-secret' });
      await here.put({ _id: 'letter', text: 'Dear Ada' });
      await attachmentsOf(here).put('letter', 'secret photo.jpg', photo);
      await attachmentsOf(here).put('letter', 'empty', new Blob([]));
      for (const db of [here, there]) {
        const sealed = remote('attached');
        pouchTransform(sealed, collection());
        await db.sync(sealed);
      }
      expect(await attachmentsOf(there).list('letter')).to.deep.equal([
        { name: 'secret photo.jpg', type: 'image/x-secret', size: photo.size },
        { name: 'empty', type: '', size: 0 },
      ]);
      const opened = (await attachmentsOf(there).get('letter', 'secret photo.jpg'))!;
      expect(opened.type).to.equal('image/x-secret');
      expect(await opened.text()).to.equal(await photo.text());
      expect(await (await attachmentsOf(there).get('letter', 'empty'))!.text()).to.equal('');
      expect(await there.get('letter')).to.include({ text: 'Dear Ada' });
      const stored = (await server.stored()).toString('latin1');
      expect(stored).to.include('application/vnd.sealwright.sealed');
      // With characters that no Base64 has: a million random digits hold each short word now and then.
      expect(stored).to.not.match(/the river|secret photo|x-secret|Dear Ada/);
      for (const shift of ['', 'x', 'xx']) {
        const digits = Buffer.from(shift + SECRET)
          .toString('base64')
          .slice(4, -4);
        expect(stored.includes(digits)).to.equal(false);
      }
    });

    it('are replaced, removed, and missed', async () => {
      const db = local('changes');
      const attachments = attachmentsOf(db);
      await attachments.put('new', 'a', new Blob(['one']));
      await attachments.put('new', 'b', new Blob(['other']));
      await attachments.put('new', 'a', new Blob(['two'], { type: 'text/plain' }));
      expect(await (await attachments.get('new', 'a'))!.text()).to.equal('two');
      expect(Object.keys((await db.get('new'))['_attachments'] as object)).to.have.length(2);
      await attachments.remove('new', 'a');
      await attachments.remove('new', 'never there');
      expect(await attachments.get('new', 'a')).to.equal(undefined);
      expect(await (await attachments.get('new', 'b'))!.text()).to.equal('other');
      expect(await attachments.list('new')).to.have.length(1);
      expect(await errorOf(attachments.get('missing', 'a'))).to.include({ status: 404 });
    });

    it('are bound to their document and version', async () => {
      const db = local('bound');
      const attachments = attachmentsOf(db);
      await attachments.put('one', 'a', new Blob(['old']));
      const old = await db.get('one', { attachments: true });
      await attachments.put('one', 'a', new Blob(['new']));
      await attachments.put('two', 'a', new Blob(['of two']));
      type Files = Record<string, { content_type: string; data: string }>;
      const [oldFile] = Object.values(old['_attachments'] as Files);
      const [twoFile] = Object.values(
        (await db.get('two', { attachments: true }))['_attachments'] as Files,
      );
      const now = await db.get('one');
      const [name] = Object.keys(now['_attachments'] as Files);
      for (const file of [oldFile!, twoFile!]) {
        const { _rev } = await db.get('one');
        const { content_type, data } = file;
        await db.put({ ...now, _rev, _attachments: { [name!]: { content_type, data } } });
        expect(await errorOf(attachments.get('one', 'a'))).to.include({ code: 'AUTH_FAILED' });
      }
    });

    it('are the only ones that a remote handle sends, and takes', async () => {
      const db = local('clear');
      await db.put({
        _id: 'x',
        text: 'with a file',
        _attachments: {
          'file.txt': { content_type: 'text/plain', data: Buffer.from(SECRET) },
        },
      });
      const sealed = remote('refused');
      pouchTransform(sealed, collection());
      const pushing = db.replicate.to(sealed, { retry: false });
      expect(await errorOf(pushing)).to.match(/pouchAttachments/);
      // Called sealed, but not sealed.
      for (const data of [
        Buffer.from(SECRET),
        Buffer.from(SECRET).toString('base64'),
        new Blob([SECRET]),
      ]) {
        const document = {
          _id: 'y',
          _attachments: { a: { content_type: 'application/vnd.sealwright.sealed', data } },
        };
        expect(await errorOf(sealed.put(document))).to.include({ code: 'ATTACHMENT' });
      }
      const direct = sealed.putAttachment('z', 'a.txt', Buffer.from(SECRET), 'text/plain');
      expect(await errorOf(direct)).to.include({ code: 'ATTACHMENT' });
      expect((await server.stored()).toString()).to.not.include(SECRET);
      // What the server added.
      await attachmentsOf(db).put('own', 'a', new Blob(['mine']));
      await db.replicate.to(sealed, { doc_ids: ['own'] });
      const raw = remote('refused');
      const { _rev } = await raw.get('own');
      await raw.putAttachment('own', 'evil.html', _rev, Buffer.from('<script>'), 'text/html');
      const there = local('there');
      await there.replicate.from(sealed, { doc_ids: ['own'] });
      // A revision of the server's own, whose content is that of the one before.
      const received = await there.get('own');
      expect(quarantineOf(received)).to.have.property('code', 'WRONG_PLACE');
      expect(received['_attachments'] ?? {}).to.not.have.property('evil.html');
    });
  });

  describe('openedPouch', () => {
    const connect = async (sealed: Db, options = {}) => {
      const opened = new Database(`opened ${count} ${Math.random()}`, { adapter: 'memory' });
      return { opened, connection: await openedPouch(sealed, opened, collection(), options) };
    };
    const found = async (db: Db, selector: object): Promise<unknown[]> => {
      const { docs } = await db.find({ selector });
      return docs.map((doc) => doc['text']).sort();
    };

    it('is queried in memory, and sealed on the disk', async () => {
      const sealed = local('disk');
      const first = await connect(sealed);
      await first.opened.bulkDocs([
        { _id: 'a', text: SECRET, done: false },
        { _id: 'b', text: 'Bread', done: true },
        { _id: 'c', text: 'Milk', done: true },
      ]);
      await first.connection.saved();
      expect(await found(first.opened, { done: true })).to.deep.equal(['Bread', 'Milk']);
      await first.opened.remove(await first.opened.get('c'));
      await first.opened.put({ ...(await first.opened.get('b')), text: 'Oat bread' });
      await first.connection.close();
      const { rows } = await sealed.allDocs({ include_docs: true });
      expect(rows.map(({ doc }) => Object.keys(doc).sort())).to.deep.equal(
        Array(2).fill(['_id', '_rev', 'payload']),
      );
      expect(JSON.stringify(rows)).to.not.match(/river|bread/i);
      const again = await connect(sealed);
      expect(await found(again.opened, { done: true })).to.deep.equal(['Oat bread']);
      expect(await found(again.opened, { text: { $regex: 'river' } })).to.deep.equal([SECRET]);
      await again.connection.close();
    });

    it('replicates sealed with a server, and shows what another device wrote', async () => {
      const [one, two] = [local('one'), local('two')];
      const here = await connect(one);
      const there = await connect(two);
      await here.opened.put({ _id: 'letter', text: SECRET });
      await here.connection.saved();
      await one.sync(remote('opened'));
      await two.sync(remote('opened'));
      while ((await found(there.opened, { text: SECRET })).length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect((await server.stored()).toString()).to.not.include('river');
      // Both change it: a conflict, as between any two databases.
      await there.opened.put({ ...(await there.opened.get('letter')), text: 'two' });
      await here.opened.put({ ...(await here.opened.get('letter')), text: 'one' });
      await there.connection.saved();
      await here.connection.saved();
      await two.sync(remote('opened'));
      await one.sync(remote('opened'));
      const conflicts = async () =>
        (await here.opened.get('letter', { conflicts: true }))['_conflicts'];
      while ((await conflicts()) === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(await conflicts()).to.have.length(1);
      await here.connection.close();
      await there.connection.close();
    });

    it('opens what it can, and quarantines the rest', async () => {
      const sealed = local('mixed');
      const first = await connect(sealed);
      await first.opened.bulkDocs([
        { _id: 'a', text: 'A' },
        { _id: 'b', text: 'B' },
      ]);
      await first.connection.close();
      const [a, b] = await Promise.all(['a', 'b'].map((id) => sealed.get(id)));
      await sealed.put({ ...a!, payload: b!['payload'] });
      await sealed.put({ _id: 'c', text: 'clear' });
      const reported: string[] = [];
      const onQuarantine = (id: string, { code }: { code: string }) =>
        reported.push(`${id} ${code}`);
      const again = await connect(sealed, { onQuarantine });
      expect(reported.sort()).to.deep.equal(['a AUTH_FAILED', 'c NOT_SEALED']);
      expect(quarantineOf(await again.opened.get('a'))).to.include({ code: 'AUTH_FAILED' });
      expect(await again.opened.get('b')).to.include({ text: 'B' });
      await again.connection.close();
    });

    it('refuses handles with which something could leave the device in the clear', async () => {
      const memory = local('memory');
      const asked = (sealed: Db, opened: Db) => openedPouch(sealed, opened, collection());
      expect(await errorOf(asked(remote('opened'), memory))).to.be.instanceOf(TypeError);
      expect(await errorOf(asked(memory, remote('opened')))).to.be.instanceOf(TypeError);
      expect(await errorOf(asked(memory, memory))).to.be.instanceOf(TypeError);
      // The handle of the app has no transform.
      const sealed = local('untouched');
      const { opened, connection } = await connect(sealed);
      await opened.put({ _id: 'a', text: SECRET });
      await connection.close();
      expect(JSON.stringify(await sealed.get('a'))).to.not.include('river');
    });

    it('does not open while the vault is locked', async () => {
      const sealed = local('locked');
      const first = await connect(sealed);
      await first.opened.put({ _id: 'a', text: 'A' });
      await first.connection.close();
      await test.user.lock();
      try {
        expect(String(await errorOf(connect(sealed)))).to.match(/locked/i);
      } finally {
        await test.user.unlock();
      }
    });
  });
});
