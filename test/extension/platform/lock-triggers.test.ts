import { expect } from 'chai';
import type { Commands, Menus, Runtime } from 'webextension-polyfill';
import { onLockCommand, onLockMenu } from '../../../extension/platform/lock-triggers.ts';
import { settled } from '../../support/service-fakes.ts';

type Listener = (value: never) => void;

function event() {
  const listeners: Listener[] = [];
  const fire = (value: unknown) => listeners.forEach((listener) => listener(value as never));
  return { addListener: (listener: Listener) => listeners.push(listener), fire };
}

describe('platform/lock-triggers', () => {
  it('hears the keyboard command, and no other', () => {
    const onCommand = event();
    let locks = 0;
    onLockCommand({ onCommand } as unknown as Commands.Static, () => locks++);
    onCommand.fire('something else');
    expect(locks).to.equal(0);
    onCommand.fire('lock');
    expect(locks).to.equal(1);
  });

  it('makes its menu item once for each installation, and hears only that', async () => {
    const [onInstalled, onClicked] = [event(), event()];
    let items: { id: string; title: string; contexts: string[] }[] = [];
    const contextMenus = {
      onClicked,
      removeAll: () => Promise.resolve(void (items = [])),
      create: (item: (typeof items)[number]) => items.push(item),
    } as unknown as Menus.Static;
    let locks = 0;
    const runtime = { onInstalled } as unknown as Runtime.Static;
    onLockMenu({ contextMenus, runtime }, 'Lock now', () => locks++);
    expect(items).to.deep.equal([]);
    onInstalled.fire({ reason: 'install' });
    await settled();
    onInstalled.fire({ reason: 'update' });
    await settled();
    expect(items).to.deep.equal([{ id: 'lock', title: 'Lock now', contexts: ['action'] }]);
    onClicked.fire({ menuItemId: 'another' });
    onClicked.fire({ menuItemId: 'lock' });
    expect(locks).to.equal(1);
  });
});
