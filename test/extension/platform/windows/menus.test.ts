import { expect } from 'chai';
import type { Menus, Runtime } from 'webextension-polyfill';
import { BrowserMenus, type MenuItem } from '../../../../extension/platform/windows/menus.ts';
import { settled } from '../../../support/service-fakes.ts';

describe('platform/menus', () => {
  function made() {
    const at = { language: 'en', items: new Map<string, MenuItem>() };
    let installed = (): void => undefined;
    const onInstalled = { addListener: (listener: () => void) => (installed = listener) };
    const contextMenus = {
      removeAll: () => {
        at.items.clear();
        return Promise.resolve();
      },
      create: (item: MenuItem) => {
        expect(at.items.has(item.id), `${item.id} twice`).to.equal(false);
        at.items.set(item.id, item);
      },
      update: (id: string, { title }: { title: string }) => {
        const item = at.items.get(id);
        if (!item) return Promise.reject(new Error(`no item ${id}`));
        at.items.set(id, { ...item, title });
        return Promise.resolve();
      },
    } as unknown as Menus.Static;
    const runtime = { onInstalled } as unknown as Runtime.Static;
    const menus = new BrowserMenus({
      contextMenus,
      runtime,
      words: () => Promise.resolve((name) => `${name} in ${at.language}`),
      items: (words) => [
        { id: 'lock', title: words('lockNow'), contexts: ['action'] },
        { id: 'open', title: words('openSealed'), contexts: ['page', 'editable'] },
      ],
    });
    menus.listen();
    const titles = () => [...at.items.values()].map(({ title }) => title);
    return { at, menus, titles, install: () => installed() };
  }

  it('are made once for each installation, all of them', async () => {
    const { at, install, titles } = made();
    expect(titles()).to.deep.equal([]);
    for (let turn = 0; turn < 2; turn++) {
      install();
      await settled();
      expect(titles()).to.deep.equal(['lockNow in en', 'openSealed in en']);
    }
    expect(at.items.get('open')!.contexts).to.deep.equal(['page', 'editable']);
  });

  it('are named again when another language is chosen, and made in it by an update', async () => {
    const { at, install, menus, titles } = made();
    install();
    at.language = 'de';
    menus.translate();
    await settled();
    expect(titles()).to.deep.equal(['lockNow in de', 'openSealed in de']);
    install();
    await settled();
    expect(titles()).to.deep.equal(['lockNow in de', 'openSealed in de']);
  });

  it('that are not there yet are not named, and are made later', async () => {
    const { install, menus, titles } = made();
    menus.translate();
    await settled();
    expect(titles()).to.deep.equal([]);
    install();
    await settled();
    expect(titles()).to.have.length(2);
  });

  it('are not made where the browser has none, as Firefox for Android', async () => {
    let installed = (): void => undefined;
    const onInstalled = { addListener: (listener: () => void) => (installed = listener) };
    let asked = 0;
    const words = () => Promise.resolve((name: string) => `${name} ${++asked}`);
    const runtime = { onInstalled } as unknown as Runtime.Static;
    const items = (own: (name: string) => string): MenuItem[] => [
      { id: 'lock', title: own('lockNow'), contexts: ['action'] },
    ];
    const menus = new BrowserMenus({ contextMenus: undefined, runtime, words, items });
    menus.listen();
    installed();
    menus.translate();
    await settled();
    expect(asked).to.equal(0);
  });
});
