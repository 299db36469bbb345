import { expect } from 'chai';
import { FakeStorageArea } from '../../support/stores/fake-storage-area.ts';
import { settled } from '../../support/service-fakes.ts';

type Listener = (...args: unknown[]) => unknown;

/** Every event of a fake browser, by name, with those who listen to it. */
class Events {
  readonly listeners = new Map<string, Listener[]>();

  named(name: string) {
    this.listeners.set(name, []);
    return { addListener: (listener: Listener) => this.listeners.get(name)!.push(listener) };
  }

  heard(): string[] {
    return [...this.listeners].filter(([, all]) => all.length > 0).map(([name]) => name);
  }
}

function fakeBrowser(events: Events) {
  const area = () => new FakeStorageArea().area;
  return {
    runtime: {
      id: 'extension',
      lastError: undefined,
      getURL: (path: string) => `chrome-extension://extension/${path}`,
      getManifest: () => ({ version: '9.9.9' }),
      onConnect: events.named('runtime.onConnect'),
      onInstalled: events.named('runtime.onInstalled'),
      onMessage: events.named('runtime.onMessage'),
      onStartup: events.named('runtime.onStartup'),
    },
    extension: {},
    storage: {
      local: area(),
      session: area(),
      sync: { ...area(), onChanged: events.named('storage.sync.onChanged') },
    },
    alarms: { onAlarm: events.named('alarms.onAlarm') },
    idle: { onStateChanged: events.named('idle.onStateChanged') },
    permissions: {
      onAdded: events.named('permissions.onAdded'),
      onRemoved: events.named('permissions.onRemoved'),
    },
    commands: { onCommand: events.named('commands.onCommand') },
    contextMenus: { onClicked: events.named('contextMenus.onClicked') },
    i18n: { getMessage: (name: string) => name },
    windows: { onRemoved: events.named('windows.onRemoved') },
    scripting: {},
    tabs: {},
  };
}

describe('The background', () => {
  const GLOBALS = ['browser', 'chrome', 'navigator', 'indexedDB'] as const;
  const before_ = GLOBALS.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  const events = new Events();

  before(async () => {
    const browser = fakeBrowser(events);
    const values = { browser, chrome: browser, navigator: { locks: {} }, indexedDB: {} };
    for (const name of GLOBALS) {
      Object.defineProperty(globalThis, name, { value: values[name], configurable: true });
    }
    await import('../../../extension/entries/background.ts');
  });

  after(() => {
    GLOBALS.forEach((name, i) => {
      if (before_[i]) Object.defineProperty(globalThis, name, before_[i]);
      else Reflect.deleteProperty(globalThis, name);
    });
  });

  it('listens in its first turn to everything that may wake it', () => {
    expect(events.heard().sort()).to.deep.equal([...events.listeners.keys()].sort());
  });

  it('hangs up on callers without an identity, and greets its own pages', async () => {
    const [connect] = events.listeners.get('runtime.onConnect')!;
    const port = (sender: object) => {
      const log: unknown[] = [];
      const listen = { addListener: () => undefined };
      connect!({
        name: 'sealwright',
        sender,
        onMessage: listen,
        onDisconnect: listen,
        postMessage: (message: unknown) => log.push(message),
        disconnect: () => log.push('disconnected'),
      });
      return log;
    };
    const url = 'chrome-extension://extension/popup.html';
    expect(port({ id: 'another extension', url })).to.deep.equal(['disconnected']);
    expect(port({ id: 'extension', origin: 'null', url: 'data:,' })).to.deep.equal([
      'disconnected',
    ]);
    const own = port({ id: 'extension', origin: 'chrome-extension://extension', url, frameId: 0 });
    await settled();
    expect(own).to.have.length(1);
    expect(own).to.not.include('disconnected');
  });
});
