import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { PING_EVERY_MS } from '../../../src/rpc/client/reconnecting-channel.ts';
import {
  answerPrompt,
  bytes,
  call,
  connect,
  lockVault,
  openEnabledSite,
  refusal,
  SEAL_AND_OPEN,
  succeed,
  unlockVault,
  waitForPrompts,
} from '../steps.ts';

/*
 * Which frames are served. What decides is the origin that the browser names for the sender
 * (platform notes, "Who is calling"): opaque ones have no API; a frame of another site than the
 * page has one that refuses; whatever inherits the page's origin is as good as the page.
 */
const ANSWERED = { call: 'answered', random: true };
const REFUSED = { call: 'UNSUPPORTED', random: true };
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

type Method = (first?: unknown) => Promise<unknown>;
type Sealing = Record<'seal' | 'open' | 'connect' | 'status', Method> & {
  readonly subtle: { digest(name: string, data: Uint8Array): Promise<unknown> };
  sealStream(): TransformStream<Uint8Array, Uint8Array>;
};
type Site = typeof globalThis & {
  sealwright: Sealing;
  /** Whether the page is back from the back/forward cache; undefined while it has not left. */
  isRestored?: boolean;
  /** What became of the stream's results. */
  piped: Promise<string>;
  writer: WritableStreamDefaultWriter<Uint8Array>;
  ended: Record<string, string>;
};

/** How a page is left. */
interface Leaving {
  readonly isBusy?: boolean;
  /** Done while another page is there, and undone where the page has to be left once more. */
  readonly meanwhile?: {
    readonly work: () => Promise<void>;
    readonly undo: () => Promise<unknown>;
  };
}

/** A browser may drop any document of its history: the page is then loaded, and left, anew. */
const TRIES = 3;

/**
 * Leaves the page with a stream open, for another page in the same tab, and comes back by the history to the document as it
 * was. Nothing of the stream is under way then, unless it is busy.
 */
async function leaveAndReturn(site: Tab, elsewhere: string, leaving: Leaving = {}): Promise<void> {
  const url = await site.url();
  for (let left = TRIES; left > 0; left--) {
    if (await isBackInPlace(site, elsewhere, leaving)) return;
    await site.goto(url);
    await leaving.meanwhile?.undo();
  }
  throw new Error(`The browser kept no document in its history, ${TRIES} times`);
}

/** @returns whether the document came back, and not a new one */
async function isBackInPlace(
  site: Tab,
  elsewhere: string,
  { isBusy = false, meanwhile }: Leaving,
): Promise<boolean> {
  await site.evaluate(async (isBusy) => {
    const page = globalThis as Site;
    delete page.isRestored;
    const { readable, writable } = page.sealwright.sealStream();
    let resultBytes = 0;
    const write = (chunk: Uint8Array): void => void (resultBytes += chunk.length);
    page.piped = readable.pipeTo(new WritableStream({ write })).then(
      () => 'sealed',
      (error: unknown) => (error as { code: string }).code,
    );
    page.writer = writable.getWriter();
    page.writer.closed.catch(() => undefined);
    await page.writer.write(new Uint8Array(2 ** 20));
    for (let i = 0; isBusy && i < 32; i++) {
      page.writer.write(new Uint8Array(2 ** 20)).catch(() => undefined);
    }
    for (let before = -1; !isBusy && (resultBytes === 0 || before < resultBytes);) {
      before = resultBytes;
      await page.sealwright.status();
      await new Promise((resume) => setTimeout(resume, 200));
    }
    const once = { once: true };
    addEventListener('pageshow', ({ persisted }) => (page.isRestored = persisted), once);
  }, isBusy);
  await site.goto(elsewhere);
  await meanwhile?.work();
  // A task later: the answer to this script does not outlive the page.
  await site.evaluate(() => void setTimeout(() => history.back(), 50));
  // A document that is loaded anew has no stream.
  await site.waitUntil(
    (left) => {
      const { isRestored, writer } = globalThis as Partial<Site>;
      return !location.href.startsWith(left) && (isRestored !== undefined || !writer);
    },
    {},
    elsewhere,
  );
  return site.evaluate(() => (globalThis as Site).isRestored === true);
}

/** Writes more into the stream that was open, and closes it. @returns what became of its results */
const restOfStream = (site: Tab) =>
  site.evaluate(async () => {
    const { piped, writer } = globalThis as Site;
    await writer.write(new Uint8Array(2 ** 21)).catch(() => undefined);
    await writer.close().catch(() => undefined);
    return await piped;
  });

/**
 * Calls the API of a frame that is removed, and of one that has gone elsewhere. What becomes of the calls is
 * gathered in `globalThis.ended`: only callbacks of this document run, so it cannot be awaited. Runs in
 * the page.
 */
async function callGoneDocuments(elsewhere: string): Promise<void> {
  const ended: Record<string, string> = {};
  Object.assign(globalThis, { ended });
  const watch = (name: string, call: Promise<unknown>): void =>
    void call.then(
      () => (ended[name] = 'answered'),
      (error: unknown) => {
        const { code, name: kind } = error as { code?: string | number; name: string };
        ended[name] = typeof code === 'string' ? code : kind;
      },
    );
  const apiOf = async (frame: HTMLIFrameElement, address: string): Promise<Sealing> => {
    frame.src = address;
    document.body.append(frame);
    for (;;) {
      await new Promise((resume) => setTimeout(resume, 20));
      const { sealwright } = frame.contentWindow as unknown as Partial<Site>;
      if (sealwright && (await sealwright.status())) return sealwright;
    }
  };
  const removed = document.createElement('iframe');
  const first = await apiOf(removed, 'blank.html?removed');
  watch('under way', first.seal(new Uint8Array(1)));
  removed.remove();
  const navigated = document.createElement('iframe');
  const second = await apiOf(navigated, 'blank.html?navigated');
  await new Promise((resolve) => {
    navigated.onload = resolve;
    navigated.src = elsewhere;
  });
  watch('removed, seal', first.seal(new Uint8Array(1)));
  watch('removed, digest', first.subtle.digest('SHA-256', new Uint8Array(1)));
  watch('navigated, seal', second.seal(new Uint8Array(1)));
  watch('navigated, digest', second.subtle.digest('SHA-256', new Uint8Array(1)));
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
      await waitForPrompts(session, 2);
      await Promise.all([site.close(), sameSite.close()]);
      for (const left of [1, 0]) {
        await (await session.waitForTab('prompt.html')).close();
        await waitForPrompts(session, left);
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
          {},
          Object.keys(EXPECTED).length,
        )
        // What is missing then shows in the comparison.
        .catch(() => undefined);
      expect(await seen(site)).to.deep.equal(EXPECTED);
      await site.close();
    });

    it('that share their domain with the page by script keep the rights of their own origin', async () => {
      const { port } = new URL(server.origin);
      const hosts = ['site.localhost', 'sub.site.localhost'];
      for (const host of hosts) await session.willAllow(`http://${host}/*`);
      const [top, sub] = hosts.map((host) => `http://${host}:${port}`);
      await (await openEnabledSite(session, `${sub}/blank.html`)).close();
      const site = await openEnabledSite(session, `${top}/blank.html?shared-domain`);
      await connect(session, site);
      const outcomes = await site.evaluate(async (address) => {
        const outcomeOf = (call: Promise<unknown>): Promise<string> =>
          call.then(
            () => 'answered',
            (error: unknown) => (error as { code: string }).code,
          );
        const frame = document.createElement('iframe');
        frame.src = address;
        const loaded = new Promise((resolve) => (frame.onload = resolve));
        document.body.append(frame);
        await loaded;
        Reflect.set(document, 'domain', 'site.localhost');
        const inside = frame.contentWindow as unknown as Partial<Site>;
        while (!inside.sealwright) await new Promise((resume) => setTimeout(resume, 20));
        const own = (globalThis as Site).sealwright;
        const sealed = await own.seal(new Uint8Array(3));
        return {
          'the page opens': await outcomeOf(own.open(sealed)),
          'the frame seals': await outcomeOf(inside.sealwright.seal(new Uint8Array(3))),
          'the frame opens': await outcomeOf(inside.sealwright.open(sealed)),
          'the frame is told': await outcomeOf(inside.sealwright.status()),
        };
      }, `${sub}/shared-domain.html?shared-domain`);
      expect(outcomes).to.deep.equal({
        'the page opens': 'answered',
        'the frame seals': 'NOT_GRANTED',
        'the frame opens': 'NOT_GRANTED',
        'the frame is told': 'answered',
      });
      await site.close();
    });

    // Firefox prerenders no page.
    if (browser === 'chromium') {
      it('that are prerendered ask the user nothing before they are shown', async () => {
        // What happened there is read here: the protocol loses the tab in which a page takes another's place.
        const happened = () => observer.evaluate(() => localStorage.getItem('happened') ?? '');
        // Of the site whose questions were refused above, none is shown for a while.
        const observer = await session.newTab(`${server.otherOrigin}/blank.html?observes`);
        await observer.evaluate(() => localStorage.removeItem('happened')); // of a first try
        // In front: tabs in the background prerender nothing.
        const site = await openEnabledSite(session, `${server.otherOrigin}/blank.html?prerenders`);
        await site.evaluate(() => {
          const rules = document.createElement('script');
          rules.type = 'speculationrules';
          rules.textContent = JSON.stringify({
            prerender: [{ source: 'list', urls: ['prerendered.html'], eagerness: 'immediate' }],
          });
          document.head.append(rules);
        });
        const asked = () => localStorage.getItem('happened') !== null;
        await observer.waitUntil(asked);
        expect(await happened()).to.equal('asked, unseen');
        expect(await succeed(site, 'status')).to.have.property('locked', false);
        expect(await session.countTabs('prompt.html')).to.equal(0);
        await site.evaluate(() => void setTimeout(() => (location.href = 'prerendered.html')));
        await answerPrompt(session);
        const all = 'asked, unseen; shown; answered; connected';
        await observer.waitUntil(
          (end) => localStorage.getItem('happened')!.length >= end,
          {},
          all.length,
        );
        expect(await happened()).to.equal(all);
      });
    }

    it('that the server sandboxes, as pages of their own, have no API', async () => {
      const site = await session.newTab(`${server.origin}/probe.html?csp=sandbox&name=top`);
      expect(await site.evaluate(() => 'sealwright' in globalThis)).to.equal(false);
      await site.close();
    });
  });

  describe(`documents that go and come back, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;
    let elsewhere: string;

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
      site = await openEnabledSite(session, `${server.origin}/blank.html`);
      elsewhere = `${server.otherOrigin}/blank.html?elsewhere`;
      await connect(session, site);
    });

    after(() => closeScene({ session, server }));

    it('from the back/forward cache have their calls answered without waiting for a ping', async () => {
      await leaveAndReturn(site, elsewhere);
      // The line is found dead by the second ping at the earliest, if by nothing else.
      const first = await site.evaluate(async (pingMs) => {
        const ping = new Promise((resolve) => setTimeout(resolve, pingMs, 'a ping'));
        const { sealwright } = globalThis as Site;
        return await Promise.race([
          sealwright.seal(new Uint8Array(3)).then(() => 'the call'),
          ping,
        ]);
      }, PING_EVERY_MS);
      expect(first).to.equal('the call');
      expect(await restOfStream(site)).to.equal('sealed');
    });

    it('lose at worst what was under way, with an error, and are served again', async () => {
      await leaveAndReturn(site, elsewhere, { isBusy: true });
      // Firefox drops messages over the window that are under way when their document leaves.
      const ends = browser === 'firefox' ? ['sealed', 'DISCONNECTED'] : ['sealed'];
      expect(await restOfStream(site)).to.be.oneOf(ends);
      await site.evaluate(async () => {
        const seal = (): Promise<boolean> =>
          (globalThis as Site).sealwright.seal(new Uint8Array(3)).then(
            () => true,
            () => false,
          );
        while (!(await seal())) await new Promise((resume) => setTimeout(resume, 20));
      });
    });

    it('find the vault locked that was locked meanwhile, also for a stream that was open', async () => {
      const meanwhile = { work: () => lockVault(session), undo: () => unlockVault(session) };
      await leaveAndReturn(site, elsewhere, { meanwhile });
      expect(await restOfStream(site)).to.equal('LOCKED');
      expect(await refusal(site, 'seal', bytes(1))).to.equal('LOCKED');
      await unlockVault(session);
      expect(await succeed(site, 'seal', bytes(1))).to.have.property('$bytes');
    });

    it('find the permission gone that was revoked meanwhile, also for a stream that was open', async () => {
      const work = async (): Promise<void> => {
        const other = await session.newTab(`${server.origin}/blank.html?revoking`);
        await succeed(other, 'revoke');
        await other.close();
      };
      const meanwhile = { work, undo: () => connect(session, site) };
      await leaveAndReturn(site, elsewhere, { meanwhile });
      expect(await restOfStream(site)).to.equal('NOT_GRANTED');
      expect(await refusal(site, 'seal', bytes(1))).to.equal('NOT_GRANTED');
      await connect(session, site);
    });

    it('leave no call to their API without an end', async () => {
      const expected = {
        // Firefox runs no promise job of a script whose frame is removed, not even of calls under way.
        ...(browser === 'chromium' && { 'under way': 'DISCONNECTED' }),
        'removed, seal': 'DISCONNECTED',
        'removed, digest': 'OperationError',
        'navigated, seal': 'DISCONNECTED',
        'navigated, digest': 'OperationError',
      };
      await site.evaluate(callGoneDocuments, elsewhere);
      await site
        .waitUntil(
          (n) => Object.keys((globalThis as Site).ended).length === n,
          {},
          Object.keys(expected).length,
        )
        // What is missing then shows in the comparison.
        .catch(() => undefined);
      expect(await site.evaluate(() => (globalThis as Site).ended)).to.deep.equal(expected);
    });

    it('are gone before the user answers: the next document gets nothing of it', async () => {
      const asking = await openEnabledSite(session, `${server.otherOrigin}/blank.html?asking`);
      await asking.evaluate(() => {
        const { sealwright } = globalThis as Site;
        void sealwright.connect({ purpose: 'Ask and go', capabilities: ['seal'] }).catch(() => 0);
      });
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#allow[aria-disabled="false"]');
      expect(await prompt.text('body')).to.include(new URL(server.otherOrigin).host);
      await asking.goto(`${server.origin}/blank.html?next`);
      await asking.waitUntil(() => 'sealwright' in globalThis);
      await prompt.click('#allow').catch(() => 'it closed with the document that asked');
      await waitForPrompts(session, 0);
      const grants = (await succeed(asking, 'grants')) as { purpose?: string }[];
      expect(JSON.stringify(grants)).not.to.include('Ask and go');
      expect(grants).to.have.length(1);
      await asking.close();
    });
  });
}
