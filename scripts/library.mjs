/*
 * Builds dist/lib: the library and the command, as modules that share what several of them need. One build of all
 * entries has each source once; a chunk that entries share is named after its largest source. Each module of
 * WebAssembly is a script, which needs no rule of a bundler for files.
 *
 *     node scripts/library.mjs
 */
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { tsImport } from 'tsx/esm/api';
import { EVALUATED, sourceOf } from './evaluated.mjs';
import { NOTICES, noticesText } from './notices.mjs';

const { makeWasm, packedModule } = await tsImport('./make-wasm.ts', import.meta.url);

const TARGET = 'dist/lib';
const WASM = 'dist/wasm';

/** By the name of the script in dist/lib. */
const ENTRIES = {
  client: 'src/client/library.ts',
  adapters: 'src/client/adapters.ts',
  react: 'src/client/react.ts',
  subtle: 'src/library/subtle.ts',
  algorithms: 'src/library/algorithms.ts',
  bigint: 'src/library/bigint.ts',
  classical: 'src/library/classical.ts',
  legacy: 'src/library/legacy.ts',
  format: 'src/library/format.ts',
  random: 'src/library/random.ts',
  sharing: 'src/library/sharing.ts',
  errors: 'src/library/errors.ts',
  sync: 'src/library/sync.ts',
  testing: 'extension/testing/testing.ts',
  cli: 'src/cli/main.ts',
  // A worker's.
  'threads-worker': 'src/engine/threads/worker.ts',
  // Imported at their first use.
  webgpu: 'src/engine/webgpu/webgpu.ts',
  webgl: 'src/engine/webgl/webgl.ts',
  threads: 'src/engine/threads/threads.ts',
  'post-quantum': 'src/engine/js/post-quantum.ts',
};

/** `wasm:NAME` is the module NAME, compressed: src/engine/wasm/packed-modules.d.ts. */
export const PACKED_MODULES = {
  name: 'packed-modules',
  setup(bundler) {
    const namespace = 'wasm';
    bundler.onResolve({ filter: /^wasm:/ }, ({ path }) => ({
      path: path.slice('wasm:'.length),
      namespace,
      sideEffects: false,
    }));
    bundler.onLoad({ filter: /./, namespace }, ({ path }) => {
      return { contents: packedModule(readFileSync(`${WASM}/${path}.wasm`)) };
    });
  },
};

const EVALUATED_MODULES = {
  name: 'evaluated',
  setup(bundler) {
    bundler.onLoad({ filter: EVALUATED }, async ({ path }) => ({
      contents: sourceOf({ ...(await tsImport(path, import.meta.url)) }),
    }));
  },
};

/**
 * What the manager's screens alone ask of the background: the extension in memory has no screens, and a stranger downloads
 * it with every install. Such methods have no implementation there.
 */
const LEFT_OUT = {
  'src/service/files/ui.ts': 'export const uiFileMethods = () => ({});',
  'src/service/sharing/ui-recovery.ts': 'export const uiRecoveryMethods = () => ({});',
  'src/service/sharing/recovery-friends.ts': 'export class FriendsRecovery {}',
  'src/service/vault/ui-pairing.ts': 'export const uiPairingMethods = () => ({});',
  'src/service/exchange/ui-arrival.ts': 'export const uiArrivalMethods = () => ({});',
  'src/service/exchange/ui-device-files.ts': 'export const uiDeviceFilesMethods = () => ({});',
  'src/service/exchange/ui-medium.ts': 'export const uiMediumMethods = () => ({});',
  'src/service/vault/ui-members.ts': 'export const uiMembersMethods = () => ({});',
  'src/service/vault/member-notes.ts': 'export const joinedIn = async () => [];',
  'src/service/vault/removed-devices.ts': 'export const removedDevicesMethods = () => ({});',
  'src/service/vault/openers.ts': `const none = async () => undefined;
    export { none as codeMember, none as noteEnteredCode, none as passkeyMember };`,
  'src/keys/recovery/recovery-file.ts':
    'export const isRecoveryFile = () => false; export const openRecoveryFile = undefined;',
};

const WITHOUT_SCREENS = {
  name: 'without-screens',
  setup(bundler) {
    bundler.onLoad({ filter: /\/src\/(?:keys|service)\/.*\.ts$/ }, ({ path }) => {
      const contents = LEFT_OUT[relative('.', path)];
      return contents === undefined ? undefined : { contents };
    });
  },
};

/** How the extension's build is to load them, which is nothing to the bundlers of apps. */
const OTHER_BUILDS = /\s*\/\* webpack(?:Mode|ChunkName): .*? \*\/\s*/g;

/** Nothing happens when a module of the package is loaded, so that no bundler has to load one for it. */
const BARE_IMPORTS = /^import "\.\/[\w-]+\.js";\n/gm;

/** @returns the text of each script of dist/lib by its path there, and the sources that are in it */
export async function bundleLibrary() {
  const modules = readdirSync(WASM).map((file) => basename(file, '.wasm'));
  const { outputFiles, metafile } = await build({
    entryPoints: {
      ...ENTRIES,
      ...Object.fromEntries(modules.map((name) => [`wasm/${name}`, `wasm:${name}`])),
    },
    outdir: TARGET,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['module', 'main'],
    // The app's own.
    external: ['react', 'node:*'],
    charset: 'utf8',
    // Modules are named by their place in this project, also where node_modules is a link elsewhere.
    preserveSymlinks: true,
    plugins: [PACKED_MODULES, EVALUATED_MODULES, WITHOUT_SCREENS],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const names = chunkNames(metafile);
  const scripts = new Map();
  for (const { path, text } of outputFiles) {
    const output = relative('.', path);
    const name = names.get(output) ?? relative(TARGET, output);
    const named = text
      .replace(/(?<=["'.]\/)chunk-\w+\.js/g, (chunk) => names.get(join(TARGET, chunk)))
      .replace(OTHER_BUILDS, '')
      .replace(BARE_IMPORTS, '');
    const { inputs } = metafile.outputs[output];
    const sources = Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0);
    scripts.set(name, { text: await finished(name, named), sources });
  }
  return scripts;
}

/** The comments by which esbuild names the source of what follows. */
const SOURCE_NAMES = /^\/\/ (?:src|extension|node_modules)\/\S+$/m;

/**
 * What is run or imported whole: the command, the extension in memory for tests, and what is imported at its first use. No
 * bundler takes parts of them, for which it needs esbuild's notes on calls, so that they have no white space.
 */
const WHOLE = [
  ...['cli', 'testing', 'threads-worker', 'threads', 'webgpu', 'webgl', 'post-quantum'],
  // What the command and `sealwright/subtle`, which apps import whole, share with the extension in memory.
  ...['shared-backup-contents', 'shared-subtle'],
];

async function finished(name, text) {
  const script = WHOLE.includes(name.replace(/\.js$/, '')) ? await withoutWhiteSpace(text) : text;
  return name === 'cli.js' ? `#!/usr/bin/env node\n${script}` : script;
}

/** The statement that names what a script exports: esbuild refuses it apart from what it names. */
const EXPORTS = /\nexport \{[^}]*\};\n$/;

async function withoutWhiteSpace(text) {
  const [exported = ''] = EXPORTS.exec(text) ?? [];
  const script = text.replace(EXPORTS, '\n');
  const names = script.match(new RegExp(SOURCE_NAMES, 'gm')).map((comment) => `${comment}\n`);
  const parts = await Promise.all(
    script.split(SOURCE_NAMES).map((part) =>
      transform(part, {
        minifyWhitespace: true,
        format: 'esm',
        target: 'es2022',
        charset: 'utf8',
      }),
    ),
  );
  const packed = parts.map(({ code }, i) => code + (names[i] ?? '')).join('');
  return packed + exported.replace(/\s+/g, ' ').trim();
}

/** The name of each chunk: of the source that is imported later, or of its largest one, with as many of the folders above as make it the only one. */
function chunkNames({ outputs }) {
  const chunks = Object.entries(outputs)
    .filter(([path, { entryPoint }]) => entryPoint === undefined || /\/chunk-\w+\.js$/.test(path))
    .map(([path, { entryPoint, inputs }]) => ({ path, source: entryPoint ?? largest(inputs) }))
    .sort((one, other) => (one.source < other.source ? -1 : 1));
  const names = new Map();
  const taken = new Set();
  for (const { path, source } of chunks) {
    const parts = source.replace(/\.\w+$/, '').split('/');
    let words = 1;
    const nameOf = () => `shared-${parts.slice(-words).join('-')}.js`;
    while (taken.has(nameOf()) && words < parts.length) words++;
    if (taken.has(nameOf())) throw new Error(`two chunks of ${source}`);
    taken.add(nameOf());
    names.set(path, nameOf());
  }
  return names;
}

/** @param inputs of an output in esbuild's list */
function largest(inputs) {
  const [[path]] = Object.entries(inputs).sort(
    ([one, { bytesInOutput: a }], [other, { bytesInOutput: b }]) => b - a || (one < other ? -1 : 1),
  );
  return path;
}

/** Needs dist/wasm, which webpack.config.js makes. */
export async function buildLibrary() {
  const scripts = await bundleLibrary();
  rmSync(TARGET, { recursive: true, force: true });
  for (const [name, { text }] of scripts) {
    mkdirSync(dirname(join(TARGET, name)), { recursive: true });
    writeFileSync(join(TARGET, name), text);
  }
  chmodSync(join(TARGET, 'cli.js'), 0o755);
  const sources = [...scripts.values()].flatMap((script) => script.sources);
  writeFileSync(join(TARGET, NOTICES), noticesText(sources.map((path) => resolve(path))));
}

if (import.meta.filename === process.argv[1]) {
  await makeWasm(resolve(WASM));
  await buildLibrary();
}
