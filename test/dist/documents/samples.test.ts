import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { CLIENT_WORLDS, EXAMPLE_WORLDS, samplesIn, type World } from '../../support/samples/client-samples.ts';
import { RECIPE_OPTIONS, RECIPE_WORLDS, recipeModules } from '../../support/samples/recipe-samples.ts';
import { REFERENCE_WORLDS } from '../../support/samples/reference-samples.ts';
import type { Sample } from './run-samples.ts';

const BYTES = `Object.assign(globalThis, {
  iv: new Uint8Array(12), data: new Uint8Array(40), additionalData: new Uint8Array(3),
  keyBytes: new Uint8Array(32), info: new Uint8Array(4), salt: new Uint8Array(16), bytes: new Uint8Array(5),
});`;
/**
 * It replaces the `crypto.subtle` of its page, which here the extension in memory uses: test/browser/api/subtle-libraries.test.ts
 * runs it.
 */
const IN_BROWSERS = undefined;
/** test/consumers takes the configurations of Vite, Nuxt and Jest out of the page, and gives a page's `/wasm/` to a worker. */
const BY_CONSUMERS = undefined;
/** A server that has the modules. */
const SERVED_MODULES = `
  import { readFileSync } from 'node:fs';
  globalThis.location = { href: 'https://app.example/' };
  globalThis.fetch = async (url) => {
    const [, name] = /^https:\\/\\/app\\.example\\/assets\\/sealwright\\/([\\w.-]+)$/.exec(url);
    const headers = { 'content-type': 'application/wasm' };
    return new Response(readFileSync('dist/lib/wasm/' + name), { headers });
  };`;
const ENCRYPTS = `await (async () => {
  const key = await subtle.generateKey({ name: 'AES-OCB', length: 256 }, false, ['encrypt']);
  await subtle.encrypt({ name: 'AES-OCB', iv: new Uint8Array(12) }, key, new Uint8Array(9));
  return Reflect.deleteProperty(globalThis, 'location') && subtle.engineFor('AES-OCB', 9) === 'wasm-simd';
})()`;
const SUBTLE = `globalThis.subtle = sealwright.subtle;`;

/** What each sample of a page is given, in their order. */
const PAGES: Readonly<Record<string, readonly (string | World | undefined)[]>> = {
  'README.md': [`globalThis.upload = note;`, ``],
  'docs/reference.md': REFERENCE_WORLDS,
  'docs/bundlers.md': [
    { given: SERVED_MODULES, holds: ENCRYPTS },
    BY_CONSUMERS,
    BY_CONSUMERS,
    BY_CONSUMERS,
    {
      given: `import { createSubtle } from 'sealwright/subtle'; globalThis.createSubtle = createSubtle;`,
      holds: ENCRYPTS,
    },
    BY_CONSUMERS,
  ],
  'docs/client.md': CLIENT_WORLDS,
  ...RECIPE_WORLDS,
  ...EXAMPLE_WORLDS,
  'docs/library.md': [
    BYTES,
    BYTES,
    `import { blockCipher } from 'sealwright/classical';
    const [key, iv] = [new Uint8Array(32), new Uint8Array(16)];
    const cipher = await blockCipher('Serpent');
    const bytes = await cipher.encrypt('CBC', key, { iv, padding: 'pkcs7' }, new Uint8Array(9));
    Object.assign(globalThis, { key, iv, bytes });`,
    `import { sealMessage } from 'sealwright/format';
    const key = new Uint8Array(32);
    const sealing = { key, keyId: new Uint8Array(16), purpose: 'page' };
    const sealed = await sealMessage(sealing, new Uint8Array(9));
    sealed[sealed.length - 1] ^= 1;
    Object.assign(globalThis, { key, sealed, report: note });`,
  ],
  'docs/subtle.md': [BYTES, IN_BROWSERS, SUBTLE, SUBTLE, SUBTLE, IN_BROWSERS],
};

/** Pages whose samples other tests run, or show to be an app's own lines. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/adapters.md': 'test/dist/documents/adapter-docs.test.ts',
  'docs/e2e.md': 'test/browser/examples/e2e.test.ts',
  'docs/messages.md': 'test/dist/documents/message-docs.test.ts',
  'docs/sync.md': 'test/dist/documents/message-docs.test.ts',
  'docs/tutorial-notes.md': 'test/repo/documents/tutorial.test.ts',
};

/**
 * Packages as the samples import them, in the folder from which they do. Node gives the whole of a CommonJS package where
 * bundlers give its default export. Of PouchDB only its parts are installed, and its server's address is the test's.
 */
function addPackages(folder: string): void {
  const add = (name: string, code: string) => {
    const at = join(folder, 'node_modules', name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
    writeFileSync(join(at, 'index.js'), code);
  };
  const { resolve: fileOf } = createRequire(import.meta.url);
  for (const name of ['kinto', 'remotestoragejs']) {
    const url = pathToFileURL(fileOf(name)).href;
    add(name, `import all from '${url}'; export default all.default ?? all;`);
  }
  const parts = pathToFileURL('test/support/stores/pouchdb.ts').href;
  add(
    'pouchdb',
    `import PouchDB from '${parts}';
    const toServer = (url, init) =>
      fetch(url.replace('https://couch.example/notes', 'http://127.0.0.1:' + couch.port + '/couch/on-server'), init);
    export default PouchDB.defaults({ fetch: toServer });`,
  );
}

/** What TypeScript says of the samples of recipes, each a module with what it is given declared. */
function typeErrors(): string {
  // Below the project, so that the package is found by its name.
  const folder = mkdtempSync('dist/typed-samples-');
  try {
    const files = recipeModules();
    for (const [file, code] of Object.entries(files)) writeFileSync(join(folder, file), code);
    const tsconfig = { compilerOptions: RECIPE_OPTIONS, files: Object.keys(files) };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const tsc = ['node_modules/typescript/bin/tsc', '-p', folder];
    const { stdout, stderr } = spawnSync(process.execPath, tsc, { encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const allPages = ['.', 'docs', 'docs/recipes', ...readdirSync('examples').map((name) => `examples/${name}`)].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

describe('the samples of the documents', () => {
  let wrong: Record<string, string>;

  before(function () {
    this.timeout(120_000);
    // Below the project, so that Node finds the package by its name.
    const folder = mkdtempSync('dist/samples-');
    try {
      const samples: Sample[] = Object.entries(PAGES).flatMap(([page, given]) =>
        samplesIn(page).flatMap(({ language, code }, at) => {
          const before = given[at];
          if (before === undefined) return [];
          const world = typeof before === 'string' ? { given: before } : before;
          return [{ title: `${page} ${at + 1}`, code, isTyped: language === 'ts', ...world }];
        }),
      );
      addPackages(folder);
      const list = join(folder, 'samples.json');
      writeFileSync(list, JSON.stringify(samples));
      const words = ['--import', 'tsx', 'test/dist/documents/run-samples.ts', folder, list];
      wrong = JSON.parse(
        execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
          .trim()
          .split('\n')
          .at(-1)!,
      ) as Record<string, string>;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const [page, given] of Object.entries(PAGES)) {
    it(`run, those of ${page}`, () => {
      expect(samplesIn(page)).to.have.length(given.length);
      const ofPage = Object.entries(wrong).filter(([title]) => title.startsWith(`${page} `));
      expect(ofPage).to.deep.equal([]);
    });
  }

  it('are run here or by the test that is named for their page', () => {
    const pages = allPages.filter((name) => samplesIn(name).length > 0);
    expect(pages).to.have.members([...Object.keys(PAGES), ...Object.keys(ELSEWHERE)]);
    for (const [page, test] of Object.entries(ELSEWHERE)) {
      expect(readFileSync(test, 'utf8'), test).to.include(page);
    }
  });

  describe('of recipes', () => {
    const recipes = readdirSync('docs/recipes').filter((name) => name !== 'README.md');

    it('compile as strict TypeScript', function () {
      this.timeout(60_000);
      expect(typeErrors()).to.equal('');
      for (const name of recipes) {
        expect(samplesIn(join('docs/recipes', name)).map(({ language }) => language)).to.include('ts').and.not.include('js');
      }
    });

    it('stand on pages of at most 80 lines, which say what goes wrong and are in the index', () => {
      const index = readFileSync('docs/recipes/README.md', 'utf8');
      for (const name of recipes) {
        const text = readFileSync(join('docs/recipes', name), 'utf8');
        expect(text.split('\n'), name).to.have.length.at.most(81);
        expect(text, name).to.include('What goes wrong:');
        expect(index).to.include(`(${name}`);
      }
    });
  });

  it('are in no other language, but for two that test/dist/documents/client-docs.test.ts renders, commands and data', () => {
    const others = allPages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/^```(\S+)\n/gm)]
        .map(([, language]) => language!)
        .filter((language) => !['js', 'ts', 'sh', 'json', 'text'].includes(language))
        .map((language) => `${page}: ${language}`),
    );
    expect(others).to.deep.equal(['docs/client.md: jsx', 'docs/client.md: svelte']);
  });
});
