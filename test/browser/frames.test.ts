import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import { closeScene, openVaultScene } from './scene.ts';
import { serve, type TestServer } from './server.ts';
import { call, openEnabledSite, refusal, SEAL_AND_OPEN } from './steps.ts';

/*
 * Which frames are served. What decides is the origin that the browser names for the sender
 * (platform notes, "Who is calling"): opaque ones have no API; a frame of another site than the
 * page has one that refuses; whatever inherits the page's origin is as good as the page.
 */
const ANSWERED = { call: 'answered', random: true };
const REFUSED = { call: 'NOT_GRANTED', random: true };
const NOTHING = { call: 'none', random: false };

const EXPECTED = {
  top: ANSWERED,
  'same origin': ANSWERED,
  'another origin, enabled': REFUSED,
  'another origin, not enabled': NOTHING,
  'same origin as the top, inside another origin': ANSWERED,
  // Without allow-same-origin a sandbox's origin is opaque; with it, it is the page's own.
  'sandbox allow-scripts': NOTHING,
  'sandbox allow-scripts allow-same-origin': ANSWERED,
  'sandbox allow-scripts, srcdoc': NOTHING,
  'sandbox allow-scripts, another origin': NOTHING,
  srcdoc: ANSWERED,
  'about:blank': ANSWERED,
  'blob:': ANSWERED,
  'data:': NOTHING,
};

/** One frame of each kind; what they post is gathered in `globalThis.seen`. Runs in the page. */
function addFrames(probe: string, others: { enabled: string; notEnabled: string }): void {
  const seen: Record<string, object> = {};
  Object.assign(globalThis, { seen });
  addEventListener('message', ({ data }: MessageEvent<Record<string, unknown> | null>) => {
    if (typeof data?.frame !== 'string') return;
    seen[data.frame] = { call: data.call, random: data.random };
  });
  const document_ = `<!doctype html><script>${probe}</script>`;
  const add = (name: string, setUp: (frame: HTMLIFrameElement) => void): void => {
    const frame = document.createElement('iframe');
    frame.name = name;
    setUp(frame);
    document.body.append(frame);
  };
  const runProbe = (document_: Document): void => {
    const script = document_.createElement('script');
    script.textContent = probe;
    document_.documentElement.append(script);
  };

  window.name = 'top';
  runProbe(document);
  add('same origin', (frame) => (frame.src = 'probe.html'));
  add('another origin, enabled', (frame) => (frame.src = `${others.enabled}/probe.html`));
  add('another origin, not enabled', (frame) => (frame.src = `${others.notEnabled}/probe.html`));
  add('', (frame) => (frame.src = `${others.enabled}/frame-of-other.html`));
  for (const sandbox of ['allow-scripts', 'allow-scripts allow-same-origin']) {
    add(`sandbox ${sandbox}`, (frame) => {
      frame.setAttribute('sandbox', sandbox);
      frame.src = 'probe.html';
    });
  }
  add('sandbox allow-scripts, srcdoc', (frame) => {
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.srcdoc = document_;
  });
  add('sandbox allow-scripts, another origin', (frame) => {
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = `${others.enabled}/probe.html`;
  });
  add('srcdoc', (frame) => (frame.srcdoc = document_));
  add('about:blank', (frame) => {
    frame.addEventListener('load', () => runProbe(frame.contentDocument!), { once: true });
  });
  add('blob:', (frame) => {
    frame.src = URL.createObjectURL(new Blob([document_], { type: 'text/html' }));
  });
  add('data:', (frame) => (frame.src = `data:text/html,${encodeURIComponent(document_)}`));
}

for (const browser of BROWSERS) {
  describe(`frames, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
    });

    after(() => closeScene({ session, server }));

    const seen = (site: Tab) =>
      site.evaluate(() => (globalThis as unknown as { seen: Record<string, object> }).seen);

    it('and pages of one tab, and tabs of one site, ask the user once at a time', async () => {
      const ask = (tab: Tab) => refusal(tab, 'connect', SEAL_AND_OPEN);
      const second = await serve('test/browser/fixtures');
      const site = await openEnabledSite(session, `${server.origin}/blank.html?asks`);
      const asking = call(site, 'connect', SEAL_AND_OPEN);
      asking.catch(() => undefined);
      await session.waitForTab('prompt.html');
      const sameSite = await openEnabledSite(session, `${server.origin}/blank.html?asks-too`);
      const otherRequest = { purpose: 'Another purpose', capabilities: ['seal'] };
      expect(await refusal(sameSite, 'connect', otherRequest)).to.equal('QUOTA');
      await site.goto(`${second.origin}/blank.html`);
      await site.waitUntil(() => 'sealwright' in globalThis);
      expect(await ask(site), 'another site in the same tab').to.equal('QUOTA');
      const honest = await openEnabledSite(session, `${second.origin}/blank.html`);
      const waiting = call(honest, 'connect', SEAL_AND_OPEN);
      const untilOpen = async (count: number): Promise<void> => {
        while ((await session.countTabs('prompt.html')) !== count) {
          await new Promise((resume) => setTimeout(resume, 20));
        }
      };
      await untilOpen(2);
      await Promise.all([site.close(), sameSite.close()]);
      for (const left of [1, 0]) {
        await (await session.waitForTab('prompt.html')).close();
        await untilOpen(left);
      }
      expect(await waiting).to.include({ code: 'USER_REJECTED' });
      await honest.close();
      await second.close();
    });

    it('are served, refused or left alone by the origin that the browser gives them', async () => {
      // The other site is enabled too: what refuses its frame is that it stands in this page.
      await (await openEnabledSite(session, `${server.otherOrigin}/blank.html`)).close();
      const site = await openEnabledSite(session, `${server.origin}/blank.html?frames`);
      const probe = await readFile('test/browser/fixtures/probe.js', 'utf8');
      const notEnabled = server.origin.replace('localhost', 'elsewhere.localhost');
      await site.evaluate(addFrames, probe, { enabled: server.otherOrigin, notEnabled });
      await site
        .waitUntil(
          (count) => Object.keys((globalThis as unknown as { seen: object }).seen).length === count,
          { timeoutMs: 15_000 },
          Object.keys(EXPECTED).length,
        )
        // What is missing then shows in the comparison.
        .catch(() => undefined);
      expect(await seen(site)).to.deep.equal(EXPECTED);
      await site.close();
    });

    it('that the server sandboxes, as pages of their own, have no API', async () => {
      const site = await session.newTab(`${server.origin}/probe.html?csp=sandbox&name=top`);
      expect(await site.evaluate(() => 'sealwright' in globalThis)).to.equal(false);
      await site.close();
    });
  });
}
