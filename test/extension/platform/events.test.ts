import { expect } from 'chai';
import sinon from 'sinon';
import type { Alarms, Idle } from 'webextension-polyfill';
import { AlarmWakeUp } from '../../../extension/platform/lock/alarms.ts';
import { onScreenLock } from '../../../extension/platform/lock/lock-triggers.ts';
import { TabEvents } from '../../../extension/platform/sites/tab-events.ts';
import { parseMessage } from '../../../src/rpc/envelope.ts';
import { ConnectedChannels } from '../../../src/rpc/server/connected-channels.ts';
import { FakeSites, settled } from '../../support/service-fakes.ts';

describe('Events to tabs', () => {
  const TABS = [
    { id: 1, url: 'https://a.example/x' },
    { id: 2, url: 'https://a.example:8443/y' },
    { id: 3, url: 'https://b.example/' },
    { url: 'https://a.example/without-id' },
  ];
  const told = async (act: (events: TabEvents) => void) => {
    const query = sinon.spy(({ url }: { url: string | string[] }) => {
      const hosts = [url].flat().map((pattern) => /\/\/([^/]+)\//.exec(pattern)![1]!);
      return Promise.resolve(TABS.filter((tab) => hosts.includes(new URL(tab.url).hostname)));
    });
    const sendMessage = sinon.spy((id: number) =>
      id === 1 ? Promise.reject(new Error('Receiving end does not exist.')) : Promise.resolve(),
    );
    const sites = new FakeSites();
    sites.patterns = new Set(['https://a.example/*', 'https://b.example/*']);
    act(
      new TabEvents({
        tabs: { query, sendMessage } as never,
        sites,
        channels: new ConnectedChannels(),
      }),
    );
    await settled();
    return sendMessage.args as unknown as [number, unknown, object][];
  };

  for (const name of ['lock', 'unlock'] as const) {
    it(`${name} goes to every frame of enabled sites, whether or not anybody listens`, async () => {
      const sent = await told((events) => events[name]());
      expect(sent.map(([id]) => id)).to.deep.equal([1, 2, 3]);
      expect(sent.map(([, , options]) => options)).to.deep.equal([undefined, undefined, undefined]);
      expect(parseMessage(sent[0]![1])).to.deep.include({ kind: 'event', name });
    });
  }

  it('grantchange goes to the tabs of its top page alone, and names its frames’ origin', async () => {
    const topOrigin = 'https://a.example:8443';
    const origin = 'https://frame.a.example';
    const sent = await told((events) => events.grantchange({ origin, topOrigin }));
    expect(sent.map(([id, , options]) => [id, options])).to.deep.equal([[2, undefined]]);
    expect(parseMessage(sent[0]![1])).to.deep.include({ name: 'grantchange', origin });
  });
});

describe('Events to open channels', () => {
  const PAGE = { kind: 'page', origin: 'https://a.example', topOrigin: 'https://a.example' };
  const heard = (act: (events: TabEvents) => void): string[] => {
    const lines = new ConnectedChannels();
    const names: string[] = [];
    const close: (() => void)[] = [];
    const add = (name: string, peer: object): void =>
      lines.add({
        peer,
        send: (message: unknown) => names.push(`${name} ${parseMessage(message)!.kind}`),
        onClose: (listener: () => void) => close.push(listener),
      } as never);
    add('page', PAGE);
    add('other origin', { ...PAGE, origin: 'https://b.example' });
    add('other top', { ...PAGE, topOrigin: 'https://b.example' });
    add('popup', { kind: 'surface', page: 'popup' });
    add('closed', PAGE);
    close.at(-1)!();
    const tabs = { query: () => Promise.resolve([]) };
    act(new TabEvents({ tabs: tabs as never, sites: new FakeSites(), channels: lines }));
    return names;
  };

  it('grantchange goes to the open port of the page concerned alone', () => {
    const { origin, topOrigin } = PAGE;
    expect(heard((events) => events.grantchange({ origin, topOrigin }))).to.deep.equal([
      'page event',
    ]);
  });

  it('lock goes to the open ports of all pages', () => {
    expect(heard((events) => events.lock())).to.deep.equal([
      'page event',
      'other origin event',
      'other top event',
    ]);
  });
});

describe('The wake-up', () => {
  it('is one alarm, planned anew or cancelled, and ignores others', async () => {
    const alarms = {
      create: sinon.spy(),
      clear: sinon.stub().resolves(true),
      onAlarm: { addListener: sinon.spy() },
    };
    const wakeUp = new AlarmWakeUp(alarms as unknown as Alarms.Static);
    await wakeUp.at(1234);
    expect(alarms.create.args).to.deep.equal([['auto-lock', { when: 1234 }]]);
    await wakeUp.at(null);
    expect(alarms.clear.args).to.deep.equal([['auto-lock']]);
    const listener = sinon.spy();
    wakeUp.onDue(listener);
    const fire = alarms.onAlarm.addListener.args[0]![0] as (alarm: { name: string }) => void;
    fire({ name: 'other' });
    expect(listener.callCount).to.equal(0);
    fire({ name: 'auto-lock' });
    expect(listener.callCount).to.equal(1);
  });
});

describe('The screen lock', () => {
  it('is distinguished from idleness', () => {
    const addListener = sinon.spy();
    const listener = sinon.spy();
    onScreenLock({ onStateChanged: { addListener } } as unknown as Idle.Static, listener);
    const change = addListener.args[0]![0] as (state: string) => void;
    for (const state of ['active', 'idle']) change(state);
    expect(listener.callCount).to.equal(0);
    change('locked');
    expect(listener.callCount).to.equal(1);
  });
});
