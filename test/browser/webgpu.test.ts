import { expect } from 'chai';
import type { EngineReport } from '../../src/engine/registry.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { serve } from './server.ts';
import { SuitesInPage } from './suites-in-page.ts';

/*
 * The engine `webgpu` on a software rasterizer: Chromium brings one (SwiftShader), Firefox needs the packages
 * mesa-vulkan-drivers and libvulkan1, and is tested where $SEALWRIGHT_LAVAPIPE is set. `npm run nightly` has
 * every vector run there; in Node, all of them run over the same description of AES.
 */
const SWITCHES = {
  chromium: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
  firefox: {
    'dom.webgpu.enabled': true,
    'dom.webgpu.workers.enabled': true,
    'gfx.webgpu.ignore-blocklist': true,
    'gfx.blocklist.all': -1,
  },
} as const;

const WITH_ADAPTER = BROWSERS.filter(
  (browser) => browser === 'chromium' || process.env['SEALWRIGHT_LAVAPIPE'] !== undefined,
);

describe('AES on a graphics card, by WebGPU', () => {
  const suites = new SuitesInPage();
  before(() => suites.build(`test/browser/in-page/webgpu${IS_NIGHTLY ? '-vectors' : ''}.ts`));
  after(() => suites.remove());

  for (const browser of WITH_ADAPTER) {
    it(`is right inside ${browser}, whatever happens to the device`, async function () {
      this.timeout(600_000);
      await suites.run(browser, 20, { switches: SWITCHES });
    });
  }
});

/** What a page finds that has imported the built library. */
interface Findings {
  readonly scripts: readonly string[];
  readonly report: EngineReport | undefined;
  readonly named: string;
  readonly below: string;
}

describe('the built library', () => {
  for (const browser of WITH_ADAPTER) {
    it(`loads WebGPU's engine where a page or a worker asks for it, in ${browser}`, async function () {
      // Firefox tells of each result a tenth of a second late.
      this.timeout(300_000);
      const server = await serve('dist', 'test/browser/in-page');
      const session = await launch(browser, { switches: SWITCHES });
      try {
        for (const place of ['page', 'worker']) {
          const tab = await session.newTab(`${server.origin}/library.html?${place}`);
          await tab.waitUntil(() => 'findings' in globalThis, { timeoutMs: 120_000 });
          const found = await tab.evaluate(
            () => (globalThis as unknown as { findings: Findings | string }).findings,
          );
          expect(found, place).to.not.be.a('string');
          const { scripts, report, named, below } = found as Findings;
          expect(scripts, place).to.deep.equal(['subtle.js', 'webgpu.js']);
          expect(report, place).to.deep.include({ available: true, selfTest: 'passed' });
          expect(report!.algorithms).to.deep.equal(['AES-ECB', 'AES-CTR', 'AES-GCM']);
          expect(named, place).to.equal('webgpu');
          expect(below, place).to.not.equal('webgpu');
        }
      } finally {
        await session.close();
        await server.close();
      }
    });
  }
});
