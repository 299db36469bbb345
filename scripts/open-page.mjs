/*
 * Builds dist/open.html (open-page/): the page that opens and seals without the extension, with its script, its style, its
 * messages and its modules in one file. A browser that parses it and writes it again gives the same bytes, because the page
 * makes copies of itself.
 *
 *     node scripts/open-page.mjs
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { build, transform } from 'esbuild';
import { tsImport } from 'tsx/esm/api';
import { PACKED_MODULES } from './library.mjs';
import { noticesText } from './notices.mjs';

const { makeWasm, packedModule } = await tsImport('./make-wasm.ts', import.meta.url);
const { shortList } = await tsImport('../open-page/word-list.ts', import.meta.url);
const { PAGE_NAME } = await tsImport('../src/release/drop-page.ts', import.meta.url);

const STYLES = [
  'extension/ui/ui.css',
  'extension/manager/forms/forms.css',
  'open-page/open-page.css',
];
/** Where the word list is from, for the notices: its module is not bundled. */
const WORDS_SOURCE = 'node_modules/@zxcvbn-ts/language-common/dist/index.mjs';

/** As browsers write it: without white space that they do not keep. */
const TEMPLATE = `<!DOCTYPE html><html lang="en"><head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src '$SCRIPT_HASH' 'wasm-unsafe-eval'; style-src '$STYLE_HASH'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="sealwright-key" content="">
<title>Sealwright</title>
<link rel="icon" href="$ICON">
<style>$STYLE</style>
</head>
<body>
<div id="app"></div>
<!--
$NOTICES-->
<script>$SCRIPT</script></body></html>`;

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Without the descriptions, which are for translators. */
const forReaders = ({ message, placeholders }) => ({
  message,
  ...(placeholders && {
    placeholders: Object.fromEntries(
      Object.entries(placeholders).map(([name, { content }]) => [name, { content }]),
    ),
  }),
});

/** The messages that the page shows, by language: its own, and those of the extension that it shares. */
function messages() {
  const shared = json('open-page/shared-messages.json');
  const inLanguage = (language) => {
    const ofExtension = json(`_locales/${language}/messages.json`);
    const all = {
      ...Object.fromEntries(shared.map((key) => [key, ofExtension[key]])),
      ...json(`open-page/_locales/${language}/messages.json`),
    };
    return Object.fromEntries(Object.entries(all).map(([key, each]) => [key, forReaders(each)]));
  };
  return Object.fromEntries(
    readdirSync('_locales').map((language) => [language, inLanguage(language)]),
  );
}

/** `packed:NAME` is a value, compressed: open-page/packed.d.ts. */
const PACKED_VALUES = {
  name: 'packed-values',
  setup(bundler) {
    const values = { messages, words: () => shortList(dictionary['diceware-common']) };
    const namespace = 'packed';
    bundler.onResolve({ filter: /^packed:/ }, ({ path }) => ({
      path: path.slice('packed:'.length),
      namespace,
    }));
    bundler.onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: packedModule(Buffer.from(JSON.stringify(values[path]()))),
    }));
  },
};

async function script() {
  const { outputFiles, metafile } = await build({
    entryPoints: ['open-page/page.tsx'],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    // Modules are named by their place in this project, also where node_modules is a link elsewhere.
    preserveSymlinks: true,
    plugins: [PACKED_MODULES, PACKED_VALUES],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const sources = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  return { text: outputFiles[0].text.trim(), sources };
}

async function style() {
  const text = STYLES.map((path) => readFileSync(path, 'utf8')).join('\n');
  return (await transform(text, { loader: 'css', minify: true, charset: 'utf8' })).code.trim();
}

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** A picture in the file: the page may load none. */
function icon() {
  const svg = readFileSync('extension/icons/mark.svg', 'utf8').replace(/<!--.*?-->\s*/gs, '');
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** @throws Error for a part that would end its element */
function within(text, end) {
  if (text.toLowerCase().includes(end) || text.includes('<!--')) {
    throw new Error(`The page has "${end}" or "<!--" in the middle of a part`);
  }
  return text;
}

/** Needs dist/wasm. @returns the file's text, and the sources that are in it */
export async function openPage() {
  const [{ text, sources }, css] = await Promise.all([script(), style()]);
  const notices = noticesText([...sources, WORDS_SOURCE].map((path) => resolve(path)));
  const parts = {
    ICON: icon(),
    SCRIPT_HASH: hashOf(text),
    STYLE_HASH: hashOf(css),
    STYLE: within(css, '</style'),
    NOTICES: within(notices, '-->'),
    SCRIPT: within(text, '</script'),
  };
  const page = TEMPLATE.replace(/\$([A-Z_]+)/g, (_, name) => parts[name]);
  return { page, sources };
}

/** Makes dist/wasm, too, which the page needs. */
export async function buildOpenPage() {
  await makeWasm(resolve('dist/wasm'));
  const { page } = await openPage();
  mkdirSync('dist', { recursive: true });
  writeFileSync(`dist/${PAGE_NAME}`, page);
}

if (import.meta.filename === process.argv[1]) await buildOpenPage();
