import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';
import { UI_METHODS } from '../../../src/rpc/methods/ui.ts';
import { chromiumFirst, inAll, inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import {
  askOnStolenPort,
  callUntilAnswered,
  forgeForOther,
  forgeMessages,
  watchForErrors,
} from '../in-page/attacks/forgeries.ts';
import { storedBytes } from '../in-page/attacks/stored-bytes.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import {
  auditLogSaved,
  bytes,
  connect,
  openEnabledSite,
  openPopup,
  openSitePopup,
  succeed,
  unlockVault,
} from '../steps.ts';

/** By a page, in one test. */
const FORGED = IS_NIGHTLY ? 100_000 : 4_000;

type Moment = 'first' | 'after' | 'late';

/**
 * A frame for each poison of fixtures/poison.js, which breaks the built-ins of its own realm alone.
 * Runs in the page around them; what they tell is gathered in `globalThis.outcomes`.
 */
async function startPoisons(moment: Moment): Promise<string[]> {
  const outcomes: Record<string, string> = {};
  Object.assign(globalThis, { outcomes });
  const add = (query: string): Promise<unknown> => {
    const frame = document.createElement('iframe');
    frame.src = `poison.html?${query}`;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    return loaded;
  };
  const names = await new Promise<string[]>((resolve) => {
    addEventListener('message', ({ data }: MessageEvent<Record<string, unknown> | null>) => {
      if (Array.isArray(data?.poisons)) resolve(data.poisons as string[]);
      else if (typeof data?.poison === 'string') outcomes[data.poison] = String(data.outcome);
    });
    void add('');
  });
  // Loaded, they are poisoned: what comes later comes too late.
  await Promise.all(
    names.map((name) => add(String(new URLSearchParams({ poison: name, moment })))),
  );
  return names;
}

/** Here the page's own code runs where a promise is resolved or an object is filled: it may throw. */
const MAY_REJECT = [
  'items of Array.prototype',
  'Object.prototype.then',
  'values in Object.prototype: messages',
  'values in Object.prototype: descriptors',
];

/** What the page around the poisoned frames holds. */
interface World {
  readonly outcomes: Readonly<Record<string, string>>;
}

/** What a page holds of its 20,000 calls. */
interface Flood {
  readonly counts: Readonly<Record<string, number>>;
  readonly settled: number;
  /** When the last so far was settled. */
  readonly lastAt: number;
}

async function outcomesOfPoisons(site: Tab, names: readonly string[]) {
  await site.waitUntil(
    (count) => Object.keys((globalThis as unknown as World).outcomes).length === count,
    { timeoutMs: 60_000 },
    names.length,
  );
  return await site.evaluate(() => (globalThis as unknown as World).outcomes);
}

/** Pages that load from now on get no scripts of ours. */
async function withoutRegistrations(session: BrowserSession): Promise<void> {
  const popup = await openPopup(session);
  await popup.evaluate(async () => {
    type Scripting = { scripting: { unregisterContentScripts(): Promise<void> } };
    await (
      globalThis as unknown as { chrome: Scripting }
    ).chrome.scripting.unregisterContentScripts();
  });
  await popup.close();
}

/** Wraps all functions of messages and events in proxies, seals and opens, and says which were called meanwhile. */
async function sealUnderProxies(): Promise<{ seen: string[]; lengths: number[] }> {
  type Functions = Record<string, (...list: unknown[]) => unknown>;
  type Provider = Record<'seal' | 'open', (bytes: Uint8Array) => Promise<Uint8Array>>;
  const { sealwright } = globalThis as unknown as { sealwright: Provider };
  const seen: string[] = [];
  for (const capture of [true, false]) {
    addEventListener('message', ({ data }) => seen.push(JSON.stringify(data)), capture);
  }
  const wrap = (holder: object, ...names: string[]): void => {
    for (const name of names) {
      const apply = (target: () => unknown, self: unknown, list: unknown[]): unknown => {
        seen.push(name);
        return Reflect.apply(target, self, list);
      };
      (holder as Functions)[name] = new Proxy((holder as Functions)[name]!, { apply });
    }
  };
  wrap(globalThis, 'postMessage', 'structuredClone', 'queueMicrotask', 'setTimeout');
  wrap(MessagePort.prototype, 'postMessage', 'start', 'close');
  wrap(EventTarget.prototype, 'addEventListener', 'removeEventListener', 'dispatchEvent');
  wrap(Event.prototype, 'stopImmediatePropagation', 'composedPath');
  for (const name of ['data', 'origin', 'source', 'ports'] as const) {
    const property = Object.getOwnPropertyDescriptor(MessageEvent.prototype, name)!;
    const apply = (target: () => unknown, self: unknown): unknown => {
      seen.push(name);
      return Reflect.apply(target, self, []);
    };
    Object.defineProperty(MessageEvent.prototype, name, {
      ...property,
      get: new Proxy(Reflect.get(property, 'get') as () => unknown, { apply }),
    });
  }
  const lengths: number[] = [];
  for (const length of [3, 40_000, 300_000]) {
    const opened = await sealwright.open(await sealwright.seal(new Uint8Array(length).fill(7)));
    if (opened.every((byte) => byte === 7)) lengths.push(opened.length);
  }
  return { seen, lengths };
}

for (const browser of BROWSERS) {
  const alike = chromiumFirst(browser);

  describe(`pages that poison their built-ins, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let other: Tab;
    let sealed: unknown;

    before(async () => {
      ({ session, server, site: other } = await openSharedSiteScene(browser));
      await connect(session, other);
      sealed = await succeed(other, 'seal', bytes(1, 2, 3));
    });

    afterEach('other pages go on as before', async () => {
      expect(await succeed(other, 'open', sealed)).to.deep.equal(bytes(1, 2, 3));
    });

    after(() => closeSharedSiteScene({ server, site: other }));

    for (const moment of inDepth<readonly Moment[]>(['first', 'after'], ['first'])) {
      const when = moment === 'first' ? 'in their first script' : 'after their first call';
      alike(`${when} get right answers`, async () => {
        const site = await openEnabledSite(session, `${server.origin}/blank.html?${moment}`);
        const names = await site.evaluate(startPoisons, moment);
        const outcomes = await outcomesOfPoisons(site, names);
        const others = Object.entries(outcomes).filter(
          ([name, outcome]) =>
            outcome !== 'right' && !(MAY_REJECT.includes(name) && outcome.startsWith('rejected')),
        );
        expect(others).to.deep.equal([]);
        await site.close();
      });
    }

    inAll(
      'before Sealwright came get right answers, or find no API until they reload',
      async () => {
        const site = await openEnabledSite(session, `${server.otherOrigin}/blank.html?late`);
        await withoutRegistrations(session);
        await site.reload();
        const names = await site.evaluate(startPoisons, 'late' as const);
        // As after an update, the extension serves the tabs that it finds open.
        await session.reloadExtension();
        await unlockVault(session);
        await site.waitUntil(() => 'sealwright' in globalThis);
        await connect(session, site);
        // Frames are served at the same time: once one has got its answers, the others have the API too,
        // or never will.
        await site.waitUntil(() => 'none' in (globalThis as unknown as World).outcomes);
        await site.evaluate(() => void Object.assign(globalThis, { isServed: true }));
        const outcomes = await outcomesOfPoisons(site, names);
        const others = Object.entries(outcomes).filter(
          ([name, outcome]) =>
            !['right', 'no API'].includes(outcome) &&
            !(MAY_REJECT.includes(name) && outcome.startsWith('rejected')),
        );
        expect(others).to.deep.equal([]);
        expect(outcomes.none).to.equal('right');
        expect(Object.values(outcomes)).to.include('no API');
        await site.close();
      },
    );
  });

  describe(`a hostile page, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let first: Tab;
    let popup: Tab;

    const digest = async (): Promise<string> =>
      createHash('sha256')
        .update(await popup.evaluate(storedBytes))
        .digest('hex');
    const errorsIn = (tab: Tab) =>
      tab.evaluate(() => (globalThis as unknown as { uncaught: string[] }).uncaught);

    before(async () => {
      ({ session, server, site: first } = await openSharedSiteScene(browser));
      await connect(session, first);
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, other);
      await other.close();
      popup = await openPopup(session);
      await popup.evaluate(watchForErrors);
      await auditLogSaved();
    });

    after(async () => {
      await popup.close().catch(() => undefined); // the last test may have closed it
      await closeSharedSiteScene({ server, site: first });
    });

    alike(`that forges ${FORGED} messages changes nothing and breaks nothing`, async function () {
      this.timeout(FORGED * 12);
      const site = await session.newTab(`${server.origin}/blank.html`);
      await site.evaluate(watchForErrors);
      const [before, grants] = [await digest(), await succeed(site, 'grants')];
      const { posted } = await site.evaluate(forgeMessages, FORGED);
      expect(posted).to.equal(FORGED);
      const { answered, failures } = await site.evaluate(callUntilAnswered);
      // It can forge a content script that never answers: that costs it calls of its own.
      expect(failures.filter((code) => code !== 'DISCONNECTED')).to.deep.equal([]);
      expect(answered, 'API answers').to.equal(true);
      expect(await succeed(site, 'grants')).to.deep.equal(grants);
      expect(await digest()).to.equal(before);
      expect(await errorsIn(site)).to.deep.equal([]);
      expect(await errorsIn(popup)).to.deep.equal([]);
      expect(await session.countTabs('prompt.html')).to.equal(0);
      await site.close();
    });

    alike('that takes the port for itself can say no more than the API can', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      await site.evaluate(watchForErrors);
      const before = await digest();
      const others = [
        '',
        'constructor',
        '__proto__',
        'toString',
        'ui.',
        'subtle.createHash',
        'info',
      ];
      const surface = Object.keys(UI_METHODS);
      const methods = ['status', ...surface, ...others];
      const outcomes = await site.evaluate(askOnStolenPort, methods, 10_000, browser === 'firefox');
      expect(outcomes.map(([name]) => name)).to.deep.equal([...methods, 'status, after the noise']);
      const unexpected = outcomes.filter(
        ([name, outcome]) => outcome !== (name.startsWith('status') ? 'answered' : 'UNSUPPORTED'),
      );
      expect(unexpected).to.deep.equal([]);
      expect(surface.length).to.be.greaterThan(10);
      expect(Object.keys(PAGE_METHODS).filter((name) => surface.includes(name))).to.deep.equal([]);
      expect(await digest()).to.equal(before);
      expect(await errorsIn(popup)).to.deep.equal([]);
      await site.close();
    });

    it('that wraps all functions of messages and events in proxies sees no message of ours', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const seen = await site.evaluate(sealUnderProxies);
      expect(seen).to.deep.equal({ seen: [], lengths: [3, 40_000, 300_000] });
      await site.close();
    });

    it('that opened a page of another site, or was opened by one, hears and changes nothing there', async () => {
      const opener = await session.newTab(`${server.otherOrigin}/blank.html?opener`);
      await opener.evaluate((address) => {
        const button = document.createElement('button');
        button.id = 'open';
        button.textContent = 'Open';
        button.onclick = () => void Object.assign(globalThis, { other: open(address) });
        document.body.append(button);
      }, `${server.origin}/blank.html?opened`);
      await opener.click('#open');
      const opened = await session.waitForTab('?opened');
      await opened.waitUntil(() => 'sealwright' in globalThis);
      await opened.evaluate(() => void Object.assign(globalThis, { other: opener }));
      for (const tab of [opener, opened]) await tab.evaluate(forgeForOther, 1000);
      const plaintext = bytes(...Array<number>(70_000).fill(5));
      for (const tab of [opener, opened]) {
        expect(await succeed(tab, 'open', await succeed(tab, 'seal', plaintext))).to.deep.equal(
          plaintext,
        );
      }
      for (const tab of [opened, opener]) {
        const ours = await tab.evaluate(() => (globalThis as unknown as { ours: string[] }).ours);
        expect(ours).to.deep.equal([]);
        await tab.close();
      }
    });

    it('that opens its document anew keeps the API', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      await site.evaluate(() => {
        document.open();
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- pages do it, so it is tested
        document.write('<!doctype html><title>New</title><p>New.');
        document.close();
      });
      expect(await succeed(site, 'status')).to.deep.include({ locked: false });
      const sealed = await succeed(site, 'seal', bytes(...Array<number>(30_000).fill(3)));
      expect(await succeed(site, 'open', sealed))
        .to.have.property('$bytes')
        .of.length(30_000);
      await site.close();
    });

    it('that puts its own object in place of window.sealwright fools itself alone', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const found = await site.evaluate(async () => {
        type Provider = { status(): Promise<{ locked: boolean }> };
        const world = globalThis as unknown as { sealwright: Provider | string };
        const real = world.sealwright;
        const isWritable = Reflect.set(world, 'sealwright', 'mine');
        Object.defineProperty(world, 'sealwright', { value: 'mine', configurable: true });
        let announced: Provider | undefined;
        addEventListener('sealwright:announce', (event) => {
          announced = event.detail.provider;
        });
        dispatchEvent(new Event('sealwright:request'));
        return {
          isWritable,
          now: world.sealwright,
          isAnnounced: announced === real,
          status: await announced!.status(),
        };
      });
      expect(found).to.deep.include({ isWritable: false, now: 'mine', isAnnounced: true });
      expect(found.status.locked).to.equal(false);
      await site.close();
      const fresh = await session.newTab(`${server.origin}/blank.html`);
      expect(await succeed(fresh, 'status')).to.deep.include({ locked: false });
      await fresh.close();
    });

    alike('finds no identifier that another origin, or another load, also has', async () => {
      const facts = async (origin: string) => {
        const site = await session.newTab(`${origin}/blank.html`);
        const seen = await site.evaluate(async () => {
          type Announced = CustomEvent<{ info: { uuid: string; icon: string }; provider: object }>;
          type Provider = Record<'grants' | 'keys', () => Promise<object[]>> & {
            seal(data: unknown, options?: object): Promise<Uint8Array>;
          };
          const { sealwright } = globalThis as unknown as { sealwright: Provider };
          const details: Announced['detail'][] = [];
          addEventListener('sealwright:announce', (event) => {
            details.push(event.detail);
          });
          dispatchEvent(new Event('sealwright:request'));
          dispatchEvent(new Event('sealwright:request'));
          const count = details.length;
          // Stacks of the API's own errors, and of the page's functions that it calls.
          const stacks: string[] = [];
          const stackHere = () => stacks.push(new Error('here').stack!);
          const rejected = await sealwright.seal(7).catch((error: unknown) => error as Error);
          const { stack, fileName } = rejected as Error & { fileName?: string };
          stacks.push(stack!, String(fileName));
          const refused = await sealwright.seal('x', { key: 'none' }).catch((e: unknown) => e);
          stacks.push((refused as Error).stack!);
          addEventListener('sealwright:announce', stackHere, { once: true });
          dispatchEvent(new Event('sealwright:request'));
          const options = Object.defineProperty({}, 'pad', { get: stackHere, enumerable: true });
          await sealwright.seal('x', options).catch(() => undefined);
          const onProgress = stackHere;
          await sealwright.seal(new Uint8Array(2 ** 21), { onProgress });
          return {
            count,
            uuids: [...new Set(details.map(({ info }) => info.uuid))],
            isFrozen: details.every((d) => Object.isFrozen(d) && Object.isFrozen(d.info)),
            isProvider: details[0]!.provider === sealwright,
            ids: [...(await sealwright.grants()), ...(await sealwright.keys())].flatMap((one) =>
              Object.entries(one)
                .filter(([name]) => /id$/i.test(name))
                .map(([, value]) => String(value)),
            ),
            icon: details[0]!.info.icon.slice(0, 5),
            stacks,
          };
        });
        await site.close();
        return seen;
      };
      const [one, again, other] = [
        await facts(server.origin),
        await facts(server.origin),
        await facts(server.otherOrigin),
      ];
      for (const seen of [one, again, other]) {
        expect(seen).to.deep.include({ count: 2, isFrozen: true, isProvider: true, icon: 'data:' });
        expect(seen.uuids).to.have.length(1);
        expect(seen.ids.length).to.be.greaterThan(1);
        expect(seen.stacks.length).to.be.greaterThan(4);
      }
      const uuids = [one, again, other].map(({ uuids }) => uuids[0]);
      expect(new Set(uuids).size).to.equal(3);
      expect(again.ids).to.deep.equal(one.ids);
      expect(other.ids.filter((id) => one.ids.includes(id))).to.deep.equal([]);
      // Chromium's stacks name the extension, as its store does: the same for everyone. Firefox
      // gives every installation a host of its own, which would follow its user around.
      if (browser === 'chromium') return;
      const host = new URL(session.extensionUrl('')).host;
      const telling = [one, other].flatMap(({ stacks }) => stacks.filter((s) => s.includes(host)));
      expect(telling).to.deep.equal([]);
    });

    alike(
      'that floods with 20,000 calls gets an answer to each, and holds up no other site',
      async () => {
        // The popup that is to open is another than the one in a tab.
        await popup.close();
        const site = await session.newTab(`${server.origin}/blank.html?flood`);
        const other = await session.newTab(`${server.otherOrigin}/blank.html`);
        await site.evaluate(() => {
          const { sealwright } = globalThis as unknown as {
            sealwright: { status(): Promise<unknown> };
          };
          const counts: Record<string, number> = {};
          const flood = { counts, settled: 0, lastAt: 0 };
          Object.assign(globalThis, { flood });
          const count = (name: string) => {
            counts[name] = (counts[name] ?? 0) + 1;
            flood.settled++;
            flood.lastAt = Date.now();
          };
          for (let i = 0; i < 20_000; i++) {
            sealwright.status().then(
              () => count('answered'),
              (error: unknown) => count((error as { code: string }).code),
            );
          }
        });
        const asked = Date.now();
        expect(await succeed(other, 'seal', bytes(1))).to.have.property('$bytes');
        const answeredAt = Date.now();
        await (await openSitePopup(session, other)).close();
        console.log(
          `      the other tab waited ${answeredAt - asked} ms, the popup was there ${Date.now() - asked} ms after`,
        );
        await site.waitUntil(
          () => (globalThis as unknown as { flood: Flood }).flood.settled === 20_000,
          { timeoutMs: 60_000 },
        );
        const { counts, lastAt } = await site.evaluate(
          () => (globalThis as unknown as { flood: Flood }).flood,
        );
        expect(answeredAt, 'the other tab waited for the flood to end').to.be.below(lastAt);
        console.log(`      ${JSON.stringify(counts)}`);
        expect(Object.keys(counts).sort()).to.deep.equal(
          Object.keys(counts)
            .filter((name) => name === 'QUOTA' || name === 'answered')
            .sort(),
        );
        expect(counts.answered).to.be.greaterThan(0);
        await site.close();
        await other.close();
      },
    );
  });
}
