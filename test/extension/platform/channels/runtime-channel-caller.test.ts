import { expect } from 'chai';
import type { Runtime, Tabs } from 'webextension-polyfill';
import { callerOf } from '../../../../extension/platform/channels/runtime-channel-caller.ts';

const ID = 'abcdefgh';
const HOME = 'chrome-extension://abcdefgh/';
const runtime = { id: ID, getURL: (path: string) => HOME + path };

function pageSender(over: object = {}): Runtime.MessageSender {
  return {
    id: ID,
    url: 'https://example.com/a',
    origin: 'https://example.com',
    frameId: 0,
    documentId: 'D1',
    tab: { id: 7, url: 'https://example.com/a', incognito: false } as Tabs.Tab,
    ...over,
  } as Runtime.MessageSender;
}

const surfaceSender = (path: string, over: object = {}): Runtime.MessageSender =>
  ({ id: ID, url: HOME + path, origin: HOME.slice(0, -1), ...over }) as Runtime.MessageSender;

describe('who is calling', () => {
  it('is the page of the sender, with the origin that the browser gives', () => {
    expect(callerOf(pageSender(), runtime)).to.deep.equal({
      kind: 'page',
      origin: 'https://example.com',
      topOrigin: 'https://example.com',
      tabId: 7,
      frameId: 0,
      documentId: 'D1',
      incognito: false,
      container: null,
    });
  });

  it('takes the top page from the tab, and "null" where we may not see it', () => {
    const top = (tab: object) => {
      const caller = callerOf(pageSender({ frameId: 3, tab: { id: 7, ...tab } }), runtime);
      return caller?.kind === 'page' && caller.topOrigin;
    };
    expect(top({ url: 'https://top.example:8443/x' })).to.equal('https://top.example:8443');
    expect(top({})).to.equal('null');
    expect(top({ url: 'about:blank' })).to.equal('null');
  });

  it('does not take the origin from the url: about:blank belongs to its parent', () => {
    const caller = callerOf(pageSender({ url: 'about:blank', frameId: 2 }), runtime);
    expect(caller).to.include({ origin: 'https://example.com' });
  });

  for (const origin of [
    'null',
    'file://',
    undefined,
    '',
    'data:',
    'moz-extension://x',
    'https://',
  ]) {
    it(`is refused when the origin is ${String(origin)}`, () => {
      expect(callerOf(pageSender({ origin }), runtime)).to.equal(undefined);
    });
  }

  it('is refused without a tab, a frame, our own id, or a sender', () => {
    for (const over of [{ tab: undefined }, { frameId: undefined }, { id: 'other' }]) {
      expect(callerOf(pageSender(over), runtime)).to.equal(undefined);
    }
    expect(callerOf(undefined, runtime)).to.equal(undefined);
  });

  it('knows Firefox containers and private windows', () => {
    const caller = (tab: object) => callerOf(pageSender({ tab: { id: 7, ...tab } }), runtime);
    expect(caller({ cookieStoreId: 'firefox-container-2' })).to.include({
      container: 'firefox-container-2',
    });
    expect(caller({ cookieStoreId: 'firefox-default' })).to.include({ container: null });
    expect(caller({ cookieStoreId: 'firefox-private', incognito: true })).to.include({
      container: null,
      incognito: true,
    });
  });

  it('is tab and frame where the browser names no document', () => {
    const caller = callerOf(pageSender({ documentId: undefined, frameId: 4 }), runtime);
    expect(caller).to.include({ documentId: '7/4' });
  });

  for (const [path, page] of [
    ['popup.html', 'popup'],
    ['prompt.html?id=1', 'prompt'],
    ['manager.html#keys', 'manager'],
  ] as const) {
    it(`is the ${page} for ${path}, in a popup or a tab`, () => {
      expect(callerOf(surfaceSender(path), runtime)).to.deep.equal({ kind: 'surface', page });
      const inTab = surfaceSender(path, { tab: { id: 1 }, frameId: 0 });
      expect(callerOf(inTab, runtime)).to.deep.equal({ kind: 'surface', page });
    });
  }

  it('is refused for other files of ours, ours in a frame, or ours under a foreign origin', () => {
    for (const sender of [
      surfaceSender('background.html'),
      surfaceSender('__proto__'),
      surfaceSender('popup.html', { frameId: 2, tab: { id: 1 } }),
      surfaceSender('popup.html', { origin: 'https://example.com' }),
      surfaceSender('popup.html', { id: 'other' }),
    ]) {
      expect(callerOf(sender, runtime)).to.equal(undefined);
    }
  });
});
