import { expect } from 'chai';
import sinon from 'sinon';
import { connectSealwright } from '../../src/client/connect.ts';
import { findSealwright, onSealwright } from '../../src/client/discovery.ts';
import { explain } from '../../src/client/explain.ts';
import { announce, FakeProvider } from './fake-provider.ts';
import { errorOf } from '../support/outcomes.ts';

const REQUEST = { purpose: 'Keep your notes private', capabilities: ['seal', 'open'] } as const;

describe('finding Sealwright', () => {
  let provider: FakeProvider;
  let target: EventTarget;
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    provider = new FakeProvider();
    target = new EventTarget();
  });
  afterEach(() => clock.restore());

  it('finds a provider that was announced before', async () => {
    announce(provider, target);
    expect(await findSealwright({ target })).to.equal(provider);
    expect(clock.countTimers()).to.equal(0);
  });

  it('waits for a later announcement, as when the user enables the site', async () => {
    const found = findSealwright({ target, waitMs: Infinity });
    expect(clock.countTimers()).to.equal(0);
    announce(provider, target);
    expect(await found).to.equal(provider);
  });

  it('fails after the time with possible causes and remedies', async () => {
    const looking = errorOf(findSealwright({ target }));
    await clock.tickAsync(999);
    expect(await Promise.race([looking, Promise.resolve('still looking')])).to.equal(
      'still looking',
    );
    await clock.tickAsync(1);
    const error = await looking;
    expect(error).to.include({ name: 'SealwrightClientError', code: 'ABSENT' });
    expect(explain(error)).to.match(/Install the extension, or enable it on this site/);
  });

  it('finds nothing on a server, where there are no events: ABSENT at once', async () => {
    expect('addEventListener' in globalThis).to.equal(false);
    for (const waitMs of [1000, Infinity]) {
      const finding = errorOf(findSealwright({ waitMs }));
      await clock.tickAsync(0);
      expect(await finding).to.include({ code: 'ABSENT' });
    }
    const connecting = errorOf(connectSealwright({ ...REQUEST, capabilities: ['seal'] }));
    await clock.tickAsync(0);
    expect(await connecting).to.include({ code: 'ABSENT' });
    const found = sinon.spy();
    onSealwright(found)();
    expect(found.callCount).to.equal(0);
    expect(clock.countTimers()).to.equal(0);
  });

  it('stops at the signal, before and during the search', async () => {
    const controller = new AbortController();
    const during = errorOf(findSealwright({ target, signal: controller.signal }));
    controller.abort();
    expect((await during).name).to.equal('AbortError');
    const before = errorOf(findSealwright({ target, signal: controller.signal }));
    expect((await before).name).to.equal('AbortError');
    expect(clock.countTimers()).to.equal(0);
  });

  it('ignores other providers, and events without a provider', () => {
    const found = sinon.spy();
    onSealwright(found, target);
    const detail = { info: { ...provider.info, rdns: 'org.example' }, provider };
    target.dispatchEvent(new CustomEvent('sealwright:announce', { detail }));
    target.dispatchEvent(new CustomEvent('sealwright:announce'));
    target.dispatchEvent(new Event('sealwright:announce'));
    expect(found.called).to.equal(false);
  });

  it('reports each provider once, and none after it was stopped', () => {
    const found = sinon.spy();
    announce(provider, target);
    const stop = onSealwright(found, target);
    target.dispatchEvent(new Event('sealwright:request'));
    expect(found.args).to.deep.equal([[provider]]);
    stop();
    announce(new FakeProvider(), target);
    expect(found.callCount).to.equal(1);
  });

  describe('and connecting', () => {
    beforeEach(() => announce(provider, target));

    it('returns the provider, the grants and the granted key', async () => {
      const connection = await connectSealwright(REQUEST, { target });
      expect(connection).to.include({ sealwright: provider, key: 'key 1' });
      expect(connection.grants[0]!.capabilities).to.deep.equal(['seal', 'open']);
    });

    it('returns the user’s refusal', async () => {
      provider.answer = 'deny';
      const error = await errorOf(connectSealwright(REQUEST, { target }));
      expect(error).to.include({ code: 'USER_REJECTED' });
      expect(explain(error)).to.equal('You said no. Nothing happened; you can be asked again.');
    });

    it('does not ask the user if the extension is too old for the app', async () => {
      const connect = sinon.spy(provider, 'connect');
      const features = ['seal', 'sync', 'telepathy'];
      const error = await errorOf(connectSealwright(REQUEST, { target, features }));
      expect(error).to.include({ code: 'UNSUPPORTED' });
      expect(error.message).to.equal(
        'Sealwright 0.1.0 cannot do this yet (telepathy). Update the extension.',
      );
      expect(connect.called).to.equal(false);
    });
  });
});
