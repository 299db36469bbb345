import { expect } from 'chai';
import sinon from 'sinon';
import type { Permissions, Scripting, Tabs } from 'webextension-polyfill';
import { watchSites } from '../../../../extension/platform/sites/permissions.ts';
import { RegisteredSites } from '../../../../extension/platform/sites/sites.ts';
import {
  GUARD_KEY,
  MARKS_KEY,
  MOVEMENTS_KEY,
  stopScript,
} from '../../../../extension/platform/sites/page-scripts.ts';
import { MemoryLocks } from '../../../../extension/testing/memory.ts';
import { MemorySession } from '../../../support/stores/memory-store.ts';
import { settled } from '../../../support/service-fakes.ts';

type Script = Scripting.RegisteredContentScript & { matchOriginAsFallback?: boolean };

class FakeBrowser {
  readonly origins = new Set<string>();
  readonly scripts = new Map<string, Script>();
  readonly openTabs = [
    { id: 1, url: 'https://a.example/x' },
    { id: 2, url: 'https://b.example/' },
  ];
  readonly removedListeners: ((change: Permissions.Permissions) => void)[] = [];
  readonly addedListeners: (() => void)[] = [];
  readonly startListeners: (() => void)[] = [];
  readonly installListeners: (() => void)[] = [];
  knowsFallback = true;

  readonly permissions = {
    getAll: () => Promise.resolve({ origins: [...this.origins] }),
    contains: ({ origins }: { origins: string[] }) =>
      Promise.resolve(origins.every((origin) => this.origins.has(origin))),
    remove: ({ origins }: { origins: string[] }) => {
      for (const origin of origins) this.origins.delete(origin);
      for (const listener of this.removedListeners) listener({ origins });
      return Promise.resolve(true);
    },
    onRemoved: { addListener: (listener: never) => this.removedListeners.push(listener) },
    onAdded: { addListener: (listener: never) => this.addedListeners.push(listener) },
  };

  readonly runtime = {
    onStartup: { addListener: (listener: never) => this.startListeners.push(listener) },
    onInstalled: { addListener: (listener: never) => this.installListeners.push(listener) },
  };

  readonly scripting = {
    getRegisteredContentScripts: () => Promise.resolve([...this.scripts.values()]),
    registerContentScripts: sinon.spy((scripts: Script[]) => {
      const odd = scripts.some((script) => 'matchOriginAsFallback' in script);
      if (odd && !this.knowsFallback) {
        return Promise.reject(new Error('Unexpected property "matchOriginAsFallback"'));
      }
      for (const script of scripts) {
        if (this.scripts.has(script.id)) return Promise.reject(new Error('Duplicate script ID'));
        this.scripts.set(script.id, script);
      }
      return Promise.resolve();
    }),
    unregisterContentScripts: ({ ids }: { ids: string[] }) => {
      for (const id of ids) this.scripts.delete(id);
      return Promise.resolve();
    },
    executeScript: sinon.spy(({ target }: Scripting.ScriptInjection) =>
      target.tabId === 2 ? Promise.reject(new Error('tab is closing')) : Promise.resolve([]),
    ),
  };

  readonly tabs = {
    query: ({ url }: { url: string[] }) => {
      const hosts = url.map((pattern) => /\/\/([^/]+)\//.exec(pattern)![1]!);
      const isAsked = (tab: { url: string }) => hosts.some((host) => tab.url.includes(host));
      return Promise.resolve(this.openTabs.filter(isAsked));
    },
    get: (tabId: number) => Promise.resolve(this.openTabs.find(({ id }) => id === tabId) ?? {}),
  };
}

describe('Enabled sites', () => {
  let fake: FakeBrowser;
  let sites: RegisteredSites;
  let temporary: Set<string>;
  const A = 'https://a.example/*';
  const registered = () => [...fake.scripts.keys()].sort();

  const begin = (closed = Promise.resolve(), browser = new FakeBrowser()) => {
    [fake, temporary] = [browser, new Set()];
    sites = new RegisteredSites({
      permissions: fake.permissions as unknown as Permissions.Static,
      scripting: fake.scripting as unknown as Scripting.Static,
      tabs: fake.tabs as unknown as Tabs.Static,
      temporary: {
        patterns: () => Promise.resolve([...temporary]),
        keep: (pattern) => Promise.resolve(void temporary.delete(pattern)),
      },
      locks: new MemoryLocks(),
      notes: new MemorySession(),
      closed,
    });
  };
  beforeEach(() => begin());

  it('are not served where content scripts could reach what is stored', async () => {
    fake.origins.add(A);
    await sites.enable(A);
    expect(registered()).to.not.be.empty;
    const { callCount } = fake.scripting.executeScript;
    const refused = Promise.reject(new Error('cannot be closed'));
    begin(refused, fake);
    for (const work of [sites.reconcile(), sites.enabled(), sites.enable(A), refused]) {
      const error = await work.catch((reason: unknown) => reason);
      expect(String(error)).to.include('cannot be closed');
    }
    expect(registered()).to.deep.equal([]);
    expect(fake.scripting.executeScript.callCount).to.equal(callCount);
  });

  it('get all scripts in every frame, those of the API from the very start, each in its world', async () => {
    fake.origins.add(A);
    await sites.enable(A);
    const common = { matches: [A], allFrames: true };
    const stay = { persistAcrossSessions: true, matchOriginAsFallback: true };
    expect([...fake.scripts.values()]).to.deep.equal(
      [
        { id: `content ${A}`, js: ['content.js'], world: 'ISOLATED', runAt: 'document_start' },
        { id: `page ${A}`, js: ['page.js'], world: 'MAIN', runAt: 'document_start' },
        { id: `marks ${A}`, js: ['marks.js'], world: 'ISOLATED', runAt: 'document_idle' },
      ].map((script) => ({ ...script, ...common, ...stay })),
    );
  });

  it('are served at once in the tabs that are open', async () => {
    fake.origins.add(A);
    await sites.enable(A);
    const injected = fake.scripting.executeScript.args.map(([{ target, files, world }]) => [
      target,
      files,
      world,
    ]);
    const target = { tabId: 1, allFrames: true };
    expect(injected).to.deep.equal([
      [target, ['content.js'], 'ISOLATED'],
      [target, ['page.js'], 'MAIN'],
      [target, ['marks.js'], 'ISOLATED'],
    ]);
  });

  it('are registered although a tab could not be served', async () => {
    fake.origins.add('https://b.example/*');
    await sites.enable('https://b.example/*');
    expect(fake.scripts.size).to.equal(3);
  });

  it('are registered in browsers that do not know matchOriginAsFallback', async () => {
    fake.knowsFallback = false;
    fake.origins.add(A);
    await sites.enable(A);
    expect([...fake.scripts.values()].some((script) => 'matchOriginAsFallback' in script)).to.equal(
      false,
    );
    expect(fake.scripts.size).to.equal(3);
  });

  it('need the browser’s permission first', async () => {
    expect(await sites.enable(A)).to.equal(false);
    expect(fake.scripts.size).to.equal(0);
  });

  it('are not those permitted temporarily, until they are enabled', async () => {
    temporary.add(A);
    fake.origins.add(A);
    expect(await sites.reconcile()).to.deep.equal([]);
    expect([await sites.enabled(), registered()]).to.deep.equal([[], []]);
    expect(await sites.enable(A)).to.equal(true);
    expect(await sites.enabled()).to.deep.equal([A]);
    expect(registered()).to.include(`content ${A}`);
  });

  it('are registered once, however often and from where they are reconciled', async () => {
    fake.origins.add(A);
    await Promise.all([sites.reconcile(), sites.reconcile(), sites.enable(A)]);
    expect(fake.scripting.registerContentScripts.callCount).to.equal(1);
  });

  it('are completed when one of the scripts is not registered', async () => {
    fake.origins.add(A);
    await sites.reconcile();
    fake.scripts.delete(`page ${A}`);
    await sites.reconcile();
    expect(registered()).to.deep.equal([`content ${A}`, `marks ${A}`, `page ${A}`]);
  });

  it('are not served twice where a broader pattern is enabled too', async () => {
    fake.origins.add(A);
    await sites.reconcile();
    fake.origins.add('*://*/*');
    expect(await sites.reconcile()).to.deep.equal([]);
    const all = '*://*/*';
    expect(registered()).to.deep.equal([`content ${all}`, `marks ${all}`, `page ${all}`]);
    fake.origins.delete('*://*/*');
    expect(await sites.reconcile()).to.deep.equal(['*://*/*']);
    expect(registered()).to.deep.equal([`content ${A}`, `marks ${A}`, `page ${A}`]);
  });

  it('lose scripts and permission when they are disabled', async () => {
    fake.origins.add(A);
    await sites.enable(A);
    await sites.disable(A);
    expect(fake.scripts.size).to.equal(0);
    expect(await sites.enabled()).to.deep.equal([]);
  });

  it('have the address of a tab where the browser shows it', async () => {
    expect(await sites.tabAddress(1)).to.equal('https://a.example/x');
    expect(await sites.tabAddress(99)).to.equal(undefined);
  });

  it('follow the browser’s own settings, at any time and at the next start', async () => {
    const gone: string[] = [];
    const { permissions, runtime } = fake;
    watchSites({ permissions, runtime, sites } as never, (patterns) => void gone.push(...patterns));
    fake.origins.add(A);
    for (const listener of fake.addedListeners) listener();
    await settled();
    expect(fake.scripts.size).to.equal(3);
    await permissions.remove({ origins: [A] });
    await settled();
    expect(fake.scripts.size).to.equal(0);
    expect(gone).to.deep.equal([A, A]);
    fake.origins.add(A);
    for (const listener of fake.startListeners) listener();
    await settled();
    fake.origins.delete(A);
    for (const listener of fake.startListeners) listener();
    await settled();
    expect(gone).to.deep.equal([A, A, A]);
    expect(fake.scripts.size).to.equal(0);
  });

  it('get new scripts in open tabs after an update', async () => {
    fake.origins.add(A);
    await sites.reconcile();
    fake.scripting.executeScript.resetHistory();
    const { permissions, runtime } = fake;
    watchSites({ permissions, runtime, sites } as never, () => undefined);
    for (const listener of fake.installListeners) listener();
    await settled();
    expect(fake.scripting.executeScript.callCount).to.equal(3);
  });

  describe('whose pointer movements are gathered', () => {
    const target = { tabId: 1, allFrames: true };
    const ending = { target, func: stopScript, args: [MOVEMENTS_KEY] };
    const injections = () => fake.scripting.executeScript.args.map(([injection]) => injection);

    beforeEach(async () => {
      fake.origins.add(A);
      await sites.enable(A);
      fake.scripting.executeScript.resetHistory();
    });

    it('have no script for it until the user switches it on', async () => {
      expect(await sites.gathersMovements()).to.equal(false);
      await sites.reconcile();
      await sites.serveOpenTabs();
      expect([...fake.scripts.keys()]).to.not.include(`movements ${A}`);
      expect(injections().map(({ files }) => files)).to.not.deep.include(['movements.js']);
    });

    it('have it from then on, in open tabs too, and nothing else anew', async () => {
      await sites.gatherMovements(true);
      expect(fake.scripts.get(`movements ${A}`)).to.include({ world: 'ISOLATED' });
      expect(injections().map(({ target, files }) => [target.tabId, files])).to.deep.equal([
        [1, ['movements.js']],
      ]);
      fake.origins.add('https://b.example/*');
      await sites.enable('https://b.example/*');
      expect([...fake.scripts.keys()]).to.include('movements https://b.example/*');
    });

    it('have none left when it is switched off: neither registered nor at work', async () => {
      await sites.gatherMovements(true);
      fake.scripting.executeScript.resetHistory();
      await sites.gatherMovements(false);
      expect(registered()).to.deep.equal([`content ${A}`, `marks ${A}`, `page ${A}`]);
      expect(injections()).to.deep.equal([ending]);
    });

    it('have none left when the site is disabled', async () => {
      await sites.gatherMovements(true);
      fake.scripting.executeScript.resetHistory();
      await sites.disable(A);
      const endings = [MOVEMENTS_KEY, MARKS_KEY, GUARD_KEY].map((key) => ({
        ...ending,
        args: [key],
      }));
      expect(injections()).to.deep.equal(endings);
      expect(fake.scripts.size).to.equal(0);
    });
  });

  describe('without marks', () => {
    const B = 'https://b.example/*';
    const ALL = '*://*/*';
    const ending = { target: { tabId: 1, allFrames: true }, func: stopScript, args: [MARKS_KEY] };
    const injections = () => fake.scripting.executeScript.args.map(([injection]) => injection);

    it('have none in tabs that are open, nor later; the API stays', async () => {
      fake.origins.add(A);
      await sites.enable(A);
      fake.scripting.executeScript.resetHistory();
      await sites.setMarks(A, false);
      expect(await sites.hasMarks(A)).to.equal(false);
      expect(registered()).to.deep.equal([`content ${A}`, `page ${A}`]);
      expect(injections()).to.deep.equal([ending]);
      await sites.setMarks(A, true);
      expect(registered()).to.include(`marks ${A}`);
      expect(await sites.hasMarks(A)).to.equal(true);
    });

    it('have none where a broader pattern is enabled either', async () => {
      fake.origins.add(ALL);
      await sites.reconcile();
      fake.scripting.executeScript.resetHistory();
      await sites.setMarks(A, false);
      expect(fake.scripts.get(`marks ${ALL}`)).to.deep.include({ excludeMatches: [A] });
      await sites.reconcile();
      expect(fake.scripts.get(`marks ${ALL}`)).to.deep.include({ excludeMatches: [A] });
      await sites.setMarks(A, true);
      expect(fake.scripts.get(`marks ${ALL}`)).to.not.have.property('excludeMatches');
    });

    it('leave those of other sites alone', async () => {
      for (const pattern of [A, B]) fake.origins.add(pattern);
      await sites.setMarks(B, false);
      expect(registered()).to.include(`marks ${A}`).and.not.include(`marks ${B}`);
    });
  });

  describe('whose forms are guarded', () => {
    const guards = [`guard ${A}`, `guard-page ${A}`];

    it('have two more scripts, from the very start, and those in open tabs begin anew', async () => {
      fake.origins.add(A);
      await sites.enable(A);
      const injected = () => fake.scripting.executeScript.args.map(([{ files }]) => files);
      fake.scripting.executeScript.resetHistory();
      await sites.guard(A, true);
      expect(registered()).to.include.members(guards);
      expect(fake.scripts.get(guards[0]!)).to.include({ runAt: 'document_start' });
      expect(injected()).to.deep.equal([['guard.js'], ['guard-page.js']]);
      fake.scripting.executeScript.resetHistory();
      await sites.guard(A, true);
      expect(injected()).to.deep.equal([['guard.js'], ['guard-page.js']]);
    });

    it('lose them with the last field, and while the site is not enabled', async () => {
      fake.origins.add(A);
      await sites.guard(A, true);
      fake.origins.delete(A);
      expect(await sites.reconcile()).to.deep.equal([A]);
      expect(registered()).to.deep.equal([]);
      fake.origins.add('*://*/*');
      await sites.reconcile();
      expect(registered()).to.include.members(guards);
      fake.scripting.executeScript.resetHistory();
      await sites.guard(A, false);
      expect(registered()).to.not.include.members(guards);
      const [[ending]] = fake.scripting.executeScript.args as [[Scripting.ScriptInjection]];
      expect(ending).to.deep.include({ func: stopScript, args: [GUARD_KEY] });
      // None of the API's scripts went, so no grant ends.
      expect(await sites.reconcile()).to.deep.equal([]);
    });
  });
});
