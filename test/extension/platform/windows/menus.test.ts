import { expect } from 'chai';
import type { Menus, Runtime } from 'webextension-polyfill';
import { makeMenus, type MenuItem } from '../../../../extension/platform/windows/menus.ts';
import { settled } from '../../../support/service-fakes.ts';

describe('platform/menus', () => {
  it('are made once for each installation, all of them', async () => {
    let installed = (): void => undefined;
    const onInstalled = { addListener: (listener: () => void) => (installed = listener) };
    let items: MenuItem[] = [];
    const contextMenus = {
      removeAll: () => Promise.resolve(void (items = [])),
      create: (item: MenuItem) => items.push(item),
    } as unknown as Menus.Static;
    const wanted: MenuItem[] = [
      { id: 'lock', title: 'Lock now', contexts: ['action'] },
      { id: 'open', title: 'Open', contexts: ['page', 'editable'] },
    ];
    const runtime = { onInstalled } as unknown as Runtime.Static;
    makeMenus({ contextMenus, runtime }, wanted);
    expect(items).to.deep.equal([]);
    for (let turn = 0; turn < 2; turn++) {
      installed();
      await settled();
      expect(items).to.deep.equal(wanted);
    }
  });
});
