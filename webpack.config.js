import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import CopyPlugin from 'copy-webpack-plugin';
import { tsImport } from 'tsx/esm/api';
import { EVALUATED } from './scripts/evaluated.mjs';
import { Notices } from './scripts/notices.mjs';
import { FileNames, canonical } from './scripts/packed-files.mjs';
import { transpileAll } from './scripts/transpile.mjs';

/*
 * Three builds of one source: the extension for Chromium, the extension for Firefox, and the page of the
 * Lab (scripts/library.mjs builds the library). Output is readable (stores want to review it) and depends on nothing but the
 * sources and the lock file, so two builds of one commit are byte-equal (test/dist/build.test.ts).
 */
const here = (path) => resolve(import.meta.dirname, path);

// The modules of the WebAssembly engine, from their generators, before anything is bundled.
const { makeWasm, LIBRARY_MODULES } = await tsImport('./scripts/make-wasm.ts', import.meta.url);
await makeWasm(here('dist/wasm'));
const { PACKED_PAGE, PAGE_NAME } = await tsImport('./src/release/drop-page.ts', import.meta.url);
transpileAll();
const WASM_MODULES = { from: 'dist/wasm', to: 'wasm' };
/** No page, and no part of the extension, has a use for the library's own. */
const EXTENSION_WASM = {
  ...WASM_MODULES,
  globOptions: { ignore: LIBRARY_MODULES.map((name) => `**/${name}.wasm`) },
};
/** The Lab measures the old block ciphers. */
const LAB_WASM = {
  ...WASM_MODULES,
  globOptions: { ignore: ['**/aegis.*', '**/argon2.shared.*'] },
};

/** What each browser's manifest has beside manifest.json; permissions are added to those there. */
const MANIFEST_KEYS = {
  chromium: {
    // The first one that can close storage.local to content scripts.
    minimum_chrome_version: '140',
    background: { service_worker: 'background.js' },
    // A service worker has no workers: an offscreen document starts them.
    permissions: ['offscreen'],
    // Typed arrays cross extension messaging as they are (148 and later; base64 before).
    message_serialization: 'structured_clone',
  },
  firefox: {
    background: { scripts: ['background.js'] },
    permissions: [],
    browser_specific_settings: {
      gecko: {
        id: 'sealwright@sealwright.org',
        strict_min_version: '142.0',
        // Nothing is needed. What the browser's sync carries, where the person turns that on: extension/platform/windows/sync-consent.ts.
        data_collection_permissions: { required: ['none'], optional: ['authenticationInfo'] },
      },
      // Without windows, menus and commands of extensions: extension/platform/browser.ts names what may be missing.
      gecko_android: { strict_min_version: '142.0' },
    },
  },
};

// Modules are named by their place in this project, also where node_modules is a link elsewhere:
// hence `symlinks: false` below.
const shared = {
  mode: 'production',
  devtool: false,
  context: import.meta.dirname,
  performance: { hints: false },
  stats: 'errors-warnings',
  optimization: { minimize: false, moduleIds: 'named', chunkIds: 'named', splitChunks: false },
  module: {
    rules: [
      {
        test: /[\\/]preact[\\/]dist[\\/]preact\.(module\.js|mjs)$/,
        loader: here('scripts/markup-as-text.mjs'),
      },
      {
        test: /\.tsx?$/,
        loader: here('scripts/transpile.mjs'),
      },
      // package.json says of the library that no module is needed for what it does alone. This one is.
      { test: /[\\/]own-browser\.ts$/, sideEffects: true },
      {
        test: EVALUATED,
        enforce: 'post',
        loader: here('scripts/evaluated.mjs'),
      },
    ],
  },
};

function manifestFor(target) {
  const manifest = JSON.parse(readFileSync(here('manifest.json'), 'utf8'));
  const { permissions, ...keys } = MANIFEST_KEYS[target];
  const all = [...manifest.permissions, ...permissions];
  return canonical('manifest.json', JSON.stringify({ ...manifest, ...keys, permissions: all }));
}

const STATIC_FILES = [
  { from: 'extension/fields-window/fields-window.html' },
  { from: 'extension/manager/manager.html' },
  { from: 'extension/popup/popup.html' },
  { from: 'extension/prompt/prompt.html' },
  {
    from: 'extension/**/*.css',
    to: '[name][ext]',
    globOptions: { ignore: ['**/extension/test-zip/**'] },
  },
  { from: 'extension/icons/*.{png,svg}', to: 'icons/[name][ext]' },
  {
    from: '_locales',
    to: '_locales',
    transform: (content, path) => canonical(path.slice(path.indexOf('_locales')), content),
  },
  { from: 'LICENSE' },
  // The manager makes copies of it. scripts/build.mjs builds it before.
  { from: `dist/${PAGE_NAME}`, to: PACKED_PAGE },
  EXTENSION_WASM,
];

/** Firefox's event page starts its workers itself. */
const OFFSCREEN_FILES = {
  chromium: [{ from: 'extension/entries/workers/offscreen.html' }],
  firefox: [],
};

function extensionFor(target) {
  return {
    ...shared,
    name: target,
    target: ['web', 'es2022'],
    entry: {
      background: './extension/entries/background.ts',
      content: './extension/entries/content.ts',
      movements: './extension/entries/movements.ts',
      page: './extension/entries/page.ts',
      fields: './extension/entries/fields.ts',
      guard: './extension/entries/guard.ts',
      'guard-page': './extension/entries/guard-page.ts',
      marks: './extension/entries/marks.ts',
      'fields-window': './extension/entries/fields-window.tsx',
      manager: './extension/entries/manager.tsx',
      popup: './extension/entries/popup.tsx',
      prompt: './extension/entries/prompt.tsx',
      ...(target === 'chromium' && { offscreen: './extension/entries/workers/offscreen.ts' }),
      'code-worker': './extension/entries/workers/code-worker.ts',
      // A worker has no document that scripts could be added to.
      'workshop-worker': {
        import: './extension/entries/workers/workshop-worker.ts',
        chunkLoading: 'import-scripts',
      },
    },
    output: {
      path: here(`dist/${target}`),
      filename: '[name].js',
      chunkFilename: '[name].chunk.js',
      clean: true,
    },
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      symlinks: false,
      // The Firefox twin of a platform file is named x.firefox.ts and has the same exports.
      extensionAlias: target === 'firefox' ? { '.ts': ['.firefox.ts', '.ts'] } : {},
    },
    plugins: [
      new CopyPlugin({
        patterns: [
          ...STATIC_FILES,
          ...OFFSCREEN_FILES[target],
          { from: 'manifest.json', to: 'manifest.json', transform: () => manifestFor(target) },
        ],
      }),
      new Notices(),
      new FileNames(),
    ],
  };
}

/** The messages of one language, the extension's and the Lab's: its page has views of both. */
function withLabMessages(content, path) {
  const own = readFileSync(here(`lab/${path.slice(path.indexOf('_locales'))}`), 'utf8');
  return JSON.stringify({ ...JSON.parse(content), ...JSON.parse(own) });
}

/** The Lab as static files, for any web server: no extension, no connection to another server. */
const lab = {
  ...shared,
  name: 'lab',
  target: ['web', 'es2022'],
  entry: {
    'lab-page': './lab/page/page.tsx',
    'lab-worker': './lab/worker.ts',
  },
  output: {
    path: here('dist/lab'),
    filename: '[name].js',
    chunkFilename: '[name].chunk.js',
    clean: true,
  },
  resolve: { extensions: ['.ts', '.tsx', '.js'], symlinks: false },
  plugins: [
    new CopyPlugin({
      patterns: [
        { from: 'lab/page/lab.html', to: 'index.html' },
        { from: 'lab/page/lab.css' },
        ...['ui/ui', 'manager/manager'].map((name) => ({
          from: `extension/${name}.css`,
          to: '[name][ext]',
        })),
        { from: 'extension/icons/icon-32.png', to: 'icons/icon-32.png' },
        {
          from: '_locales',
          to: '_locales',
          transform: (content, path) => withLabMessages(content, path),
        },
        { from: 'LICENSE' },
        LAB_WASM,
      ],
    }),
    new Notices(),
  ],
};

export default [extensionFor('chromium'), extensionFor('firefox'), lab];
