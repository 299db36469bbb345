import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { SCREEN_NAMES } from '../../../extension/manager/screens.ts';
import type { LaunchOptions } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { poll, PATIENCE_MS } from '../drivers/page-function.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { auditLogSaved, connect, openEnabledSite, openPopup, succeed } from '../steps.ts';

/** What the browsers ask of their makers by themselves. */
const OF_BROWSERS = /(^|\.)(google|googleapis|gstatic|gvt1|mozilla|firefox)\.(com|net|org)$/;
/** Asked for by the page: shows that the proxy sees what leaves the machine. */
const CONTROL = 'control.example';

/** A proxy that forwards nothing, and notes which hosts are asked for. */
async function countingProxy() {
  const hosts = new Set<string>();
  const note = (address: string): void => void hosts.add(new URL(address).hostname);
  const proxy = createServer((request, response) => {
    note(request.url ?? '');
    response.writeHead(403).end();
  });
  proxy.on('connect', (request, socket) => {
    note(`https://${request.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const close = (): void => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { port, hosts, close };
}

/** Local addresses go past it in both browsers. */
const behind = (port: number): NonNullable<LaunchOptions['switches']> => ({
  chromium: [`--proxy-server=http://127.0.0.1:${port}`],
  firefox: {
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': port,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': port,
  },
});

for (const browser of BROWSERS) {
  describe(`the extension behind a proxy, in ${browser}`, function () {
    this.timeout(120_000);
    let proxy: Awaited<ReturnType<typeof countingProxy>>;
    let scene: Scene;

    before(async () => {
      proxy = await countingProxy();
      scene = await openVaultScene(browser, { switches: behind(proxy.port) });
    });

    after(async () => {
      await closeScene(scene);
      proxy.close();
    });

    it('asks no host for anything, and leaves the page’s document as it is', async () => {
      const { session, server } = scene;
      const site = await openEnabledSite(session, `${server.origin}/blank.html`);
      const document_ = () => site.evaluate(() => document.documentElement.outerHTML);
      const before = await document_();
      await connect(session, site);
      const sealed = await succeed(site, 'sealText', 'a text');
      expect(await succeed(site, 'openText', sealed)).to.equal('a text');
      await succeed(site, 'random', 32);
      expect(await document_()).to.equal(before);
      const manager = await session.newTab(session.extensionUrl('manager.html'));
      for (const screen of SCREEN_NAMES) {
        await manager.goto(session.extensionUrl(`manager.html#${screen}`));
        await manager.waitFor('#view-title');
      }
      await (await openPopup(session)).waitFor('#lock-now');
      await auditLogSaved();
      const asks = (host: string) => void fetch(`http://${host}/`).catch(() => undefined);
      await site.evaluate(asks, CONTROL);
      await poll('the page’s own request', PATIENCE_MS, () =>
        Promise.resolve(proxy.hosts.has(CONTROL) || undefined),
      );
      const others = [...proxy.hosts].filter((host) => !OF_BROWSERS.test(host));
      expect(others).to.deep.equal([CONTROL]);
    });
  });
}
