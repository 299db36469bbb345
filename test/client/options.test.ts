import { expect } from 'chai';
import * as adapters from '../../src/client/adapters.ts';
import * as library from '../../src/client/library.ts';
import { sealedLength } from '../../src/library/format.ts';
import { FakeProvider } from './fake-provider.ts';
import { errorOf } from '../support/outcomes.ts';

const sealwright = new FakeProvider().api;
const notes = library.sealedCollection(sealwright, 'notes');
const { port1 } = new MessageChannel();
after(() => port1.close());
const remote = { type: () => 'http', transform: () => undefined };
const [local, memory] = ['leveldb', 'memory'].map((adapter) => ({
  adapter,
  name: adapter,
  type: () => adapter,
}));
/** The names are wrong for each function; types forbid them. */
const WRONG = { contxt: 'note 7' } as never;

/** Each function that has options of its own, with one that does not exist. */
const CALLS: Readonly<Record<string, () => unknown>> = {
  connectSealwright: () =>
    library.connectSealwright({ purpose: 'Try it.', capabilities: ['seal'] }, WRONG),
  findSealwright: () => library.findSealwright(WRONG),
  firefoxSyncCodec: () => library.firefoxSyncCodec(sealwright, WRONG),
  indexedDbSealedStore: () => library.indexedDbSealedStore(sealwright, WRONG),
  kintoTransformer: () => library.kintoTransformer(notes, WRONG),
  pouchTransform: () => library.pouchTransform(remote, notes, WRONG),
  remoteStorageClient: () => library.remoteStorageClient({} as never, notes, WRONG),
  sealedCollection: () => library.sealedCollection(sealwright, 'notes', WRONG),
  sealwrightOver: () => library.sealwrightOver(port1, WRONG),
  serveSealwright: () => library.serveSealwright(sealwright, port1, WRONG),
  watchSealwright: () => library.watchSealwright(WRONG),
  automergeDocument: () => adapters.automergeDocument({} as never, sealwright, WRONG),
  automergeStorage: () => adapters.automergeStorage({} as never, sealwright, WRONG),
  blindIndexer: () => adapters.blindIndexer(sealwright, 'email', WRONG),
  collectionWithHeads: () => adapters.collectionWithHeads(sealwright, 'notes', {} as never, WRONG),
  dexieSealedFields: () => adapters.dexieSealedFields({} as never, sealwright, WRONG),
  openedPouch: () => adapters.openedPouch(local as never, memory as never, notes, WRONG),
  pouchAttachments: () => adapters.pouchAttachments({} as never, sealwright, WRONG),
  pouchHeads: () => adapters.pouchHeads(WRONG),
  remoteStorageHeads: () => adapters.remoteStorageHeads({} as never, WRONG),
  rxSealedStorage: () => adapters.rxSealedStorage(sealwright, WRONG),
  yjsDocument: () => adapters.yjsDocument({} as never, sealwright, WRONG),
};
/** `sealedBody` and the two that open give theirs to the extension, which refuses them (INVALID_ARGUMENT). */
const WITHOUT = [
  ...['explain', 'isSealwrightError', 'onSealwright', 'quarantineOf', 'SealwrightClientError'],
  ...['sealedBody', 'openedBody', 'openedResponse', 'kintoHeads'],
];

/** Each function that takes the provider or a collection, with something else in its place. */
const PLACES: Readonly<Record<string, (given: never) => unknown>> = {
  sealedCollection: (given) => library.sealedCollection(given, 'notes'),
  firefoxSyncCodec: (given) => library.firefoxSyncCodec(given),
  indexedDbSealedStore: (given) => library.indexedDbSealedStore(given, { name: 'notes' }),
  automergeDocument: (given) =>
    adapters.automergeDocument({} as never, given, { document: 'note 7' }),
  automergeStorage: (given) => adapters.automergeStorage({} as never, given),
  blindIndexer: (given) => adapters.blindIndexer(given, 'email'),
  collectionWithHeads: (given) => adapters.collectionWithHeads(given, 'notes', {} as never),
  dexieSealedFields: (given) => adapters.dexieSealedFields({} as never, given, { tables: {} }),
  pouchAttachments: (given) => adapters.pouchAttachments({} as never, given),
  rxSealedStorage: (given) => adapters.rxSealedStorage(given, {} as never),
  yjsDocument: (given) => adapters.yjsDocument({} as never, given, { document: 'note 7' }),
};
const COLLECTION_PLACES: Readonly<Record<string, (given: never) => unknown>> = {
  kintoTransformer: (given) => library.kintoTransformer(given),
  openedPouch: (given) => adapters.openedPouch(local as never, memory as never, given),
  pouchTransform: (given) => library.pouchTransform(remote, given),
  remoteStorageClient: (given) => library.remoteStorageClient({} as never, given),
};

describe('another object in the place of the provider or of a collection', () => {
  const OTHERS = [undefined, null, {}, 7, 'sealwright', () => undefined];
  for (const [name, call] of Object.entries(PLACES)) {
    it(`is refused by ${name}, which says what to pass`, async () => {
      for (const other of [...OTHERS, notes]) {
        const error = await errorOf(Promise.resolve().then(() => call(other as never)));
        expect(error, typeof other).to.be.an.instanceOf(TypeError);
        expect((error as TypeError).message).to.match(/^sealwright: expected the provider/);
      }
    });
  }
  for (const [name, call] of Object.entries(COLLECTION_PLACES)) {
    it(`is refused by ${name}, also where it is the provider`, async () => {
      for (const other of [...OTHERS, sealwright]) {
        const error = await errorOf(Promise.resolve().then(() => call(other as never)));
        expect(error, typeof other).to.be.an.instanceOf(TypeError);
        expect((error as TypeError).message).to.match(/^collection: expected sealedCollection\(/);
      }
    });
  }
});

describe('an option that does not exist', () => {
  it('is tried with every function of the client and of the adapters that has options', () => {
    const functions = Object.entries({ ...library, ...adapters })
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => name);
    expect(functions).to.have.members([...Object.keys(CALLS), ...WITHOUT]);
  });

  for (const [name, call] of Object.entries(CALLS)) {
    it(`is refused by ${name}, by its name`, async () => {
      const error = await errorOf(Promise.resolve().then(() => call()));
      expect(error).to.be.an.instanceOf(TypeError);
      expect((error as TypeError).message).to.match(/^options\.contxt: no such option \(\w/);
    });
  }

  it('is refused among those of a table, whose fields would stay in the clear', () => {
    const tables = { people: { seal: ['notes'] } } as never;
    const call = () => adapters.dexieSealedFields({} as never, sealwright, { tables });
    expect(call).to.throw(TypeError, 'options.seal: no such option (sealed, blind)');
  });

  it('is refused by sealedLength of sealwright/format', () => {
    expect(() => sealedLength(3, { padded: true } as never)).to.throw(TypeError, 'options.padded');
    expect(sealedLength(3, { pad: true })).to.be.above(sealedLength(3));
  });
});
