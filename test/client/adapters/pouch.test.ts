import { expect } from 'chai';
import sinon from 'sinon';
import { sealedCollection } from '../../../src/client/adapters/collection.ts';
import { pouchTransform } from '../../../src/client/adapters/pouch.ts';
import type { PouchDocument, TransformableDatabase } from '../../../src/client/adapters/pouch.ts';
import { quarantineOf } from '../../../src/client/adapters/quarantine.ts';
import { FakeProvider } from '../fake-provider.ts';
import { errorOf } from '../../support/outcomes.ts';

type Hooks = Parameters<TransformableDatabase['transform']>[0];
const DOC = { _id: 'n1', _rev: '1-a', id: 'its own', text: 'Meet me at nine' };

describe('pouchTransform', () => {
  let provider: FakeProvider;
  let hooks: Hooks;
  const database = (type: string) => ({ type: () => type, transform: sinon.spy() });

  beforeEach(() => {
    provider = new FakeProvider();
    const remote = database('http');
    pouchTransform(remote, sealedCollection(provider.api, 'notes'));
    hooks = remote.transform.args[0]![0] as Hooks;
  });

  for (const adapter of ['idb', 'memory', 'leveldb']) {
    it(`refuses a local database (${adapter}) with the reason`, () => {
      const local = database(adapter);
      expect(() => pouchTransform(local, sealedCollection(provider.api, 'notes')))
        .to.throw(/everything would go to the server in the clear.*remote handle/)
        .with.property('code', 'LOCAL_DATABASE');
      expect(local.transform.called).to.equal(false);
    });
  }

  it('says what is missing where the plugin is', () => {
    const plain = { info: () => Promise.resolve({}) };
    expect(() => pouchTransform(plain, sealedCollection(provider.api, 'notes'))).to.throw(
      TypeError,
      'PouchDB.plugin(transformPouch)',
    );
  });

  it('seals all members but CouchDB’s own, and returns them', async () => {
    const deleted = { ...DOC, _deleted: true, _revisions: { start: 1, ids: ['a'] } };
    const sealed = await hooks.incoming(deleted);
    expect(sealed).to.have.all.keys('_id', '_rev', '_deleted', '_revisions', 'payload');
    expect(JSON.stringify(sealed)).to.not.match(/Meet|its own/);
    expect(await hooks.outgoing(sealed)).to.deep.equal(deleted);
  });

  it('gives a document without an id a new one, to which it is bound', async () => {
    const sealed = await hooks.incoming({ text: 'x' });
    expect(sealed._id).to.match(/^[\da-f-]{36}$/);
    expect(await hooks.outgoing(sealed)).to.deep.equal({ _id: sealed._id, text: 'x' });
  });

  it('sends no attachments, and ignores those that the server added', async () => {
    const _attachments = { 'a.txt': { content_type: 'text/plain', data: 'TWVldA==' } };
    expect(await errorOf(hooks.incoming({ ...DOC, _attachments }))).to.include({
      code: 'ATTACHMENT',
    });
    const sealed = await hooks.incoming({ ...DOC, _attachments: {} });
    expect(sealed).to.not.have.property('_attachments');
    expect(await hooks.outgoing({ ...sealed, _attachments })).to.deep.equal(DOC);
  });

  it('quarantines documents that the server swapped or added, and its design documents', async () => {
    const [a, b] = await Promise.all(
      ['n1', 'n2'].map((_id) => hooks.incoming({ ...DOC, _id, text: _id })),
    );
    const design = { _id: '_design/evil', views: { all: { map: 'function () { steal() }' } } };
    const pulled = await Promise.all(
      [{ ...a!, payload: b!['payload'] }, b!, design].map((one) => hooks.outgoing(one)),
    );
    expect(pulled.map((one) => quarantineOf(one)?.code)).to.deep.equal([
      'AUTH_FAILED',
      undefined,
      'NOT_SEALED',
    ]);
    expect(pulled[2]).to.not.have.property('views');
  });

  it('seals a quarantine that an app brought with what is not sealed', async () => {
    const members = { ciphertext: 'AAAA', IV: 'A'.repeat(22), hmac: 'a'.repeat(64), more: 'Meet' };
    for (const sealed of [
      { payload: 'Meet me at nine' },
      { text: 'Meet me at nine' },
      { payload: JSON.stringify(members) },
    ]) {
      const foreign = { _id: 'n1', sealwrightQuarantine: { code: 'NEEDS_KEY', sealed } };
      const pushed = await hooks.incoming(foreign);
      expect(pushed).to.have.all.keys('_id', 'payload');
      expect(JSON.stringify(pushed)).to.not.include('Meet');
      expect(await hooks.outgoing(pushed)).to.deep.equal(foreign);
    }
  });

  it('quarantines a document whose content the server took away, or took from an older revision', async () => {
    const replicated = (start: number, text: string) =>
      hooks.incoming({ ...DOC, _rev: `${start}-a`, _revisions: { start, ids: ['a'] }, text });
    const [old, now] = [await replicated(1, 'old'), await replicated(2, 'now')];
    expect(await hooks.outgoing(now)).to.include({ text: 'now' });
    expect(await hooks.outgoing(old)).to.include({ text: 'old' });
    const code = async (document: PouchDocument) =>
      quarantineOf(await hooks.outgoing(document))?.code;
    expect(await code({ ...old, _rev: '3-a' })).to.equal('WRONG_PLACE');
    expect(await code({ ...now, payload: undefined })).to.equal('NOT_SEALED');
    // CouchDB gives the revision to what is written without one.
    const written = await hooks.incoming(DOC);
    expect(await code({ ...written, _rev: '2-b' })).to.equal(undefined);
  });

  it('sends a quarantined document back unchanged', async () => {
    const sealed: PouchDocument = { ...(await hooks.incoming(DOC)), _id: 'n9' };
    const quarantined = await hooks.outgoing(sealed);
    expect(quarantineOf(quarantined)).to.have.property('code', 'AUTH_FAILED');
    expect(await hooks.incoming(quarantined)).to.deep.equal(sealed);
  });
});
