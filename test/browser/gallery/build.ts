import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { compile } from 'svelte/compiler';
import type { BrowserName } from '../drivers/driver.ts';
import { FIXTURES, FRAMED, REDRAWN, RESISTING, type Fixture } from './fixtures.ts';

/** Where the gallery's pages are, NAME.html each. Each test process has its own: others may build meanwhile. */
export const GALLERY = resolve(`.cache/gallery/pages-${process.env.BROWSERS ?? 'all'}`);
const HERE = resolve('test/browser/gallery');

const SVELTE: Plugin = {
  name: 'svelte',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.svelte$/ }, ({ path }) => {
      const options = { filename: path, generate: 'client' } as const;
      return { contents: compile(readFileSync(path, 'utf8'), options).js.code };
    }),
};

/**
 * Bundles fixtures as their users' tools would, with what they share in common chunks.
 *
 * @param names those to bundle, with the page that others frame; default: every fixture
 */
export async function buildGallery(names?: readonly string[]): Promise<void> {
  const all = [...FIXTURES, ...RESISTING, ...REDRAWN];
  const fixtures = [...all.filter(({ name }) => names?.includes(name) ?? true), FRAMED];
  mkdirSync(GALLERY, { recursive: true });
  for (const fixture of fixtures) {
    writeFileSync(`${GALLERY}/${fixture.name}.html`, page(fixture));
  }
  await build({
    entryPoints: [
      ...fixtures.map(({ name }) => ({ in: `fixture:${name}`, out: name })),
      { in: 'monaco-editor/editor/editor.worker.js', out: 'monaco-worker' },
    ],
    plugins: [entries(fixtures), SVELTE],
    outdir: GALLERY,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    loader: { '.ttf': 'file' },
    // Vue with its compiler, as pages use it that write their templates as text.
    alias: { vue: 'vue/dist/vue.esm-bundler.js' },
    define: {
      global: 'globalThis',
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    logLevel: 'error',
  });
}

/** Puts the editors that pages load as files where `elementOf` names them. */
export function linkEditors(folder: string): void {
  rmSync(`${GALLERY}/packages`, { force: true });
  symlinkSync(folder, `${GALLERY}/packages`);
}

/** The module of a fixture's page: opens the page with its editor. */
const entries = (fixtures: readonly Fixture[]): Plugin => ({
  name: 'entries',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^fixture:/ }, ({ path }) => ({ path, namespace: 'fixture' }));
    bundler.onLoad({ filter: /.*/, namespace: 'fixture' }, ({ path }) => {
      const { name, file, mount } = fixtures.find((one) => path === `fixture:${one.name}`)!;
      const contents = `
        import { ${mount} as mount } from './editors/${file}';
        import { openPage } from './page.ts';
        void openPage('${name}', mount);`;
      return { contents, resolveDir: HERE };
    });
  },
});

const page = ({ name, title, files = [] }: Fixture): string => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>${title.replaceAll('<', '&lt;')}</title>
  <link rel="stylesheet" href="${name}.css" />
  <style>
    #editor { ${files.length === 0 ? 'height: 8em; ' : ''}width: 40em; }
    #editor > * { box-sizing: border-box; width: 100%; height: 8em; }
    input, textarea { box-sizing: border-box; width: 100%; height: 100%; }
    [contenteditable] { height: 100%; overflow: auto; overflow-wrap: anywhere; }
  </style>
  <form>
    <div id="editor"></div>
    <button id="save">Save</button>
  </form>
  ${files.map(elementOf).join('\n  ')}
  <script type="module" src="${name}.js"></script>
</html>
`;

const elementOf = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" href="packages/${file}" />`
    : `<script src="packages/${file}"></script>`;

/** Takes the Firefox twin of a file where there is one, as webpack does for the extension. */
const FIREFOX_TWINS: Plugin = {
  name: 'firefox-twins',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^\..*\.ts$/ }, ({ path, importer }) => {
      const twin = resolve(dirname(importer), path.replace(/\.ts$/, '.firefox.ts'));
      return existsSync(twin) ? { path: twin } : undefined;
    }),
};

/** @returns the folder of an extension that does what pages of the gallery ask for */
export async function buildInserter(browser: BrowserName): Promise<string> {
  const folder = resolve(`.cache/gallery/inserter-${browser}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(inserterManifest(browser)));
  writeFileSync(`${folder}/background.js`, '');
  await build({
    entryPoints: [`${HERE}/inserter/content.ts`],
    outfile: `${folder}/content.js`,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    plugins: browser === 'firefox' ? [FIREFOX_TWINS] : [],
    logLevel: 'error',
  });
  return folder;
}

const inserterManifest = (browser: BrowserName) => ({
  manifest_version: 3,
  name: 'Inserter, for the gallery',
  version: '1.0',
  background:
    browser === 'firefox' ? { scripts: ['background.js'] } : { service_worker: 'background.js' },
  content_scripts: [
    {
      matches: ['http://localhost/*', 'http://127.0.0.1/*'],
      js: ['content.js'],
      run_at: 'document_start',
      all_frames: true,
    },
  ],
  browser_specific_settings: { gecko: { id: 'inserter@gallery.sealwright.org' } },
});
