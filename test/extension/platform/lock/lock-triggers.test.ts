import { expect } from 'chai';
import type { Commands, Menus } from 'webextension-polyfill';
import {
  lockItem,
  onLockCommand,
  onLockMenu,
  onScreenLock,
  UserPresence,
} from '../../../../extension/platform/lock/lock-triggers.ts';

type Listener = (value: never) => void;

function event() {
  const listeners: Listener[] = [];
  const fire = (value: unknown) => listeners.forEach((listener) => listener(value as never));
  return { addListener: (listener: Listener) => listeners.push(listener), fire };
}

describe('platform/lock-triggers', () => {
  it('reacts to its keyboard command, and to no other', () => {
    const onCommand = event();
    let locks = 0;
    onLockCommand({ onCommand } as unknown as Commands.Static, () => locks++);
    onCommand.fire('something else');
    expect(locks).to.equal(0);
    onCommand.fire('lock');
    expect(locks).to.equal(1);
  });

  it('reacts to its own menu item alone', () => {
    const onClicked = event();
    let locks = 0;
    onLockMenu({ onClicked } as unknown as Menus.Static, () => locks++);
    onClicked.fire({ menuItemId: 'another' });
    expect(locks).to.equal(0);
    onClicked.fire({ menuItemId: lockItem('Lock now').id });
    expect(locks).to.equal(1);
  });

  it('does without menus, commands and idle times, which Firefox for Android has not', async () => {
    const fail = () => expect.fail('locked');
    for (const listen of [onLockCommand, onLockMenu, onScreenLock]) listen(undefined, fail);
    expect(await new UserPresence(undefined).isActive()).to.equal(true);
  });
});
