import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EngineReport } from '../../src/engine/registry.ts';
import type { BrowserSession } from '../browser/drivers/driver.ts';
import { BROWSERS, launch } from '../browser/drivers/launch.ts';
import { serve, type TestServer } from '../browser/server.ts';

/*
 * dist/lib in browsers as a site would serve it: no bundler, no extension; in a page and in a
 * worker. Both say what they found as JSON.
 */
interface Findings {
  readonly engine: string;
  readonly wasmSimd: EngineReport;
  readonly power: string;
  readonly oldCiphers: readonly string[];
  /** How many modules of WebAssembly `sealwright/bigint` brought to life. */
  readonly instances: number;
  /** What AES-OCB says on wasm-simd, and without an engine that is not constant-time. */
  readonly forced: string;
  readonly safe: string;
  /** What `aesGcm` of `sealwright/algorithms` says. */
  readonly single: string;
  /** What the extension in memory of `sealwright/testing` opened. */
  readonly tested: string;
  /** On the console, of AES-OCB on whichever engine there is, twice. */
  readonly warnings: readonly string[];
}

const LOOK = `
export async function look() {
  const { instantiate } = WebAssembly;
  let instances = 0;
  WebAssembly.instantiate = (...args) => {
    instances += 1;
    return instantiate(...args);
  };
  const warnings = [];
  console.warn = (text) => warnings.push(text);
  const { modExp, ready } = await import('./lib/bigint.js');
  await ready();
  WebAssembly.instantiate = instantiate;
  const { createSubtle, engines } = await import('./lib/subtle.js');
  const wasmSimd = (await engines()).find(({ name }) => name === 'wasm-simd');
  const engine = (await createSubtle()).engineFor('AES-OCB', 65536);
  const { blockCipher } = await import('./lib/classical.js');
  const oldCiphers = [];
  for (const name of ['IDEA', 'Twofish', 'Serpent']) oldCiphers.push((await blockCipher(name)).engine);
  const seal = async (options) => {
    const subtle = await createSubtle(options);
    const name = 'AES-OCB';
    const key = await subtle.generateKey({ name, length: 128 }, false, ['encrypt']);
    const params = { name, iv: new Uint8Array(12) };
    return subtle.encrypt(params, key, new Uint8Array(9)).then(() => 'sealed', (error) => error.message);
  };
  const forced = await seal({ engine: 'wasm-simd' });
  const safe = await seal({ constantTime: true });
  const { aesGcm } = await import('./lib/algorithms.js');
  const single = await aesGcm(new Uint8Array(16)).then(
    (key) => 'sealed ' + key.encrypt({ iv: new Uint8Array(12) }, new Uint8Array(9)).length,
    (error) => error.name + ': ' + error.message,
  );
  await seal();
  await seal();
  const { createTestSealwright } = await import('./lib/testing.js');
  const { sealwright } = await createTestSealwright();
  await sealwright.connect({ purpose: 'To test', capabilities: ['seal', 'open'] });
  const tested = new TextDecoder().decode(await sealwright.open(await sealwright.seal('text')));
  const power = String(modExp(4n, 13n, 497n));
  return { engine, oldCiphers, wasmSimd, power, instances, forced, safe, single, tested, warnings };
}`;
const WORKER = `
import { look } from './look.js';
look().then((findings) => postMessage(findings), (error) => postMessage(String(error)));`;
const PAGE = `<!doctype html><meta charset="utf-8"><title>library</title>`;

/** Each browser has words of its own for a script that is not there. */
const missing = (name: string): RegExp =>
  new RegExp(
    `${name}\\.\\w+: its script could not be imported \\(.*http\\S+${name}\\.\\w+\\.js\\)`,
  );

for (const browser of BROWSERS) {
  describe(`the built library, in ${browser}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-site-'));
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      cpSync('dist/lib', join(folder, 'lib'), { recursive: true });
      cpSync('dist/lib', join(folder, 'bare/lib'), {
        recursive: true,
        filter: (path) => !path.endsWith('wasm'),
      });
      for (const site of [folder, join(folder, 'bare')]) {
        writeFileSync(join(site, 'index.html'), PAGE);
        writeFileSync(join(site, 'look.js'), LOOK);
        writeFileSync(join(site, 'worker.js'), WORKER);
      }
      [session, server] = await Promise.all([launch(browser), serve(folder)]);
    });

    after(async () => {
      await session.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function findings(path: string, place: 'page' | 'worker'): Promise<Findings> {
      const tab = await session.newTab(`${server.origin}${path}`);
      const found = await tab.evaluate(async (where) => {
        if (where === 'page') {
          const { look } = (await import(new URL('look.js', location.href).href)) as {
            look: () => Promise<unknown>;
          };
          return look();
        }
        const worker = new Worker('worker.js', { type: 'module' });
        return new Promise<unknown>((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => resolve(message);
        });
      }, place);
      await tab.close();
      if (typeof found === 'string') throw new Error(found);
      return found as Findings;
    }

    for (const place of ['page', 'worker'] as const) {
      it(`runs wasm-simd in a ${place}, and powers in the Montgomery module`, async () => {
        const found = await findings('/', place);
        const { engine, oldCiphers, wasmSimd, power, instances } = found;
        const { forced, safe, single, tested, warnings } = found;
        expect(engine).to.equal('wasm-simd');
        expect(oldCiphers).to.deep.equal(['wasm-simd', 'wasm-simd', 'wasm-simd']);
        expect(wasmSimd).to.deep.include({ available: true, selfTest: 'passed' });
        expect(power).to.equal('445');
        expect(instances).to.be.greaterThan(0);
        expect(warnings).to.deep.equal([]);
        expect([forced, safe, single]).to.deep.equal(['sealed', 'sealed', 'sealed 25']);
        expect(tested).to.equal('text');
      });
    }

    it('runs wasm-simd under the policy of docs/bundlers.md', async () => {
      expect(readFileSync('docs/bundlers.md', 'utf8')).to.include(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'\n",
      );
      const { engine, warnings } = await findings('/?csp=wasm', 'page');
      expect({ engine, warnings }).to.deep.equal({ engine: 'wasm-simd', warnings: [] });
    });

    it('names the policy that forbids WebAssembly, wherever a reason is given, and warns once', async () => {
      const found = await findings('/?csp=self', 'page');
      const reason = /'wasm-unsafe-eval'/;
      expect(found.engine).to.equal('js');
      expect(found.wasmSimd).to.deep.include({ available: false, algorithms: [] });
      expect(found.wasmSimd.reason).to.match(reason);
      expect(found.forced).to.match(reason);
      expect(found.single).to.match(reason).and.to.match(/^NotSupportedError: AES-GCM: wasm-simd: /);
      expect(found.safe).to.match(reason).and.to.include('js: its AES-OCB is not constant-time');
      expect(found.warnings).to.have.length(1);
      expect(found.warnings[0]).to.match(reason);
      expect(found.power).to.equal('445');
    });

    it('works on in js where its modules are missing, and says so', async () => {
      const found = await findings('/bare/', 'page');
      const { engine, oldCiphers, wasmSimd, power, instances, warnings } = found;
      expect(found.forced).to.match(missing('aes'));
      expect(warnings).to.have.length(1);
      // Of what is asked for first.
      expect(warnings[0]).to.match(missing('montgomery'));
      expect(engine).to.equal('js');
      expect(oldCiphers).to.deep.equal(['js', 'js', 'js']);
      expect(wasmSimd).to.deep.include({ available: false, selfTest: 'skipped' });
      expect(wasmSimd.reason).to.match(missing('aes'));
      expect(power).to.equal('445');
      expect(instances).to.equal(0);
      expect(found.tested).to.equal('text');
    });
  });
}
