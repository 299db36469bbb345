import { expect } from 'chai';
import type { Commands, Menus } from 'webextension-polyfill';
import {
  fieldItems,
  onFieldCommand,
  onFieldMenu,
} from '../../../../extension/platform/fields/field-triggers.ts';

type Listener = (...args: unknown[]) => void;

function event() {
  const listeners: Listener[] = [];
  const fire = (...args: unknown[]) => listeners.forEach((listener) => listener(...args));
  return { addListener: (listener: Listener) => listeners.push(listener), fire };
}

describe('platform/field-triggers', () => {
  it('offers sealing on fields alone, and opening wherever text stands', () => {
    const items = fieldItems((name) => `words of ${name}`);
    const on = (context: string) =>
      items.filter(({ contexts }) => contexts.includes(context as Menus.ContextType));
    expect(on('editable').map(({ id }) => id)).to.deep.equal([
      'seal-field',
      'write-sealed',
      'open-sealed',
    ]);
    for (const context of ['selection', 'page', 'link', 'frame']) {
      expect(on(context).map(({ id }) => id)).to.deep.equal(['open-sealed']);
    }
    expect(items[0]!.title).to.equal('words of sealThisField');
  });

  it('begins what the menu item says, in the frame that was clicked', () => {
    const onClicked = event();
    const begun: unknown[] = [];
    onFieldMenu({ onClicked } as unknown as Menus.Static, (...args) => begun.push(args));
    const pageUrl = 'https://a.example/';
    onClicked.fire({ menuItemId: 'lock', frameId: 0, pageUrl }, { id: 7 });
    onClicked.fire({ menuItemId: 'toString', frameId: 0, pageUrl }, { id: 7 });
    onClicked.fire({ menuItemId: 'open-sealed', frameId: 0, pageUrl }, undefined);
    expect(begun).to.deep.equal([]);
    onClicked.fire({ menuItemId: 'seal-field', frameId: 0, pageUrl }, { id: 7 });
    const frameUrl = 'https://b.example/in';
    onClicked.fire({ menuItemId: 'open-sealed', frameId: 3, frameUrl, pageUrl }, { id: 7 });
    expect(begun).to.deep.equal([
      [{ tabId: 7, frameId: 0, address: pageUrl }, 'seal'],
      [{ tabId: 7, frameId: 3, address: frameUrl }, 'open'],
    ]);
  });

  it('begins what the key says, wherever in the tab the focus is', () => {
    const onCommand = event();
    const begun: unknown[] = [];
    onFieldCommand({ onCommand } as unknown as Commands.Static, (...args) => begun.push(args));
    onCommand.fire('lock', { id: 7 });
    onCommand.fire('write-sealed', undefined);
    onCommand.fire('write-sealed', { id: 7 });
    onCommand.fire('open-sealed', { id: 7 });
    expect(begun).to.deep.equal([
      [{ tabId: 7 }, 'write'],
      [{ tabId: 7 }, 'open'],
    ]);
  });

  it('listens to nothing where the browser has neither menus nor commands', () => {
    const fail = () => expect.fail('begun');
    for (const listen of [onFieldMenu, onFieldCommand]) listen(undefined, fail);
  });
});
