import { expect } from 'chai';
import { sealedCollection } from '../../../src/client/adapters/collection.ts';
import { pouchTransform } from '../../../src/client/adapters/pouch.ts';
import { Database, startCouch } from '../../servers/couch.ts';
import type { SyncServer } from '../../servers/server.ts';
import { FakeProvider } from '../fake-provider.ts';

const SECRET = 'Meet me at nine';

/* PouchDB replicating with a real server. */
describe('replication with pouchTransform', () => {
  let server: SyncServer;
  const provider = new FakeProvider();
  const collection = sealedCollection(provider.api, 'letters');
  const local = (name: string) => new Database(name, { adapter: 'memory' });
  const remote = (name: string) => new Database(`http://127.0.0.1:${server.port}/couch/${name}`);
  const texts = async (database: InstanceType<typeof Database>) =>
    (await database.allDocs({ include_docs: true })).rows.map(({ doc }) => doc['text']);

  before(async () => {
    server = await startCouch('sealed', 'leaking');
  });
  after(() => server.close());

  it('stores local databases in the clear and only ciphertext on the server', async () => {
    const [here, there] = [local('here'), local('there')];
    await here.put({ _id: 'a', text: SECRET });
    for (const database of [here, there]) {
      const sealed = remote('sealed');
      pouchTransform(sealed, collection);
      await database.sync(sealed);
    }
    expect(await texts(here)).to.deep.equal([SECRET]);
    expect(await texts(there)).to.deep.equal([SECRET]);
    const stored = (await server.stored()).toString();
    expect(stored).to.include('"payload"');
    expect(stored).to.not.include(SECRET);
  });

  it('refuses a local database, which would leak', async () => {
    const leaking = local('leaking-here');
    const hooks: object[] = [];
    // The transform of a remote handle, as if pouchTransform had accepted this database.
    pouchTransform({ type: () => 'http', transform: (made) => hooks.push(made) }, collection);
    leaking.transform(hooks[0]!);
    await leaking.put({ _id: 'a', text: SECRET });
    await leaking.sync(remote('leaking'));
    expect((await server.stored()).toString()).to.include(SECRET);
    expect(() => pouchTransform(leaking, collection)).to.throw('in the clear');
  });
});
