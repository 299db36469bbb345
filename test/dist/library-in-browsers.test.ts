import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
}

const LOOK = `
export async function look() {
  const { instantiate } = WebAssembly;
  let instances = 0;
  WebAssembly.instantiate = (...args) => {
    instances += 1;
    return instantiate(...args);
  };
  const { modExp } = await import('./lib/bigint.js');
  WebAssembly.instantiate = instantiate;
  const { createSubtle, engines } = await import('./lib/subtle.js');
  const wasmSimd = (await engines()).find(({ name }) => name === 'wasm-simd');
  const engine = (await createSubtle()).engineFor('AES-OCB', 65536);
  const { blockCipher } = await import('./lib/classical.js');
  const oldCiphers = [];
  for (const name of ['IDEA', 'Twofish', 'Serpent']) oldCiphers.push((await blockCipher(name)).engine);
  return { engine, oldCiphers, wasmSimd, power: String(modExp(4n, 13n, 497n)), instances };
}`;
const WORKER = `
import { look } from './look.js';
look().then((findings) => postMessage(findings), (error) => postMessage(String(error)));`;
const PAGE = `<!doctype html><meta charset="utf-8"><title>library</title>`;

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
          const { look } = (await import(`${location.href}look.js`)) as {
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
        const { engine, oldCiphers, wasmSimd, power, instances } = await findings('/', place);
        expect(engine).to.equal('wasm-simd');
        expect(oldCiphers).to.deep.equal(['wasm-simd', 'wasm-simd', 'wasm-simd']);
        expect(wasmSimd).to.deep.include({ available: true, selfTest: 'passed' });
        expect(power).to.equal('445');
        expect(instances).to.be.greaterThan(0);
      });
    }

    it('works on in js where its modules are missing, and says so', async () => {
      const { engine, oldCiphers, wasmSimd, power, instances } = await findings('/bare/', 'page');
      expect(engine).to.equal('js');
      expect(oldCiphers).to.deep.equal(['js', 'js', 'js']);
      expect(wasmSimd).to.deep.include({ available: false, selfTest: 'skipped' });
      expect(wasmSimd.reason).to.match(/aes\.\w+\.wasm: 404/);
      expect(power).to.equal('445');
      expect(instances).to.equal(0);
    });
  });
}
