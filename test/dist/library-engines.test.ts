import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import sinon from 'sinon';
import type { GetBlockCipher } from '../../src/engine/block-ciphers.ts';
import type { ModExp } from '../../src/crypto/bigint/mod-exp.ts';
import type { EngineReport } from '../../src/engine/registry.ts';
import type { Subtle } from '../../src/subtle/subtle.ts';

/*
 * The engines of dist/lib, with its modules of WebAssembly beside it and without them.
 */
interface Library {
  readonly createSubtle: (options?: { engine?: string; wasmBase?: string }) => Promise<Subtle>;
  readonly engines: () => Promise<EngineReport[]>;
}

/** Not a literal: types come with the build, and this file is checked without one. */
const SUBTLE: string = 'sealwright/subtle';
const CLASSICAL: string = 'sealwright/classical';

const OLD_CIPHERS = ['IDEA', 'Twofish', 'RC6', 'MARS', 'Serpent', 'SC2000'] as const;

interface Bigint {
  readonly modExp: ModExp;
  readonly ready: (options?: { wasmBase?: string }) => Promise<string>;
}

interface Classical {
  readonly blockCipher: GetBlockCipher;
}

/** The old block ciphers in an engine: forty blocks of each. */
async function oldCiphersIn({ blockCipher }: Classical, engine: 'auto' | 'js') {
  const ciphers = await Promise.all(
    OLD_CIPHERS.map((name) => blockCipher(name, { engine })),
  );
  const texts = await Promise.all(
    ciphers.map((cipher) =>
      cipher.encrypt('ECB', new Uint8Array(16), {}, new Uint8Array(40 * cipher.blockBytes)),
    ),
  );
  return { engines: ciphers.map((one) => one.engine), texts };
}

/** A modulus of 607 bits, Mersenne's prime, and a base above it. */
const [BASE, EXPONENT, MODULUS] = [3n ** 400n, 2n ** 521n - 7n, 2n ** 607n - 1n];
const POWER = modularPower(BASE, EXPONENT, MODULUS);

function modularPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result * (bit === '1' ? base : 1n)) % modulus;
  }
  return result;
}

async function sealedBy(subtle: Subtle): Promise<string> {
  const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
  const key = await subtle.importKey('raw-secret', secret, 'AES-OCB', false, ['encrypt']);
  const params = { name: 'AES-OCB', iv: new Uint8Array(15) };
  const sealed = await subtle.encrypt(params, key, new Uint8Array(5000));
  return Buffer.from(new Uint8Array(sealed)).toString('hex');
}

async function wasmSimdOf(library: Library): Promise<EngineReport> {
  return (await library.engines()).find(({ name }) => name === 'wasm-simd')!;
}

describe('the engines of the built library', () => {
  afterEach(() => sinon.restore());

  it('have wasm-simd among them, available and right', async () => {
    const library = (await import(SUBTLE)) as Library;
    const report = await wasmSimdOf(library);
    expect(report).to.deep.include({ available: true, selfTest: 'passed' });
    expect(report.algorithms).to.include.members(['AES-OCB', 'AES-CCM', 'AES-CMAC']);
  });

  it('leave AES-OCB to wasm-simd, which computes what js computes', async () => {
    const { createSubtle } = (await import(SUBTLE)) as Library;
    const auto = await createSubtle();
    expect(auto.engineFor('AES-OCB', 65_536)).to.equal('wasm-simd');
    const js = await createSubtle({ engine: 'js' });
    expect(await sealedBy(auto)).to.equal(await sealedBy(js));
  });

  it('raise to powers in the Montgomery module', async () => {
    const window = sinon.spy();
    spyOnModules(window);
    // The query makes it another module for Node, which is loaded anew.
    const { modExp, ready } = await importFile<Bigint>(resolve('dist/lib/bigint.js'), '?spied');
    expect(await ready()).to.equal('wasm-simd');
    expect(modExp(BASE, EXPONENT, MODULUS)).to.equal(POWER);
    // One call for each window of the exponent's 521 bits, whatever their width up to 8.
    expect(window.callCount).to.be.at.least(Math.floor(521 / 8));
  });

  it('run old block ciphers in modules of their own, which compute what js computes', async () => {
    const library = (await import(CLASSICAL)) as Classical;
    const found = await oldCiphersIn(library, 'auto');
    expect(found.engines).to.deep.equal(OLD_CIPHERS.map(() => 'wasm-simd'));
    expect(found.texts).to.deep.equal((await oldCiphersIn(library, 'js')).texts);
  });

  it('find their modules in Nodes without process.getBuiltinModule (before 20.16)', async () => {
    sinon.stub(process, 'getBuiltinModule').value(undefined);
    const library = await importFile<Library>(resolve('dist/lib/subtle.js'), '?old-node');
    const wasmBase = pathToFileURL(resolve('dist/lib/wasm')).href;
    expect((await library.createSubtle({ wasmBase })).engineFor('AES-OCB', 65_536)).to.equal('wasm-simd');
  });
});

describe('the built library without its modules of WebAssembly', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sealwright-library-'));
    cpSync('dist/lib', folder, { recursive: true, filter: (path) => !path.endsWith('wasm') });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('says what is missing, and works on in js', async () => {
    const library = await importFile<Library>(join(folder, 'subtle.js'));
    const report = await wasmSimdOf(library);
    expect(report).to.deep.include({ available: false, algorithms: [], selfTest: 'skipped' });
    expect(report.reason).to.match(/^aes\.\w+: its script could not be imported \(.*wasmBase/);
    const elsewhere = pathToFileURL(resolve('dist/lib/wasm')).href;
    const found = await library.createSubtle({ wasmBase: elsewhere });
    expect(found.engineFor('AES-OCB', 65_536)).to.equal('wasm-simd');
    const auto = await library.createSubtle();
    expect(auto.engineFor('AES-OCB', 65_536)).to.equal('js');
    const withModules = (await import(SUBTLE)) as Library;
    expect(await sealedBy(auto)).to.equal(await sealedBy(await withModules.createSubtle()));
  });

  it('runs old block ciphers in js', async () => {
    const library = await importFile<Classical>(join(folder, 'classical.js'));
    const { engines } = await oldCiphersIn(library, 'auto');
    expect(engines).to.deep.equal(OLD_CIPHERS.map(() => 'js'));
    const wasmBase = pathToFileURL(resolve('dist/lib/wasm')).href;
    const found = await library.blockCipher('Serpent', { wasmBase });
    expect(found.engine).to.equal('wasm-simd');
  });

  it('raises to the same powers', async () => {
    const { modExp, ready } = await importFile<Bigint>(join(folder, 'bigint.js'));
    expect(modExp(BASE, EXPONENT, MODULUS)).to.equal(POWER);
    expect(await ready()).to.equal('js');
    const wasmBase = pathToFileURL(resolve('dist/lib/wasm')).href;
    expect(await ready({ wasmBase })).to.equal('wasm-simd');
    expect(modExp(BASE, EXPONENT, MODULUS)).to.equal(POWER);
  });
});

async function importFile<T>(path: string, query = ''): Promise<T> {
  return (await import(pathToFileURL(path).href + query)) as T;
}

/** Lets `window` see each call of an instance's export of that name: squarings and a product. */
function spyOnModules(window: sinon.SinonSpy): void {
  const instantiate = WebAssembly.instantiate.bind(WebAssembly);
  sinon.replace(WebAssembly, 'instantiate', (async (source: BufferSource) => {
    const { instance } = await instantiate(source);
    const original = instance.exports['window'] as (...args: number[]) => void;
    const spied = (...args: number[]) => {
      window();
      original(...args);
    };
    return { instance: { exports: { ...instance.exports, window: spied } } };
  }) as unknown as typeof WebAssembly.instantiate);
}
