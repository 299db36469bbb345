import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';

/*
 * The package in the tools of its users: Node's import and require, a server that renders pages, and esbuild, which
 * knows nothing of WebAssembly beside a script. docs/bundlers.md says the same in words.
 */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | { default: string }>;
};
const SUBPATHS = Object.entries(exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([subpath]) => `sealwright${subpath.slice(1)}`);

const ENGINE_OF_OCB = `
import { createSubtle } from 'sealwright/subtle';
console.log((await createSubtle(globalThis.options)).engineFor('AES-OCB', 65536));`;

describe('the package, for its users', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sealwright-consumer-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('dist/package'), join(folder, 'node_modules/sealwright'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function bundled(name: string, code: string, format: 'esm' | 'iife'): Promise<unknown> {
    writeFileSync(join(folder, `${name}.mjs`), code);
    return build({
      absWorkingDir: folder,
      entryPoints: [`${name}.mjs`],
      outdir: 'out',
      outExtension: { '.js': format === 'esm' ? '.mjs' : '.cjs' },
      bundle: true,
      format,
      logLevel: 'error',
      // A classic script has no import.meta, which esbuild warns of.
      logOverride: { 'empty-import-meta': 'silent' },
    });
  }

  function run(code: string, ...flags: string[]): string {
    const words = [...flags, '--no-warnings', '-e', code];
    return execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  }

  it('can be required, every subpath', () => {
    const code = `for (const name of ${JSON.stringify(SUBPATHS)}) {
      if (Object.keys(require(name)).length === 0) throw new Error(name);
    }
    console.log('done');`;
    expect(run(code, '--input-type=commonjs')).to.equal('done\n');
  });

  it('computes powers in WebAssembly from the first call on in Node, which reads files without waiting', () => {
    const code = `const { Instance } = WebAssembly;
    let instances = 0;
    WebAssembly.Instance = class extends Instance {
      constructor(...parts) {
        super(...parts);
        instances++;
      }
    };
    const { modExp } = await import('sealwright/bigint');
    console.log(instances, modExp(3n, 5n, 101n), instances > 0);`;
    expect(run(code, '--input-type=module')).to.equal('0 41n true\n');
  });

  it('can be imported where pages are rendered, and ends nothing when it finds no extension', () => {
    const code = `for (const name of ${JSON.stringify(SUBPATHS)}) await import(name);
    const { findSealwright } = await import('sealwright');
    const code = await findSealwright({ waitMs: 1 }).catch((error) => error.code);
    setTimeout(() => console.log(code), 50);`;
    expect(run(code, '--input-type=module')).to.equal('ABSENT\n');
  });

  for (const name of SUBPATHS) {
    it(`${name} fits into a classic script of esbuild, which refuses a top-level await`, async () => {
      const file = name.replaceAll('/', '-');
      await bundled(file, `import * as all from '${name}'; globalThis.all = all;`, 'iife');
      const ran = createRequire(join(folder, 'x.cjs'))(join(folder, `out/${file}.cjs`)) as object;
      expect(ran).to.be.an('object');
      expect(Object.keys((globalThis as { all?: object }).all ?? {})).to.not.be.empty;
      Reflect.deleteProperty(globalThis, 'all');
    });
  }

  for (const name of SUBPATHS) {
    it(`${name} adds nothing to a bundle that imports it and uses nothing`, async () => {
      const stdin = { contents: `import '${name}';`, resolveDir: folder };
      const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'error', logOverride: { 'ignored-bare-import': 'silent' } });
      expect(outputFiles[0]!.text).to.equal('');
    });
  }

  it('has one algorithm and its modules in a bundle that imports one, which runs or says what it lacks', async () => {
    const code = `import { aesGcm } from 'sealwright/algorithms';
    const sealed = await aesGcm(new Uint8Array(16), globalThis.options).then(
      (key) => key.encrypt({ iv: new Uint8Array(12) }, new Uint8Array(0)).join(),
      (error) => error.name + ': ' + error.message,
    );
    console.log(sealed);`;
    await bundled('single', code, 'esm');
    const text = readFileSync(join(folder, 'out/single.mjs'), 'utf8');
    const modules = [...text.matchAll(/^ *\/\/ .*wasm\/([\w.-]+)\.js$/gm)].map(([, name]) => name);
    expect(modules).to.have.members(['aes.relaxed', 'aes.simd']);
    expect(text).to.include('WasmGcm').and.to.not.match(/class \w*(Ocb|Poly1305|BlockHash|Blake)/);
    const withBase = (base: string) =>
      run(
        `globalThis.options = { wasmBase: ${JSON.stringify(base)} }; await import('./out/single.mjs')`,
        '--input-type=module',
      );
    expect(withBase('file:///nowhere/')).to.match(
      /^NotSupportedError: AES-GCM: wasm-simd: file:\/\/\/nowhere\/aes\.\w+\.js: the file is missing/,
    );
    // McGrew and Viega, test case 1
    const tag = `${Buffer.from('58e2fccefa7e3061367f1d57a4e7455a', 'hex').join()}\n`;
    expect(withBase(new URL(`file://${resolve('dist/lib/wasm')}`).href)).to.equal(tag);
    expect(run(code, '--input-type=module')).to.equal(tag);
  });

  it('runs the sample of docs/library.md for one algorithm', () => {
    const section = readFileSync('docs/library.md', 'utf8').split('\n## One algorithm')[1]!;
    const sample = /```js\n([^]*?)```/.exec(section)![1]!;
    expect(sample).to.include("from 'sealwright/algorithms'");
    const given = `const keyBytes = new Uint8Array(32), data = new Uint8Array(100), salt = data, info = data;`;
    const code = `${given}\n${sample}\nconsole.log(opened.join() === data.join(), tag.length, derived.length);`;
    expect(run(code, '--input-type=module')).to.equal('true 32 32\n');
  });

  it('runs wasm-simd in a bundle of esbuild without a file beside it, or from wasmBase, or says why not', async () => {
    await bundled('engine', ENGINE_OF_OCB, 'esm');
    const at = (wasmBase?: string) =>
      run(
        `console.warn = console.log;
        globalThis.options = ${JSON.stringify({ wasmBase })};
        await import('./out/engine.mjs');`,
        '--input-type=module',
      );
    expect(at()).to.equal('wasm-simd\n');
    expect(at(new URL(`file://${resolve('dist/lib/wasm')}`).href)).to.equal('wasm-simd\n');
    expect(at('file:///nowhere/')).to.match(
      /^sealwright: AES-OCB runs in the engine js.*file:\/\/\/nowhere\/aes\.\w+\.js: the file is missing.*\njs\n$/,
    );
  });
});
