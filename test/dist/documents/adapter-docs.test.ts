import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { IDBKeyRange, indexedDB } from 'fake-indexeddb';
import type * as Testing from '../../../extension/testing/testing.ts';
import { adapterSamples } from '../../support/samples/adapter-samples.ts';

/* The samples of docs/adapters.md are whole programs: they run over the built library and the real libraries. */

/** By its section: what is asked of the sample's constants, and what it has to be. */
const RESULTS: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  'Records that a server leaves out': [
    ['[before.ok, before.pending, after.ok, after.missing]', [true, [], false, ['n1']]],
  ],
  Yjs: [['[text, server.updates.length]', ['Meet me at nine', 1]]],
  Automerge: [
    [
      '[doc.items, quarantined, compacted.stored.snapshots.length, compacted.stored.updates]',
      [['milk'], [], 1, []],
    ],
    ['handle.doc().items', ['milk']],
  ],
  Dexie: [
    ['[ada.notes, ada.email, londoners.length]', ['likes trains', 'ada@example.org', 1]],
  ],
  RxDB: [['found.notes', 'likes trains']],
  'Equality search': [['[isFound, row.emailIndex.length]', [true, 43]]],
  'Attachments of CouchDB': [
    ['[await photo.text(), list]', ['…', [{ name: 'photo.jpg', type: 'image/jpeg', size: 3 }]]],
  ],
  'A local database that can be queried': [['docs.map((doc) => doc.text)', ['Meet me at nine']]],
};

describe('docs/adapters.md', () => {
  const samples = adapterSamples();
  const world = globalThis as Record<string, unknown>;
  let folder: string;

  before(() => {
    // Below the project, so that Node finds the libraries.
    folder = mkdtempSync('dist/adapter-docs-');
    Object.assign(world, { indexedDB, IDBKeyRange });
  });
  after(() => {
    rmSync(folder, { recursive: true });
    for (const name of ['indexedDB', 'IDBKeyRange']) Reflect.deleteProperty(world, name);
  });

  it('has samples, each of which runs here or in test/browser/api/adapters.test.ts', () => {
    const places = [...samples].map(([section, { length }]) => [section, length]);
    const here = Object.entries(RESULTS).map(([section, { length }]) => [section, length]);
    expect(places).to.deep.equal([...here, ['A sealed video in a page', 2]]);
  });

  for (const [section, results] of Object.entries(RESULTS)) {
    results.forEach(([asked, expected], i) => {
      it(`runs its sample ${i + 1} of ${section}`, async () => {
        const { createTestSealwright } = await builtTesting();
        const remove = (await createTestSealwright()).install();
        try {
          const contents = `${samples.get(section)![i]!}\nexport const result = ${asked};`;
          const { result } = await program(join(folder, `${section}-${i}.mjs`), contents);
          expect(result).to.deep.equal(expected);
        } finally {
          remove();
        }
      });
    });
  }

  async function builtTesting(): Promise<typeof Testing> {
    const name: string = 'sealwright/testing';
    return (await import(name)) as typeof Testing;
  }

  async function program(file: string, contents: string): Promise<{ readonly result: unknown }> {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: '.' },
      bundle: true,
      format: 'esm',
      packages: 'external',
      // Of PouchDB only its parts are installed.
      alias: { pouchdb: resolve('test/support/stores/pouchdb.ts') },
      write: false,
      logLevel: 'silent',
    });
    writeFileSync(file, outputFiles[0]!.text);
    return (await import(pathToFileURL(resolve(file)).href)) as { result: unknown };
  }
});
