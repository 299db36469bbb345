import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import {
  findCycle,
  mutableModuleState,
  orderOfFolders,
  readSources,
  roomsOf,
  type SourceFile,
} from './import-graph.ts';

/*
 * docs/architecture.md, "Layers": who may import whom. What is not listed is forbidden.
 * The linter checks a part of this in the editor; this test reads the whole graph.
 */
const CRYPTO = 'src/crypto/';
const ENGINE = 'src/engine/';
const RANDOM = 'src/random/';
const FORMAT = 'src/format/';
const RPC = 'src/rpc/';
const LAB = 'lab/';
const PLATFORM = 'extension/platform/';
const UI = 'extension/ui/';
const VIEWS = 'extension/views/';

const MAY_IMPORT: Record<string, readonly string[]> = {
  [CRYPTO]: [],
  [RPC]: [],
  [ENGINE]: [CRYPTO],
  [RANDOM]: [CRYPTO],
  'src/subtle/': [CRYPTO, ENGINE, RANDOM],
  'src/algorithms/': [CRYPTO, ENGINE],
  [FORMAT]: [CRYPTO, ENGINE, RANDOM],
  'src/keys/': [CRYPTO, ENGINE, RANDOM, FORMAT],
  'src/sync/': [CRYPTO, ENGINE, RANDOM, FORMAT],
  'src/library/': [CRYPTO, ENGINE, RANDOM, FORMAT, 'src/subtle/', 'src/algorithms/', 'src/sync/'],
  'src/client/': [RPC],
  // A page of the site and its worker: no folder of the extension may import it.
  'lab/page/': [LAB, UI, 'extension/platform/windows/chosen-words.ts', 'manifest.json'],
  'lab/worker.ts': [
    ...[LAB, CRYPTO, ENGINE, 'src/workshop/cards.ts'],
    'extension/platform/workers/engine-wasm.ts',
  ],
  [LAB]: [CRYPTO, ENGINE],
  // A file for people without the extension: no folder may import it.
  'open-page/': [
    ...[CRYPTO, ENGINE, FORMAT, UI],
    ...['src/keys/backup/backup-file.ts', 'src/keys/ring/age.ts'],
    'src/keys/unlock/recovery-code.ts',
    'src/release/drop-page.ts',
    'src/service/sharing/verification.ts',
    // It reads and seals files as the manager does, and shows them in its forms.
    ...['extension/content/bulk/blobs.ts', 'extension/content/bulk/blob-slices.ts'],
    ...['extension/manager/files/', 'extension/manager/forms/'],
    'extension/platform/windows/chosen-words.ts',
  ],
  'src/workshop/': [CRYPTO, ENGINE, RANDOM, RPC, FORMAT, 'src/subtle/', 'src/sync/'],
  'src/release/': [CRYPTO, ENGINE],
  'src/cli/': [CRYPTO, ENGINE, RANDOM, FORMAT, 'src/keys/', 'src/release/', 'package.json'],
  'src/service/': ['src/'],
  [PLATFORM]: ['src/'],
  'extension/page/': [
    RPC,
    'src/format/wire/sealed-length.ts',
    // A build puts values in the place of what is read from there (scripts/evaluated.mjs).
    'src/crypto/subtle/',
  ],
  'extension/content/': [RPC, PLATFORM, FORMAT, 'src/engine/native/'],
  // The extension in memory.
  'extension/testing/': ['src/', 'extension/page/', 'extension/content/'],
  // The extension in a browser, with the same user by script.
  'extension/test-zip/': ['src/rpc/', PLATFORM, 'extension/testing/'],
  // The English texts are the list of message keys.
  [UI]: [
    ...[RPC, PLATFORM, '_locales/en/messages.json'],
    'src/service/calls/registrable-domain.ts',
  ],
  [VIEWS]: [
    ...[RPC, PLATFORM, UI, 'src/engine/self-test/self-test.ts'],
    ...['src/release/digest-list.ts', 'src/format/recipients/age-text.ts'],
  ],
  'extension/popup/': [RPC, PLATFORM, UI, VIEWS],
  'extension/prompt/': [RPC, PLATFORM, UI],
  'extension/fields/': [
    ...[RPC, 'src/format/wire/find-armor.ts', 'src/format/wire/sealed-length.ts'],
    'src/format/wire/web-armor.ts',
    'extension/platform/fields/shadow-root.ts',
    'extension/platform/channels/rewritten.ts',
  ],
  'extension/fields-window/': [
    ...[RPC, PLATFORM, UI, VIEWS],
    ...['extension/fields/find/sealed-runs.ts', 'src/format/wire/web-armor.ts'],
    // What a text may be as sealed messages.
    ...['src/format/errors.ts', 'src/format/wire/armor.ts', 'src/format/wire/find-armor.ts'],
  ],
  // The same views in a tab, and more.
  'extension/manager/': [
    ...[RPC, PLATFORM, UI, VIEWS],
    // How files look that are chosen there.
    ...['src/keys/ring/age.ts', 'src/keys/backup/backup-file.ts'],
    'src/keys/recovery/recovery-file.ts',
    'extension/fields/find/sealed-runs.ts',
    // The words of groups' members.
    'src/service/sharing/verification.ts',
    // Its user's files are sealed and opened as the Blobs of pages are.
    ...[FORMAT, 'src/crypto/errors.ts', 'src/crypto/bytes.ts'],
    ...['src/crypto/aead/chacha20-poly1305.ts', 'src/release/drop-page.ts'],
    ...['extension/content/bulk/blobs.ts', 'extension/content/bulk/blob-slices.ts'],
  ],
};

/** Packages that a folder may use at all; all other folders use none. */
const MAY_USE: Record<string, RegExp> = {
  'lab/page/': /^(preact|lucide-preact)/,
  // `wasm:` and `packed:` are modules that scripts/open-page.mjs packs.
  'open-page/page.tsx': /^(preact|wasm:argon2$|packed:)/,
  'open-page/': /^(preact|lucide-preact)/,
  // `wasm:` is a module that scripts/library.mjs packs.
  [ENGINE]: /^(@noble\/(post-quantum|curves|hashes)\/|node:|wasm:)/,
  'src/algorithms/aead.ts': /^wasm:/,
  'src/library/cipher-modules.ts': /^wasm:/,
  'src/subtle/create-subtle.ts': /^wasm:/,
  // The public point of P-256, which Firefox does not compute.
  'src/workshop/signature.ts': /^@noble\/curves\/nist/,
  'src/cli/': /^node:/,
  // The peer of sealwright/react.
  'src/client/react.ts': /^react$/,
  'src/workshop/age.ts': /^age-encryption/,
  [PLATFORM]: /^webextension-polyfill/,
  'extension/test-zip/': /^webextension-polyfill$/,
  [UI]: /^(preact|lucide-preact|chart\.js)/,
  [VIEWS]: /^(preact|lucide-preact|@zxcvbn-ts\/)/,
  'extension/popup/': /^(preact|lucide-preact)/,
  'extension/prompt/': /^(preact|lucide-preact)/,
  'extension/fields/': /^$/,
  'extension/fields-window/': /^(preact|lucide-preact)/,
  // What the worker for pictures does.
  'extension/manager/forms/read-picture.ts': /^qr\/decode\.js$/,
  'extension/manager/': /^(preact|lucide-preact|uqr$|@zxcvbn-ts\/language-common$)/,
};

const files = readSources('src', 'extension', 'lab', 'open-page');

function layerOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((folder) => path.startsWith(folder));
}

describe('the layers', () => {
  it('are imported downwards only', () => {
    const wrong = files.flatMap(({ path, imports }) => {
      const layer = layerOf(path);
      if (layer === undefined) return [];
      const allowed = [layer, ...MAY_IMPORT[layer]!];
      return imports
        .filter((target) => !allowed.some((prefix) => target.startsWith(prefix)))
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('hold every file below src/', () => {
    const outside = files.filter(
      ({ path }) => /^(src|lab|open-page)\//.test(path) && !layerOf(path),
    );
    expect(outside.map(({ path }) => path)).to.deep.equal([]);
  });

  it('use only the packages that docs/dependencies.md gives them', () => {
    const wrong = files.flatMap(({ path, packages }) => {
      const folder = Object.keys(MAY_USE).find((prefix) => path.startsWith(prefix));
      const allowed = folder === undefined ? undefined : MAY_USE[folder];
      return packages.filter((name) => !allowed?.test(name)).map((name) => `${path} uses ${name}`);
    });
    expect(wrong.filter((line) => !line.startsWith('extension/entries/'))).to.deep.equal([]);
  });

  it('have no cycles', () => {
    expect(findCycle(files)).to.equal(undefined);
  });

  it('import only files that exist, by their full name', () => {
    const missing = files.flatMap(({ path, imports }) =>
      imports.filter((target) => !existsSync(target)).map((target) => `${path} imports ${target}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('have no barrels', () => {
    expect(files.filter(({ path }) => /\/index\.tsx?$/.test(path))).to.deep.equal([]);
  });

  it('keep no mutable state in modules: a worker may die at any moment', () => {
    const state = files.flatMap((file) =>
      mutableModuleState(file).map((s) => `${file.path}: ${s}`),
    );
    expect(state).to.deep.equal([]);
  });

  it('use the WebExtension API only in extension/platform, extension/entries and the test zip', () => {
    const API = `${PLATFORM}browser.ts`;
    const mayUse = (path: string) =>
      [PLATFORM, 'extension/entries/', 'extension/test-zip/'].some((folder) =>
        path.startsWith(folder),
      );
    const users = files.filter(
      ({ imports, packages, text }) =>
        imports.includes(API) ||
        packages.includes('webextension-polyfill') ||
        /^[^*/]*(\bchrome\??\.|\bglobalThis\.browser\b|\.chrome\b)/m.test(text),
    );
    expect(users.some(({ path }) => path.startsWith(PLATFORM))).to.equal(true);
    expect(users.map(({ path }) => path).filter((path) => !mayUse(path))).to.deep.equal([]);
  });

  it('name the browser, the DOM and its globals only in extension/', () => {
    const named = files
      .filter(({ path }) => path.startsWith('src/'))
      .filter(({ text }) => /^[^*/]*\b(document|window|chrome|browser)\.[a-z]/m.test(text));
    expect(named.map(({ path }) => path)).to.deep.equal([]);
  });
});

/** Folders with folders below them, in which the order of imports is fixed. */
const PARENTS = [
  ...new Set(files.flatMap(({ path }) => [dirname(dirname(path)), dirname(path)])),
].filter((folder) => /^(src|extension)\//.test(folder) && foldersIn(folder).length > 0);

function foldersIn(parent: string): SourceFile[] {
  return roomsOf(files, parent).filter(({ path }) => !/\.tsx?$/.test(path));
}

/** The imports that run against an order. */
function againstOrder(rooms: readonly SourceFile[], order: readonly string[]): string[] {
  return rooms.flatMap(({ path, imports }) =>
    imports
      .filter((target) => order.includes(path) && order.indexOf(target) > order.indexOf(path))
      .map((target) => `${path}/ imports ${target}/`),
  );
}

describe('the folders below a folder', () => {
  it('are found, and an import against the order is found', () => {
    expect(PARENTS).to.include.members(['src/keys', 'src/engine/wasm/generator', 'src/service']);
    const file = (path: string, ...runtimeImports: string[]): SourceFile => ({
      path,
      text: '',
      imports: [],
      runtimeImports,
      packages: [],
      runtimePackages: [],
    });
    const rooms = roomsOf(
      [file('a/b/x.ts', 'a/c/y.ts'), file('a/c/y.ts', 'a/d.ts'), file('a/d.ts', 'a/b/z.ts')],
      'a',
    );
    expect(againstOrder(rooms, ['c', 'b'])).to.deep.equal([]);
    expect(againstOrder(rooms, ['b', 'c'])).to.deep.equal(['b/ imports c/']);
    expect(findCycle(rooms)).to.deep.equal(['b', 'c', 'd.ts', 'b']);
  });

  it('make no circle, with the files beside them', () => {
    const circles = PARENTS.map((parent) => findCycle(roomsOf(files, parent)));
    expect(circles.filter((circle) => circle !== undefined)).to.deep.equal([]);
  });

  for (const parent of PARENTS) {
    const folders = foldersIn(parent);
    if (folders.length < 2) continue;
    it(`import those of ${parent} that stand before them in its README`, () => {
      const order = orderOfFolders(parent);
      expect([...order].sort()).to.deep.equal(folders.map(({ path }) => path).sort());
      expect(againstOrder(folders, order)).to.deep.equal([]);
    });
  }
});
