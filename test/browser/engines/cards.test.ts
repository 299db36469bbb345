import { expect } from 'chai';
import type { EngineReport } from '../../../src/engine/registry.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene, openVaultScene } from '../scene.ts';
import { serve } from '../server.ts';
import { SuitesInPage } from './suites-in-page.ts';

/*
 * The engines on a graphics card, on software rasterizers: Chromium brings them (SwiftShader); Firefox needs
 * the packages mesa-vulkan-drivers and libvulkan1 for WebGPU, is tested where $SEALWRIGHT_LAVAPIPE is set, and
 * has no WebGL2 without a window. `npm run nightly` has every vector run there, and the built library; in Node,
 * all vectors run over the same description of AES.
 */
const SWITCHES = {
  chromium: [
    '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
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

for (const name of ['webgpu', 'webgl'] as const) {
  describe(`AES on a graphics card, by ${name}`, () => {
    const suites = new SuitesInPage();
    before(() => suites.build(`test/browser/in-page/${name}${IS_NIGHTLY ? '-vectors' : ''}.ts`));
    after(() => suites.remove());

    for (const browser of WITH_ADAPTER) {
      if (name === 'webgl' && browser === 'firefox') continue;
      it(`is right inside ${browser}, whatever happens to the card`, async function () {
        this.timeout(600_000);
        await suites.run(browser, 20, { switches: SWITCHES });
      });
    }
  });
}

describe('the extension', () => {
  for (const browser of BROWSERS.filter((name) => name === 'chromium')) {
    it(`uses no card until the user switches it on, and says what there is, in ${browser}`, async function () {
      this.timeout(120_000);
      const scene = await openVaultScene(browser, { switches: SWITCHES });
      const { session } = scene;
      try {
        const settings = await session.newTab(session.extensionUrl('manager.html#settings'));
        await settings.click('#advanced > summary');
        await settings.waitFor('#graphics-card');
        const listed = async (): Promise<string> => {
          await settings.click('#engines > summary');
          await settings.waitFor('#engine-names');
          const names = await settings.text('#engine-names');
          await settings.click('#engines > summary');
          return names;
        };
        expect(await listed()).to.not.match(/web(gl|gpu)/);
        await settings.click('#graphics-card');
        await settings.waitUntil(
          () => /webgpu/.test(document.querySelector('#graphics-card-facts')?.textContent ?? ''),
          { timeoutMs: 60_000 },
        );
        expect(await settings.text('#graphics-card-facts')).to.match(/webgl.*Not used yet/s);
        // The choice outlives the page and the background.
        await session.killBackground();
        await settings.reload();
        await settings.waitUntil(() => document.querySelector('#graphics-card:checked') !== null);
      } finally {
        await closeScene(scene);
      }
    });
  }
});

/** What a page finds that has imported the built library. */
interface Findings {
  /** Scripts of the library before it was asked for a card, and after. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly reports: readonly EngineReport[];
  /** The same message from both cards and from another engine. */
  readonly digests: readonly string[];
  readonly below: string;
}

describe('the built library', () => {
  // Two places in which shaders are compiled and measured: half a minute.
  const withBoth = IS_NIGHTLY ? BROWSERS.filter((browser) => browser === 'chromium') : [];
  for (const browser of withBoth) {
    it(`loads the engines on a card where a page or a worker asks for them, in ${browser}`, async function () {
      // A software rasterizer compiles and measures for seconds, in each place.
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
          const { before, after, reports, digests, below } = found as Findings;
          expect(before, place).to.deep.equal(['subtle.js']);
          expect([...after].sort(), place).to.deep.equal(['webgl.js', 'webgpu.js']);
          expect(reports.map(({ name }) => name)).to.deep.equal(['webgl', 'webgpu']);
          for (const report of reports) {
            expect(report, place).to.deep.include({ available: true, selfTest: 'passed' });
            expect(report.algorithms).to.deep.equal(['AES-ECB', 'AES-CTR', 'AES-GCM', 'AES-OCB']);
          }
          expect(new Set(digests).size, place).to.equal(1);
          expect(['webgpu', 'webgl'], place).to.not.include(below);
        }
      } finally {
        await session.close();
        await server.close();
      }
    });
  }
});
