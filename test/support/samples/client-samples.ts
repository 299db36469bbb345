import { readFileSync } from 'node:fs';

/*
 * What each sample of docs/client.md and of the examples is given, in their order, and what has to become true after it. Both are
 * JavaScript, `holds` an expression that sees the sample's own names. `extension` is the extension in memory, whose API
 * is `sealwright`; see test/dist/documents/run-samples.ts.
 */
export interface World {
  readonly given: string;
  readonly holds: string;
}

/** @returns the samples of a document, in their order */
export const samplesIn = (page: string): { readonly language: string; readonly code: string }[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(js|ts)\n([^]*?)^```/gm)].map(
    ([, language, code]) => ({ language: language!, code: code! }),
  );

const CONNECTED = `await sealwright.connect({ purpose: 'Try it.', capabilities: ['seal', 'open'] });`;
const NOTES = `
  import { connectSealwright, sealedCollection } from 'sealwright';
  const connection = await connectSealwright({
    purpose: 'Try it.',
    key: { kind: 'sync', label: 'Notes', collections: ['notes', 'bookmarks'] },
    capabilities: ['sync'],
  });
  const notes = sealedCollection(connection.sealwright, 'notes', { key: connection.key });
  Object.assign(globalThis, { notes });`;
/** The browser's locks, which Node has from version 24 on. */
const LOCKS = `
  import { FakeLocks } from '../../test/client/fake-locks.ts';
  const value = { locks: new FakeLocks().api };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true });`;
const INDEXED_DB = `
  import { IDBKeyRange, indexedDB } from 'fake-indexeddb';
  Object.assign(globalThis, { IDBKeyRange, indexedDB });`;

export const CLIENT_WORLDS: readonly World[] = [
  {
    given: `globalThis.button = {};`,
    holds: `(await button.onclick()) === undefined && extension.user.prompts.length === 1`,
  },
  {
    given: `const app = { children: [{}, {}] };
      globalThis.document = { querySelector: (selector) => (selector === '#app' ? app : null) };`,
    holds: `(await button.onclick()) === undefined && Reflect.deleteProperty(globalThis, 'document')
      && /^The server gets sw1\\.\\S+, you get Meet me at nine$/.test(line.textContent)`,
  },
  {
    given: `${CONNECTED}
      Object.assign(globalThis, { banner: {}, connectButton: {}, showNotes: note });`,
    holds: `banner.textContent === explain('ready') && connectButton.hidden && calls[0][0] === sealwright`,
  },
  {
    // Of Vue.
    given: CONNECTED,
    holds: `(await import('vue')).effectScope()
      .run(() => useSealwright({ capabilities: ['seal'] })).value.name === 'looking'`,
  },
  { given: `uninstall();`, holds: `opened === 'Meet me at nine' && user.prompts.length === 2` },
  {
    given: `${LOCKS} ${CONNECTED}
      const { sealwrightOver } = await import('sealwright');
      globalThis.worker = { postMessage: ({ sealwright: port }) => note(sealwrightOver(port)) };`,
    holds: `(await (await calls[0][0]).sealText('x')).startsWith('sw1.')`,
  },
  {
    given: `${LOCKS} ${CONNECTED}
      const { serveSealwright } = await import('sealwright');
      const { port1, port2 } = new MessageChannel();
      serveSealwright(sealwright, port1);
      const before = addEventListener;
      globalThis.addEventListener = (type, listener) => {
        globalThis.addEventListener = before;
        if (type === 'message') note(listener({ data: { sealwright: port2 } }));
      };`,
    holds: `(await calls[0][0]) === undefined`,
  },
  {
    given: `${CONNECTED}
      const kept = [];
      const writable = new WritableStream({ write: (piece) => void kept.push(piece) });
      Object.assign(globalThis, {
        file: new Blob(['a photo']),
        handle: { createWritable: async () => writable },
        fetch: async () => new Response(new Blob(kept)),
      });`,
    holds: `(await photo.text()) === 'a photo'`,
  },
  { given: ``, holds: `opened.payload.text === 'Meet me at nine' && !payload.includes('nine')` },
  {
    // Of kinto.js, with a server that has one record.
    given: `${INDEXED_DB} ${NOTES}
      const record = { ...(await notes.seal({ id: 'n1', payload: { text: 'Meet me at nine' } })), last_modified: 1 };
      const answers = { '/v1/': { settings: {}, capabilities: {} }, records: { data: [record] } };
      globalThis.remote = 'https://kinto.example/v1';
      globalThis.fetch = async (url) => {
        const { pathname } = new URL(url);
        const body = pathname.endsWith('/records') ? answers.records : answers['/v1/'];
        const headers = { 'content-type': 'application/json', etag: '"1"', 'total-records': '1' };
        return new Response(JSON.stringify(body), { headers });
      };`,
    holds: `(await collection.list()).data[0].text === 'Meet me at nine'`,
  },
  {
    // Of PouchDB, with its own server.
    given: `${NOTES}
      import { startCouch } from '../../test/servers/couch.ts';
      import PouchDB from 'pouchdb';
      globalThis.couch = await startCouch('on-server'); // another name: both are in this process
      await new PouchDB('notes').put({ _id: 'n1', text: 'Meet me at nine' });`,
    holds: `!(await couch.stored()).includes('nine') && (await couch.stored()).includes('"n1"')`,
  },
  {
    given: NOTES,
    holds: `all.n1.text === 'Meet me at nine'`,
  },
  {
    // Of firefox-sync, with a server that has one bookmark. Keys of Firefox Sync are imported by the user, which the
    // extension in memory has no window for: this one has Sealwright's own format, and only counts crypto/keys.
    given: `${NOTES}
      import { createServer } from 'node:http';
      const bookmark = await sealedCollection(sealwright, 'bookmarks', { key: connection.key })
        .seal({ id: 'b1', payload: { id: 'b1', title: 'Ada' } });
      const server = createServer(({ url }, response) => {
        const found = url.startsWith('/storage/bookmarks?full=true') ? [bookmark] : { id: 'keys', payload: '{}' };
        response.end(JSON.stringify(found));
      }).listen(0, '127.0.0.1');
      await new Promise((done) => server.once('listening', done));
      const token = {
        id: 'i', key: 'k', hashalg: 'sha256', duration: 3600,
        api_endpoint: 'http://127.0.0.1:' + server.address().port,
      };
      const { sync } = sealwright;
      uninstall();
      Object.assign(globalThis, {
        key: connection.key,
        creds: { token, tokenIssuedAt: Date.now() },
        sealwright: {
          sync: {
            encryptRecords: (...words) => sync.encryptRecords(...words),
            decryptRecords: (...words) => sync.decryptRecords(...words),
            loadCollectionKeys: async (...words) => note(...words),
          },
        },
      });`,
    holds: `bookmarks[0].payload.title === 'Ada' && calls[0][0].id === 'keys'`,
  },
  {
    given: `${INDEXED_DB} ${CONNECTED}`,
    holds: `letter.text === 'Dear …' && letter.to === 'Ada'`,
  },
  {
    given: `${NOTES}
      import { kintoTransformer } from 'sealwright';
      const { decode } = kintoTransformer(notes);
      const records = [await decode({ id: 'n1', text: 'not sealed', last_modified: 1 })];
      Object.assign(globalThis, { records, markUnreadable: note });`,
    holds: `calls.length === 1 && calls[0][0] === 'n1' && calls[0][1] === 'NOT_SEALED'`,
  },
];

const FILE = `Object.assign(globalThis, {
  file: new File(['a long film'], 'film.txt'), signal: new AbortController().signal, onProgress: note,
});`;
const HANDLE = `const kept = [];
  const writable = new WritableStream({ write: (piece) => void kept.push(piece) });
  Object.assign(globalThis, { kept, handle: { createWritable: async () => writable } });`;

/** Those of the examples' own pages. */
export const EXAMPLE_WORLDS: Readonly<Record<string, readonly World[]>> = {
  'examples/demo/README.md': [
    {
      given: `const { log } = console;
        console.log = (...words) => {
          console.log = log;
          note(...words);
        };`,
      holds: `calls[0]?.[0] === 'Hello'`,
    },
  ],
  'examples/streams/README.md': [
    {
      given: `${CONNECTED} ${FILE} ${HANDLE}`,
      holds: `calls.length > 0
        && (await (await sealwright.openBlob(new Blob(kept), { context: 'film.txt' })).text()) === 'a long film'`,
    },
    {
      given: `${CONNECTED} ${FILE}
        globalThis.fetch = async (url, { body }) => note(await new Response(body).blob());`,
      holds: `(await (await sealwright.openBlob(calls[0][0])).text()) === 'a long film'`,
    },
    {
      given: `${CONNECTED} ${HANDLE}
        const sealed = await sealwright.sealBlob(new Blob(['a long film']));
        globalThis.fetch = async () => new Response(sealed);`,
      holds: `(await new Blob(kept).text()) === 'a long film'`,
    },
  ],
  'examples/worker/README.md': [
    {
      given: `${LOCKS} ${CONNECTED}
        import { sealwrightOver, serveSealwright } from 'sealwright';
        const worker = { postMessage: ({ data: port }) => note(sealwrightOver(port)) };
        Object.assign(globalThis, { serveSealwright, worker });`,
      holds: `(await (await calls[0][0]).sealText('x')).startsWith('sw1.')`,
    },
    {
      given: `${LOCKS} ${CONNECTED}
        import { sealwrightOver, serveSealwright } from 'sealwright';
        const { port1, port2: port } = new MessageChannel();
        serveSealwright(sealwright, port1);
        Object.assign(globalThis, { sealwrightOver, port });`,
      holds: `(await sealwright.sealText('x')).startsWith('sw1.')`,
    },
  ],
};
