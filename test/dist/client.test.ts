import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import ts from 'typescript';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { EXACT_APP, NODE_APP, PAGE_APP } from './typed-apps.ts';

/*
 * The root export of the package as others install it: how large it is, what of it a bundler takes,
 * and what its types are worth. package.test.ts is about what is packed beside it.
 */
/**
 * All of it, as an app's bundler ships it. Brotli was 6 KiB until opened responses had to read their bodies
 * themselves: browsers hide from an app that a message was changed (docs/client.md, "Sources of any size"), and 6.5 KiB
 * until each function had the names of its options, to refuse others. 19.1 and 6.8 kB until they refused another object in the
 * place of the provider or a collection, 19.3 and 6.9 kB until workers had `subtle` through their page,
 * 21.3 kB until that had `deleteKey`, 23.2 and 8.2 kB until errors had a report and `explain` took whatever was thrown, 23.6
 * and 8.3 kB until `explain` knew of decoys and adapters announced deletions.
 */
const MAX_BYTES = { minified: 23_800, brotli: 8_400 };

/** Each name, with a word that stands in its own code alone. */
const MARKS: Readonly<Record<string, string>> = {
  connectSealwright: 'cannot do this yet',
  explain: 'Reload the page if it does not come back',
  firefoxSyncCodec: 'decryptCollectionBSO',
  indexedDbSealedStore: 'onupgradeneeded',
  kintoTransformer: 'last_modified',
  openedResponse: 'content-encoding',
  pouchTransform: 'everything would go to the server in the clear',
  sealwrightOver: 'can be copied to the page',
  serveSealwright: 'an older client',
  remoteStorageClient: 'application/vnd.sealwright.record',
  watchSealwright: 'subscribe(',
};
const NAMES = [
  ...Object.keys(MARKS),
  'SealwrightClientError',
  'findSealwright',
  'isSealwrightError',
  'onSealwright',
  'openedBody',
  'quarantineOf',
  'sealedBody',
  'sealedCollection',
];

describe('the built client', () => {
  it('exports these names, and no others', async () => {
    const name: string = 'sealwright';
    const client = (await import(name)) as object;
    expect(Object.keys(client)).to.have.members(NAMES);
  });

  it('has at most these bytes, as docs/client.md says, and needs no other module', async () => {
    const all = await bundled(`export * from 'sealwright';`, { minify: true });
    for (const mark of Object.values(MARKS)) expect(all).to.include(mark);
    const bytes = { minified: Buffer.byteLength(all), brotli: brotliCompressSync(all).length };
    expect(bytes.minified).to.be.at.most(MAX_BYTES.minified);
    expect(bytes.brotli).to.be.at.most(MAX_BYTES.brotli);
    expect(all).to.not.match(/^\s*import\b|\bimport\(/m);
    const words = readFileSync('docs/client.md', 'utf8').replaceAll('\n', ' ');
    const kB = (value: number) => (value / 1000).toFixed(1);
    expect(words).to.include(`${kB(MAX_BYTES.minified)} kB minified, ${kB(MAX_BYTES.brotli)} kB with brotli`);
  });

  it('leaves out of a bundle whatever the app does not import', async () => {
    for (const [name, mark] of Object.entries(MARKS)) {
      const bundle = await bundled(`import { ${name} } from 'sealwright'; console.log(${name});`);
      expect(bundle).to.include(mark);
      const others = Object.entries(MARKS).filter(([other]) => other !== name);
      const stowaways = others.filter(([, words]) => bundle.includes(words));
      expect(stowaways.map(([other]) => other), `with ${name}`).to.deep.equal([]);
    }
  });

  it('adds nothing to a bundle that imports it and uses nothing', async () => {
    expect(await bundled(`import 'sealwright';`)).to.equal('');
    expect(await bundled(`import { explain } from 'sealwright';`)).to.equal('');
  });
});

describe('npm pack', () => {
  interface ByteList {
    readonly files: readonly { readonly path: string }[];
  }
  let paths: string[];

  before(function () {
    this.timeout(60_000);
    const args = ['pack', './dist/package', '--dry-run', '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [ByteList];
    paths = packed.files.map(({ path }) => path);
  });

  it('packs whatever package.json points at', () => {
    interface Manifest {
      readonly exports: Record<string, string | Record<string, string>>;
      readonly bin: Record<string, string>;
    }
    const manifest = JSON.parse(readFileSync('dist/package/package.json', 'utf8')) as Manifest;
    const exported = Object.values(manifest.exports);
    const targets = [
      ...exported.flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one))),
      ...Object.values(manifest.bin),
    ];
    for (const target of targets) {
      expect(paths).to.include(target.replace(/^\.\//, ''));
    }
  });

  it('packs types for TypeScript from 5.4 on, with and without the library "dom"', () => {
    const types = paths.filter((path) => path.endsWith('.d.ts'));
    expect(types).to.have.length.above(50);
    // Typed arrays are generic from 5.7 on; BufferSource is an alias of "dom", which nothing can declare again.
    const unportable = types.filter((path) =>
      /Array<ArrayBuffer|\bBufferSource\b/.test(readFileSync(join('dist/package', path), 'utf8')),
    );
    expect(unportable).to.deep.equal([]);
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly exports: Record<string, { readonly types?: string }>;
    };
    for (const { types: entry } of Object.values(exports)) {
      if (entry !== undefined) expect(readFileSync(join('dist/package', entry), 'utf8')).to.match(/^\/\/\/ <reference path=/);
    }
  });

  it('packs types with which an app with exactOptionalPropertyTypes passes what may be undefined', function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-types-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(join(process.cwd(), 'dist/package'), join(folder, 'node_modules/sealwright'));
      writeFileSync(join(folder, 'exact.ts'), EXACT_APP);
      const found = compiled(folder, 'exact.ts', 'es2023,dom', '--exactOptionalPropertyTypes');
      expect(found).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('packs types of the page API whose every type and member has a doc comment', () => {
    const [path] = paths.filter((one) => one.endsWith('client/page-api.d.ts'));
    const text = readFileSync(join('dist/package', path!), 'utf8');
    const source = ts.createSourceFile(path!, text, ts.ScriptTarget.Latest, true);
    const declared: ts.Node[] = [];
    const walk = (node: ts.Node): void => {
      const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
      const isGlobal = isType && /^(Window|Crypto)$/.test(node.name.text);
      const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isIndexSignatureDeclaration(node);
      // What stands inside an argument is described with its method, and a purpose or a key with its option.
      const isOwn = isMember && !ts.findAncestor(node.parent, isWithinMember);
      if ((isType && !isGlobal) || isOwn) declared.push(node);
      ts.forEachChild(node, walk);
    };
    walk(source);
    expect(declared).to.have.length.above(120);
    const bare = declared.filter((node) => ts.getJSDocCommentsAndTags(node).length === 0);
    expect(bare.map((node) => node.getText().slice(0, 60))).to.deep.equal([]);
  });

  // It runs the compiler three times.
  const inNightly = IS_NIGHTLY ? it : () => undefined;
  inNightly('packs types with which an app compiles, and with which a mistake does not', function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-types-'));
    try {
      const home = join(folder, 'node_modules/sealwright');
      for (const path of paths.filter((one) => /^(dist|package\.json)/.test(one))) {
        cpSync(join('dist/package', path), join(home, path));
      }
      mkdirSync(join(folder, 'app'));
      writeFileSync(join(folder, 'app/right.ts'), PAGE_APP);
      expect(compiled(folder, 'app/right.ts')).to.equal('');
      writeFileSync(join(folder, 'app/wrong.ts'), WRONG);
      expect(compiled(folder, 'app/wrong.ts').match(/error TS\d+/g)).to.have.length(3);
      for (const name of ['@types', 'undici-types']) {
        symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
      }
      writeFileSync(join(folder, 'app/node.ts'), NODE_APP);
      expect(compiled(folder, 'app/node.ts', 'es2023', '--types', 'node')).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A parameter, or the type of another member. */
const isWithinMember = (node: ts.Node): boolean =>
  ts.isParameter(node) || ts.isPropertySignature(node) || ts.isMethodSignature(node);

const WRONG = `
import { connectSealwright, watchSealwright } from 'sealwright';

void connectSealwright({ purpose: 'x', capabilities: ['steal'] });
void connectSealwright({ capabilities: ['seal'] });
watchSealwright().subscribe((state) => console.log(state.grants));
`;

function compiled(folder: string, file: string, lib = 'es2023,dom', ...more: string[]): string {
  const options = '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler';
  const args = [...options.split(' '), '--lib', lib, ...more, file];
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

async function bundled(contents: string, options: { minify?: boolean } = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    ...options,
  });
  return outputFiles[0]!.text;
}
