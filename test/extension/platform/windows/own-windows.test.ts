import { expect } from 'chai';
import { ownWindows, type OwnWindows } from '../../../../extension/platform/windows/own-windows.ts';

/* A browser of tabs, each in a window of its own where there are windows; Firefox for Android has none. */
const SIZE = { width: 440, height: 640 };
const SITE = 7;

type Listener = (id: number) => void;

class FakeBrowser {
  readonly open = new Map<number, { active: boolean; windowId: number; url?: string }>();
  readonly #listeners: Listener[] = [];
  readonly #hasWindows: boolean;

  constructor(hasWindows: boolean) {
    this.#hasWindows = hasWindows;
    this.open.set(SITE, { active: true, windowId: SITE });
  }

  /** What the extension sees of it. */
  get api(): never {
    const api = {
      create: ({ url }: { url: string }) => this.#create(url),
      get: (id: number) => this.#get(id),
      getLastFocused: () => Promise.resolve({}),
      onRemoved: { addListener: (listener: Listener) => this.#listeners.push(listener) },
      remove: async (id: number) => {
        await this.#get(id);
        this.close(id);
      },
      update: async (id: number) => {
        await this.#get(id);
        this.show(id);
      },
    };
    return { tabs: api, ...(this.#hasWindows && { windows: api }) } as never;
  }

  show(id: number): void {
    for (const [other, tab] of this.open) tab.active = other === id || this.#hasWindows;
    this.front = id;
  }

  close(id: number): void {
    this.open.delete(id);
    for (const listener of this.#listeners) listener(id);
  }

  front = SITE;

  #create(url: string) {
    const id = 100 + this.open.size;
    this.open.set(id, { active: true, windowId: id, url });
    this.show(id);
    return Promise.resolve({ id });
  }

  #get(id: number) {
    const tab = this.open.get(id);
    if (!tab) return Promise.reject(new Error(`no ${id}`));
    return Promise.resolve({ ...tab, focused: this.front === id });
  }
}

for (const hasWindows of [true, false]) {
  describe(`the extension’s windows, where the browser has ${hasWindows ? 'windows' : 'tabs alone'}`, () => {
    let browser: FakeBrowser;
    let windows: OwnWindows;
    let id: number;

    beforeEach(async () => {
      browser = new FakeBrowser(hasWindows);
      windows = ownWindows(browser.api);
      id = (await windows.open('ext://prompt.html', SIZE))!;
    });

    it('open in front of the page, which the user cannot act in meanwhile', async () => {
      expect(browser.open.get(id)).to.include({ url: 'ext://prompt.html' });
      expect(browser.front).to.equal(id);
      expect(await windows.isInFront(SITE)).to.equal(false);
      browser.show(SITE);
      expect(await windows.isInFront(SITE)).to.equal(true);
    });

    it('come to the front again, and reject where they have gone', async () => {
      browser.show(SITE);
      await windows.focus(id);
      expect(browser.front).to.equal(id);
      browser.close(id);
      expect(await windows.focus(id).catch(() => 'gone')).to.equal('gone');
    });

    it('are open until the user or the extension closes them, which is reported', async () => {
      const told: number[] = [];
      windows.onClosed((one) => told.push(one));
      expect(await windows.isOpen(id)).to.equal(true);
      await windows.close(id);
      expect(await windows.isOpen(id)).to.equal(false);
      await windows.close(id);
      expect(told).to.deep.equal([id]);
      const second = (await windows.open('ext://fields-window.html', SIZE))!;
      browser.close(second);
      expect(told).to.deep.equal([id, second]);
    });
  });
}
