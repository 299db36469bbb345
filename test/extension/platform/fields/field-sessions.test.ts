import { expect } from 'chai';
import { BrowserFieldSessions } from '../../../../extension/platform/fields/field-sessions.ts';
import type { FieldSessionsDeps } from '../../../../extension/platform/fields/field-sessions.ts';
import { FRAME_REPORT } from '../../../../extension/platform/fields/frame-reports.ts';
import type { InspectedField } from '../../../../src/rpc/methods/ui-fields.ts';
import { ownWindows } from '../../../../extension/platform/windows/own-windows.ts';
import { MemoryLocks } from '../../../../extension/testing/memory.ts';
import { MemorySession, systemRandom } from '../../../support/stores/memory-store.ts';

/** A frame, with the origin that the browser tells of it. */
type Frame = InspectedField & { readonly origin: string };
type Frames = Record<number, Frame>;
type Listener = (message: unknown, sender: object) => unknown;
interface Injection {
  readonly target: { readonly tabId: number; readonly frameIds?: number[] };
  readonly files?: string[];
  readonly args?: string[];
}

const field = (differences: Partial<Frame> = {}): Frame => ({
  origin: 'https://a.example',
  blockedFrame: null,
  field: 'none',
  text: '',
  limit: null,
  name: null,
  unmarkable: null,
  found: [],
  ...differences,
});

/* A tab of some frames, whose script answers what a test says; others cannot be reached. */
let frames: Frames;
let asked: Injection[];
let windows: string[];
let closed: Set<number>;
let session: MemorySession;
let offered: [pattern: string, windowId: number, isPrivate: boolean][];
let incognito: boolean;
let givenBack: number[];
let enabled: Set<string>;
let sessions: BrowserFieldSessions;
let listener: Listener;
let front: { tab: number; isFocused: boolean };
let removed: number[];
let focused: number[];
let now: number;

const executeScript = (injection: Injection) => {
  asked.push(injection);
  const ids = injection.target.frameIds ?? Object.keys(frames).map(Number);
  if (ids.length === 0 || ids.some((id) => !(id in frames))) {
    return Promise.reject(new Error('Cannot access contents of the page'));
  }
  const { args = [] } = injection;
  const answer = (id: number) => (args[0] === 'insert' ? { inserted: true } : frames[id]);
  if (args[0]?.startsWith(FRAME_REPORT)) {
    for (const frameId of ids) {
      const { origin } = frames[frameId]!;
      void listener(args[0], { id: 'own', tab: { id: 7 }, frameId, origin });
    }
  }
  const isCall = args.length > 0;
  const results = ids.map((frameId) => ({ frameId, result: isCall ? answer(frameId) : null }));
  return Promise.resolve(results);
};

const tabs = {
  get: (id: number) =>
    Promise.resolve({
      incognito,
      url: 'https://tab.example/x',
      active: id === front.tab,
      windowId: 1_000,
    }),
};
const browserWindows = {
  create: ({ url }: { url: string }) => Promise.resolve({ id: windows.push(url) }),
  get: (id: number) =>
    closed.has(id)
      ? Promise.reject(new Error('gone'))
      : Promise.resolve({ focused: id === 1_000 && front.isFocused }),
  remove: (id: number) => {
    closed.add(id);
    return Promise.resolve(void removed.push(id));
  },
  update: (id: number) => Promise.resolve(void focused.push(id)),
  getLastFocused: () => Promise.resolve({}),
};

const deps = (): FieldSessionsDeps =>
  ({
    scripting: { executeScript },
    tabs,
    windows: ownWindows({ windows: browserWindows, tabs } as never),
    runtime: {
      id: 'own',
      getURL: (path: string) => `ext://${path}`,
      onMessage: { addListener: (it: Listener) => (listener = it) },
    },
    temporary: {
      offer: (pattern: string, windowId: number, isPrivate: boolean) => {
        if (enabled.has(pattern)) return Promise.resolve(false);
        offered.push([pattern, windowId, isPrivate]);
        return Promise.resolve(true);
      },
      giveBack: (windowId: number) => Promise.resolve(void givenBack.push(windowId)),
    },
    session,
    locks: new MemoryLocks(),
    random: systemRandom,
    nowMs: () => now,
  }) as unknown as FieldSessionsDeps;

const started = () => {
  const made = new BrowserFieldSessions(deps());
  made.listen();
  return made;
};

const opened = async () => {
  const id = new URL(windows.at(-1)!).searchParams.get('visit')!;
  return (await sessions.find(id))!;
};

describe('field sessions', () => {
  beforeEach(() => {
    [frames, asked, windows, session] = [{ 0: field() }, [], [], new MemorySession()];
    [closed, enabled, offered, givenBack] = [new Set(), new Set(), [], []];
    incognito = false;
    [front, removed, focused, now] = [{ tab: 7, isFocused: true }, [], [], 0];
    sessions = started();
  });

  it('injects into the frame of the click and no other, then opens a window about it', async () => {
    frames = { 0: field(), 3: field({ origin: 'https://b.example', field: 'there' }) };
    await sessions.begin({ tabId: 7, frameId: 3 }, 'write');
    expect(asked.map(({ target }) => target)).to.deep.equal([
      { tabId: 7, frameIds: [3] },
      { tabId: 7, frameIds: [3] },
    ]);
    expect(await opened()).to.include({ kind: 'write', origin: 'https://b.example' });
  });

  it('finds the frame with the field to write in, or with the texts to read, else the top', async () => {
    const found = [['sw1.AAAA']];
    frames = { 0: field(), 1: field({ found }), 2: field({ field: 'there' }) };
    await sessions.begin({ tabId: 7 }, 'write');
    expect(await sessions.look(await opened())).to.equal(frames[2]);
    frames = { 0: field({ field: 'there' }), 1: field({ found }) };
    await sessions.begin({ tabId: 7 }, 'open');
    expect(await sessions.look(await opened())).to.equal(frames[1]);
    frames = { 0: field(), 1: field() };
    for (const kind of ['open', 'seal'] as const) {
      await sessions.begin({ tabId: 7 }, kind);
      expect(await sessions.look(await opened())).to.equal(frames[0]);
    }
  });

  it('opens the window even if the frame refuses it', async () => {
    frames = {};
    await sessions.begin({ tabId: 7, frameId: 0, address: 'https://c.example/y' }, 'write');
    const fieldSession = await opened();
    expect(fieldSession.origin).to.equal('https://c.example');
    expect(await sessions.look(fieldSession)).to.equal(undefined);
    expect(await sessions.insert(fieldSession, 'sw1.AAAA')).to.deep.equal({
      inserted: false,
      reason: 'gone',
    });
  });

  it('asks the script of the frame which mark was pressed', async () => {
    frames = { 0: field(), 3: field({ found: [['sw1.AAAA']] }) };
    await sessions.begin({ tabId: 7, frameId: 3, isMarked: true }, 'open');
    const { id } = await opened();
    const called = [`${FRAME_REPORT}${id}`, 'beginMarked', id];
    // With access to the field of the text, so that it can be changed as from a menu.
    expect(asked.map(({ args, files }) => args ?? files)).to.deep.equal([['fields.js'], called]);
  });

  it('names no origin for an opaque frame', async () => {
    frames = { 0: field({ origin: 'null' }) };
    await sessions.begin({ tabId: 7 }, 'open');
    expect((await opened()).origin).to.equal(null);
  });

  it('outlives the worker, and puts into the field what its window asks for', async () => {
    frames = { 0: field({ field: 'there' }) };
    await sessions.begin({ tabId: 7 }, 'seal');
    sessions = started();
    const fieldSession = await opened();
    expect(await sessions.insert(fieldSession, 'sw1.AAAA')).to.deep.equal({ inserted: true });
    expect(asked.at(-1)!.args).to.deep.equal(['insert', fieldSession.id, 'sw1.AAAA']);
  });

  it('says that the field is gone when the tab has moved on', async () => {
    frames = { 0: field({ field: 'there' }) };
    await sessions.begin({ tabId: 7 }, 'write');
    frames = {};
    const fieldSession = await opened();
    expect(await sessions.look(fieldSession)).to.equal(undefined);
    expect((await sessions.insert(fieldSession, 'x')).reason).to.equal('gone');
  });

  it('forgets the oldest beyond twenty', async () => {
    for (let i = 0; i < 21; i++) await sessions.begin({ tabId: 7 }, 'open');
    const ids = windows.map((url) => new URL(url).searchParams.get('visit')!);
    expect(await sessions.find(ids[0]!)).to.equal(undefined);
    expect(await sessions.find(ids[1]!)).to.not.equal(undefined);
  });

  it('are about the document around the frame of an editor, in which no script is', async () => {
    frames = { 0: field({ field: 'there' }) };
    await sessions.begin({ tabId: 7, frameId: 3, address: 'about:blank' }, 'write');
    expect(await sessions.insert(await opened(), 'sw1.AAAA')).to.deep.equal({ inserted: true });
    expect(asked.at(-1)!.target).to.deep.equal({ tabId: 7, frameIds: [0] });
  });

  describe('in frames of other sites', () => {
    const B = 'https://b.example';
    const clicked = { tabId: 7, frameId: 3, address: `${B}/editor` };

    it('offer to be let into the frame of the click, and then are about it', async () => {
      await sessions.begin(clicked, 'write');
      expect(await opened()).to.include({ origin: B, begunOn: B, blockedFrame: B });
      expect(offered).to.deep.equal([[`${B}/*`, 1, false]]);
      frames = { 0: field(), 3: field({ origin: B, field: 'there' }) };
      const reached = await sessions.reach(await opened());
      expect(reached).to.include({ origin: B, blockedFrame: null });
      expect(await sessions.insert(reached, 'sw1.AAAA')).to.deep.equal({ inserted: true });
      expect(asked.at(-1)!.target).to.deep.equal({ tabId: 7, frameIds: [3] });
      await sessions.giveBack(reached);
      expect(givenBack).to.deep.equal([1]);
    });

    it('offer it as for a private window, there', async () => {
      incognito = true;
      await sessions.begin(clicked, 'write');
      await sessions.reach(await opened());
      const once = [`${B}/*`, 1, true];
      expect(offered).to.deep.equal([once, once]);
    });

    it('offer it for the frame in focus, whose site counts when it is reached', async () => {
      frames = { 0: field({ blockedFrame: B }) };
      await sessions.begin({ tabId: 7 }, 'write');
      const before = await opened();
      expect(before).to.include({ origin: 'https://a.example', blockedFrame: B });
      frames = { ...frames, 3: field({ origin: B, field: 'there' }) };
      const after = { origin: B, begunOn: 'https://a.example', blockedFrame: null };
      expect(await sessions.reach(before)).to.include(after);
      expect(await opened()).to.include(after);
    });

    it('offer the next one where a frame in a frame is meant', async () => {
      enabled.add(`${B}/*`);
      frames = {
        0: field({ blockedFrame: B }),
        3: field({ origin: B, blockedFrame: 'https://c.example' }),
      };
      await sessions.begin({ tabId: 7 }, 'write');
      expect((await opened()).blockedFrame).to.equal('https://c.example');
    });

    it('offer nothing where it would change nothing', async () => {
      const blockedFrame = async () => (await opened()).blockedFrame;
      frames = { 0: field({ field: 'there', blockedFrame: B }) };
      await sessions.begin({ tabId: 7 }, 'write');
      expect(await blockedFrame(), 'a field is there').to.equal(null);
      frames = {};
      await sessions.begin({ ...clicked, frameId: 0 }, 'write');
      expect(await blockedFrame(), 'the page itself').to.equal(null);
      await sessions.begin({ ...clicked, address: 'about:blank' }, 'write');
      expect(await blockedFrame(), 'no site').to.equal(null);
      enabled.add(`${B}/*`);
      await sessions.begin(clicked, 'write');
      expect(await blockedFrame(), 'an enabled site').to.equal(null);
      expect(offered).to.deep.equal([]);
    });
  });

  describe('about what the frame’s script made up', () => {
    const forged = { field: 'there', origin: 'https://bank.example' } as const;

    it('name the origin that the browser gives', async () => {
      frames = { 0: field({ field: 'there' }) };
      const deceived = deps();
      const lying = async (injection: Injection) =>
        (await executeScript(injection)).map((one) => ({
          ...one,
          result: { ...field(), ...forged },
        }));
      Object.assign(deceived, { scripting: { executeScript: lying } });
      sessions = new BrowserFieldSessions(deceived);
      sessions.listen();
      for (const place of [{ tabId: 7 }, { tabId: 7, frameId: 0, isMarked: true }]) {
        await sessions.begin(place, 'write');
        expect((await opened()).origin).to.equal('https://a.example');
      }
    });

    it('name none where the frame does not report', async () => {
      frames = { 0: { ...field(forged), origin: 'null' } };
      await sessions.begin({ tabId: 7 }, 'write');
      expect((await opened()).origin).to.equal(null);
    });

    it('take no report about a session that is not beginning, or of another extension', async () => {
      frames = { 0: field({ field: 'there' }) };
      const sender = { id: 'own', tab: { id: 7 }, frameId: 0, origin: forged.origin };
      await sessions.begin({ tabId: 7 }, 'write');
      const { id } = await opened();
      await listener(`${FRAME_REPORT}${id}`, sender);
      expect((await opened()).origin).to.equal('https://a.example');
      expect(listener(`${FRAME_REPORT}${id}`, { ...sender, id: 'other' })).to.equal(undefined);
      expect(listener('something else', sender)).to.equal(undefined);
    });
  });

  describe('of a content script that sends messages without end', () => {
    const mark = { tabId: 7, frameId: 0, isMarked: true };
    const open = () => windows.length - closed.size;

    beforeEach(() => (frames = { 0: field({ found: [['sw1.AAAA']] }) }));

    it('open one window, also while the tab still counts as in front', async () => {
      await Promise.all([1, 2, 3].map(() => sessions.begin(mark, 'open')));
      expect(windows).to.have.length(1);
      expect(removed).to.deep.equal([]);
    });

    it('open one window, and move nothing to the front', async () => {
      await sessions.begin(mark, 'open');
      front.isFocused = false;
      now = 1_000;
      const flood = Array.from({ length: 999 }, () => sessions.begin(mark, 'open'));
      await Promise.all(flood);
      expect(windows).to.have.length(1);
      expect([...removed, ...focused]).to.deep.equal([]);
      // For each of three presses that may be meant: the script with access to fields, and the call.
      expect(asked.length, 'scripts that run').to.be.at.most(6);
    });

    it('open three, then one each ten thirds of a second, however fast they are closed', async () => {
      front.isFocused = false;
      for (let i = 0; i < 1_000; i++) {
        await sessions.begin(mark, 'open');
        closed.add(windows.length);
      }
      expect(windows).to.have.length(3);
      now = 3_333;
      await sessions.begin(mark, 'open');
      expect(windows).to.have.length(3);
      now = 3_334;
      await sessions.begin(mark, 'open');
      expect(windows).to.have.length(4);
      await sessions.begin({ ...mark, tabId: 8 }, 'open');
      expect(windows, 'of another tab').to.have.length(5);
    });

    it('open another in the place of the first where the user can have pressed a mark', async () => {
      await sessions.begin(mark, 'open');
      now = 1_000;
      await sessions.begin(mark, 'open');
      expect(removed).to.deep.equal([1]);
      expect(open()).to.equal(1);
    });

    it('open one window for forms that were stopped, and never bring it to the front', async () => {
      front.isFocused = false;
      const form = { tabId: 7, origin: 'https://a.example', incognito: false } as const;
      const flood = Array.from({ length: 1_000 }, () =>
        sessions.showStopped({ ...form, reason: 'locked' }),
      );
      await Promise.all(flood);
      expect(windows).to.have.length(1);
      expect(focused).to.deep.equal([]);
    });

    it('leave the windows that the user asks for as they are', async () => {
      for (let i = 0; i < 5; i++) await sessions.begin({ tabId: 7 }, 'open');
      await sessions.begin(mark, 'open');
      expect(windows).to.have.length(6);
      expect(removed).to.deep.equal([]);
    });
  });

  describe('of a form that was stopped', () => {
    const form = { tabId: 7, origin: 'https://a.example', incognito: false } as const;

    it('open one window for a tab, which follows the reason', async () => {
      await sessions.showStopped({ ...form, reason: 'locked' });
      expect(windows[0]).to.match(/&stopped$/);
      const { id } = await opened();
      await sessions.showStopped({ ...form, reason: 'no-key' });
      expect(windows).to.have.length(1);
      expect(focused, 'the tab is in front, so the user may have pressed').to.deep.equal([1]);
      expect(await sessions.find(id)).to.include({ kind: 'stopped', reason: 'no-key' });
      await sessions.showStopped({ ...form, tabId: 8, reason: 'locked' });
      expect(windows).to.have.length(2);
    });

    it('open another where that was closed', async () => {
      await sessions.showStopped({ ...form, reason: 'locked' });
      closed.add(1);
      await sessions.showStopped({ ...form, reason: 'refused' });
      expect(windows).to.have.length(2);
      expect(await opened()).to.include({ reason: 'refused' });
      expect(asked).to.deep.equal([]);
    });
  });
});
