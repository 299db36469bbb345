import { expect } from 'chai';
import type { ToolbarState } from '../../../../src/service/status/toolbar.ts';
import {
  BrowserToolbarButton,
  lookOf,
  type ToolbarButtonDeps,
} from '../../../../extension/platform/windows/toolbar-button.ts';
import { MemorySession } from '../../../support/stores/memory-store.ts';
import { FakeSites, settled } from '../../../support/service-fakes.ts';

const OPEN: ToolbarState = {
  isOpen: true,
  requests: 0,
  isFrozen: false,
  isUnusual: false,
  hasNewDevice: false,
  needsRecoveryCode: false,
};

describe('What the toolbar shows', () => {
  /** State, whether the tab's site is enabled, and: icon, badge, title. */
  const TABLE = [
    [{}, false, 'icon', '', 'toolbarOpen'],
    [{}, true, 'icon', '✓', 'toolbarOn'],
    [{ isOpen: false }, false, 'icon-locked', '', 'toolbarLocked'],
    [{ isOpen: false }, true, 'icon-locked', '✓', 'toolbarLockedOn'],
    [{ needsRecoveryCode: true }, true, 'icon', '!', 'toolbarRecovery'],
    [{ isFrozen: true, needsRecoveryCode: true }, true, 'icon', '!', 'toolbarFrozen'],
    [{ isUnusual: true, needsRecoveryCode: true }, true, 'icon', '!', 'toolbarUnusual'],
    [{ hasNewDevice: true, isFrozen: true }, true, 'icon', '!', 'toolbarNewDevice'],
    [{ isFrozen: true, requests: 2 }, true, 'icon', '2', 'toolbarRequest'],
    [{ requests: 1 }, true, 'icon', '1', 'toolbarRequest'],
    [{ requests: 3, needsRecoveryCode: true }, false, 'icon', '3', 'toolbarRequest'],
    [{ isOpen: false, requests: 1 }, false, 'icon-locked', '1', 'toolbarRequest'],
  ] as const;

  for (const [state, isOn, icon, badge, title] of TABLE) {
    it(`is ${title} for ${JSON.stringify(state)}, ${isOn ? 'on' : 'off'}`, () => {
      expect(lookOf({ ...OPEN, ...state }, isOn)).to.include({ icon, badge, title });
    });
  }

  it('is no more than a colour that differs, so that no state is told by colour alone', () => {
    const looks = TABLE.map(([state, isOn]) => lookOf({ ...OPEN, ...state }, isOn));
    const told = looks.map(({ badge, title }) => `${badge} ${title}`);
    expect(new Set(told).size).to.equal(told.length - 1); // one request, with the vault open or locked
  });
});

describe('The toolbar’s button', () => {
  function made(open: readonly { id?: number; url: string }[], absent: readonly string[] = []) {
    const set = new Map<string, unknown>();
    const note =
      (name: string) =>
      ({ tabId, ...value }: { tabId?: number }) => {
        set.set(`${name} ${tabId ?? 'all'}`, Object.values(value)[0]);
        return tabId === 99 ? Promise.reject(new Error('No tab with id')) : Promise.resolve();
      };
    const action = {
      setIcon: note('icon'),
      setTitle: note('title'),
      setBadgeText: note('badge'),
      setBadgeBackgroundColor: note('colour'),
    };
    for (const name of absent) Reflect.deleteProperty(action, name);
    const tabs = { query: () => Promise.resolve(open) };
    const deps = {
      action,
      tabs,
      sites: new FakeSites(),
      session: new MemorySession(),
      words: () => Promise.resolve((title: string) => title),
    };
    return { set, open, button: new BrowserToolbarButton(deps as unknown as ToolbarButtonDeps) };
  }

  it('shows what it can where the browser has not every function, as Firefox for Android', async () => {
    const { set, button } = made([{ id: 7, url: 'http://localhost/' }], ['setIcon', 'setTitle']);
    button.show(OPEN);
    await settled();
    expect([...set.keys()].sort()).to.deep.equal([
      'badge 7',
      'badge all',
      'colour 7',
      'colour all',
    ]);
  });

  it('has a title and a badge for each tab of an enabled site, and one icon for all', async () => {
    const { set, button } = made([{ id: 7, url: 'http://localhost/' }]);
    button.show(OPEN);
    await settled();
    expect(set.get('title all')).to.equal('toolbarOpen');
    expect(set.get('title 7')).to.equal('toolbarOn');
    expect(set.get('badge 7')).to.equal('✓');
    expect(set.get('icon all')).to.deep.equal({
      16: '/icons/icon-16.png',
      32: '/icons/icon-32.png',
    });
    expect(set.has('icon 7')).to.equal(false);
  });

  it('gives a tab that has left its site what all others have', async () => {
    const open = [{ id: 7, url: 'http://localhost/' }];
    const { set, button } = made(open);
    button.show(OPEN);
    await settled();
    open.pop();
    button.show({ ...OPEN, isOpen: false });
    await settled();
    expect(set.get('title 7')).to.equal('toolbarLocked');
    expect(set.get('badge 7')).to.equal('');
  });

  it('goes on where a tab was closed meanwhile', async () => {
    const { set, button } = made([
      { id: 99, url: 'http://localhost/' },
      { id: 7, url: 'http://localhost/' },
    ]);
    button.show(OPEN);
    await settled();
    expect(set.get('title 7')).to.equal('toolbarOn');
  });

  it('shows the newest of several states', async () => {
    const { set, button } = made([]);
    button.show(OPEN);
    button.show({ ...OPEN, requests: 1 });
    button.show({ ...OPEN, isOpen: false });
    await settled();
    expect(set.get('title all')).to.equal('toolbarLocked');
  });
});
