/*
 * `npx tsx scripts/audit.ts` writes docs/audit.md: the files of the keeper's script in reading order, and what crosses its
 * boundaries. test/repo/documents/audit.test.ts holds that the page is up to date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Access, Method } from '../src/rpc/methods/method.ts';
import { METHODS } from '../src/rpc/methods/methods.ts';
import { PAGE_METHODS } from '../src/rpc/methods/page.ts';
import { WORKSHOP_METHODS } from '../src/rpc/workshop-methods.ts';
import { TARGETS } from '../test/fuzz/targets.ts';
import { orderOfFolders, readSource, roomsOf, type SourceFile } from '../test/repo/import-graph.ts';

/** Where the page is. */
export const AUDIT_PAGE = 'docs/audit.md';
const ENTRY = 'extension/entries/background.ts';

/** From the bottom to the top: each imports only those before it. */
export const LAYERS: readonly string[] = [
  ...['src/crypto', 'src/engine', 'src/random', 'src/rpc', 'src/format', 'src/subtle'],
  ...['src/sync', 'src/workshop', 'src/keys', 'src/service'],
  ...['extension/platform', 'extension/entries'],
];

/** A file's length, as editors count lines. */
export function lineCount({ text }: Pick<SourceFile, 'text'>): number {
  return text.trimEnd().split('\n').length;
}

function sum(files: readonly SourceFile[]): number {
  return files.reduce((lines, file) => lines + lineCount(file), 0);
}

/** The files that the background's script is made of, with those that replace some of them in Firefox. */
export function keeperFiles(): SourceFile[] {
  const read = new Map<string, SourceFile>();
  const pending = [ENTRY];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (read.has(path)) continue;
    const file = readSource(path);
    read.set(path, file);
    const twin = path.replace(/\.ts$/, '.firefox.ts');
    pending.push(...file.runtimeImports.filter((target) => /\.tsx?$/.test(target)));
    if (existsSync(twin)) pending.push(twin);
  }
  return [...read.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The layer of a file. */
export function layerOf(path: string): string {
  const layer = LAYERS.find((each) => path.startsWith(`${each}/`));
  if (layer === undefined) throw new Error(`${path}: add its folder to LAYERS of scripts/audit.ts`);
  return layer;
}

interface Room {
  /** A folder with all below it, or '' for files of the layer itself. */
  readonly name: string;
  readonly files: readonly SourceFile[];
}

/** The rooms of a layer in reading order; files of the layer itself come first where they import no room of it. */
function roomsIn(layer: string, files: readonly SourceFile[]): Room[] {
  const rooms = roomsOf(files, layer);
  const order = hasOrder(layer) ? orderOfFolders(layer) : rooms.map(({ path }) => path).sort();
  const folders = order.map((name) => ({
    name,
    files: files.filter(({ path }) => path.startsWith(`${layer}/${name}/`)),
  }));
  const isFile = (path: string): boolean => /\.tsx?$/.test(path);
  const [first, last] = [true, false].map((isBase) => {
    const own = rooms.filter(
      ({ path, imports }) => isFile(path) && imports.every((target) => isFile(target)) === isBase,
    );
    const paths = new Set(own.map(({ path }) => `${layer}/${path}`));
    return { name: '', files: files.filter(({ path }) => paths.has(path)) };
  });
  return [first!, ...folders, last!].filter((room) => room.files.length > 0);
}

function hasOrder(layer: string): boolean {
  const readme = `${layer}/README.md`;
  return existsSync(readme) && readFileSync(readme, 'utf8').includes('**Order of imports**:');
}

/** What a room imports by value: rooms and files of its layer, other layers, packages. */
function reached(layer: string, { name, files }: Room): string {
  const inside = files.map(({ path }) => path);
  const targets = files
    .flatMap(({ runtimeImports }) => runtimeImports)
    .filter((target) => !inside.includes(target))
    .map((target) => {
      if (!target.startsWith(`${layer}/`)) return layerOf(target);
      const [room, ...below] = target.slice(layer.length + 1).split('/');
      return below.length === 0 ? room! : `${room}/`;
    })
    .filter((target) => target !== `${name}/`);
  const packages = files
    .flatMap(({ runtimePackages }) => runtimePackages)
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
  const all = [...new Set([...targets, ...packages])].sort();
  return all.map((each) => `\`${each}\``).join(', ');
}

function tableOf(layer: string, all: readonly SourceFile[]): string[] {
  const files = all.filter(({ path }) => layerOf(path) === layer);
  const rows = roomsIn(layer, files).map((room) => {
    const start = layer.length + 1 + (room.name === '' ? 0 : room.name.length + 1);
    const list = room.files
      .map((file) => `${file.path.slice(start)} ${lineCount(file)}`)
      .join(', ');
    const name = room.name === '' ? 'its own files' : `\`${room.name}/\``;
    return `| ${name} | ${sum(room.files)} | ${list} | ${reached(layer, room) || 'nothing'} |`;
  });
  return [
    `### ${layer}: ${sum(files)} lines, files: ${files.length}`,
    '',
    '| room | lines | files and their lines | reaches |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ];
}

function methodRows(access: Access): string[] {
  return Object.entries(METHODS as Readonly<Record<string, Method>>)
    .filter(([, row]) => row.access === access)
    .map(([name, { needs, replay, capability, inPrivateWindows }]) => {
      const allowed = capability === undefined ? '' : [capability].flat().join(', ');
      const caller = name in PAGE_METHODS ? 'page' : 'content script';
      const isPrivate = inPrivateWindows ? 'yes' : 'no';
      return `| \`${name}\` | ${caller} | ${needs} | ${allowed} | ${replay} | ${isPrivate} |`;
    });
}

/** The keeper's files that a fuzz target gives what others made. */
function parserRows(files: readonly SourceFile[]): string[] {
  const keeper = new Set(files.map(({ path }) => path));
  return TARGETS.flatMap(({ name, files: fuzzed }) => {
    const parsers = fuzzed.filter((path) => keeper.has(path)).map((path) => `\`${path}\``);
    return parsers.length === 0 ? [] : [`| ${name} | ${parsers.join(', ')} |`];
  });
}

function listOf(names: readonly string[]): string {
  return `${names.map((name) => `\`${name}\``).join(', ')}.`;
}

/** The page about these files, and the tables of methods as they are. */
export function auditPage(files: readonly SourceFile[]): string {
  const pages = methodRows('page');
  const own = Object.keys(METHODS).filter((name) => name.startsWith('ui.'));
  const operations = Object.keys(WORKSHOP_METHODS);
  return [
    '# What an auditor reads',
    '',
    '`npx tsx scripts/audit.ts` writes this page from the sources.',
    '',
    'The **keeper** is the script `background.js`: the one place that holds the vault key and the keys of the user, and decides',
    'what a page may do. The **workshop** computes, in workers, what a page or a file parametrises: it gets secrets for one call at',
    'a time. Everything else that runs (page script, content script, windows) can ask the keeper for what the tables below list.',
    '',
    `**Totals**: the keeper is made of ${files.length} files with ${sum(files)} lines of ours, comments included, in ${LAYERS.length} folders; a page and its content`,
    `script have ${pages.length} methods of it, the extension's own windows ${own.length}, and it has ${operations.length} operations of the workshop.`,
    'test/repo/documents/audit.test.ts holds the number of lines.',
    '',
    '## The files, in reading order',
    '',
    'A folder imports values only from folders above it in this list, and a room (a folder in it) only from rooms above it in its',
    'table (`test/repo/layers.test.ts`): read in this order, what a file is built on comes before it. "Reaches" is what a room',
    'imports outside itself. The API of extensions is used in `extension/platform` and `extension/entries` alone. A file whose name',
    'ends with .firefox.ts replaces the one without it in Firefox. Webpack leaves out a few of these files, of which only constants',
    'are needed.',
    '',
    ...LAYERS.flatMap((layer) => tableOf(layer, files)),
    '## What crosses the boundaries',
    '',
    '### Page → content script → keeper',
    '',
    'The rows of `src/rpc/methods`, whose validators rebuild every value that arrives. Needs: what must exist before any work.',
    'Replay: what a repeated call does. docs/design/rpc.md explains both.',
    '',
    '| method | called by | needs | capability | replay | private windows |',
    '| --- | --- | --- | --- | --- | --- |',
    ...pages,
    '',
    "### The extension's own windows → keeper",
    '',
    'Only documents of the extension itself can call these.',
    '',
    listOf(own),
    '',
    '### Keeper → workshop',
    '',
    'The rows of `src/rpc/workshop-methods.ts`: each says which secrets it takes for the one call, its parameters and its result.',
    '',
    listOf(operations),
    '',
    '## What the keeper parses itself',
    '',
    'Bytes that a page, a file, a store or another device brings, and that the realm of the vault key reads: the beginning of sealed',
    'messages and their chunks, public keys, proofs, backups and recovery files, what devices that pair send, the values of the',
    'vault and the frames of calls. Each row is a target of the fuzzer. All other formats (JWK, DER, age, SJCL, records of sync',
    'services, epochs of groups) are read in the workshop.',
    '',
    '| fuzz target | files |',
    '| --- | --- |',
    ...parserRows(files),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(AUDIT_PAGE, auditPage(keeperFiles()));
}
