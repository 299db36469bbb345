import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { isSealwrightError, SealwrightClientError } from '../../src/client/errors.ts';
import type { SealwrightErrorCode } from '../../src/client/errors.ts';
import { explain } from '../../src/client/explain.ts';
import type { SealwrightState, SealwrightWatch } from '../../src/client/watch.ts';
import { watchSealwright } from '../../src/client/watch.ts';
import { ERROR_CODES, frameRefused, needsKey, SealwrightError } from '../../src/rpc/errors.ts';
import { announce, FakeProvider } from './fake-provider.ts';

/** Lets all pending answers arrive. */

describe('the observable state', () => {
  let provider: FakeProvider;
  let target: EventTarget;
  let watch: SealwrightWatch;
  let seen: string[];
  let clock: sinon.SinonFakeTimers;

  const start = (options: object = {}) => {
    watch = watchSealwright({ target, ...options });
    watch.subscribe(({ name }) => seen.push(name));
  };
  const events = async (...names: string[]) => {
    for (const name of names) provider.say(name);
    await settled();
  };

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    provider = new FakeProvider();
    target = new EventTarget();
    seen = [];
  });
  afterEach(() => {
    watch.stop();
    clock.restore();
  });

  it('goes from looking to ready through a locked vault and a missing grant', async () => {
    provider.locked = true;
    announce(provider, target);
    start();
    await settled();
    provider.locked = false;
    await events('unlock');
    await provider.api.connect({ purpose: 'x', capabilities: ['seal'] });
    await settled();
    expect(seen).to.deep.equal(['looking', 'locked', 'unconnected', 'ready']);
    expect(watch.state).to.deep.include({ name: 'ready', grants: provider.granted });
  });

  it('is absent after its time, and ready when the user enables the site', async () => {
    await provider.api.connect({ purpose: 'x', capabilities: ['seal'] });
    start();
    await clock.tickAsync(1000);
    announce(provider, target);
    await settled();
    expect(seen).to.deep.equal(['looking', 'absent', 'ready']);
  });

  it('is looking and then absent on a server; its first state stays one object', async () => {
    watch = watchSealwright();
    watch.subscribe(({ name }) => seen.push(name));
    expect(watch.serverState).to.equal(watch.state);
    await clock.tickAsync(1000);
    expect(seen).to.deep.equal(['looking', 'absent']);
    expect(watch.serverState).to.deep.equal({ name: 'looking' });
    expect(watchSealwright({ target }).serverState).to.equal(watch.serverState);
  });

  it('is ready only with all capabilities that the app requests', async () => {
    announce(provider, target);
    start({ capabilities: ['seal', 'open'] });
    await provider.api.connect({ purpose: 'x', capabilities: ['open'] });
    await settled();
    expect(watch.state.name).to.equal('unconnected');
    await provider.api.connect({ purpose: 'x', capabilities: ['open', 'seal', 'mac'] });
    await settled();
    expect(watch.state.name).to.equal('ready');
  });

  it('follows the extension when it disappears and returns', async () => {
    announce(provider, target);
    start();
    await settled();
    await events('disconnect');
    expect(watch.state.name).to.equal('disconnected');
    await events('reconnect');
    expect(watch.state.name).to.equal('unconnected');
  });

  it('treats a provider without a status as gone', async () => {
    sinon.stub(provider, 'status').rejects(new SealwrightError('DISCONNECTED', 'gone'));
    announce(provider, target);
    start();
    await settled();
    expect(watch.state.name).to.equal('disconnected');
  });

  it('uses the newest answer if answers arrive out of order', async () => {
    announce(provider, target);
    start();
    await settled();
    let release!: () => void;
    provider.statusHeld = new Promise((resume) => (release = resume));
    await events('grantchange');
    provider.statusHeld = undefined;
    provider.locked = true;
    await events('lock');
    release();
    await settled();
    expect(seen).to.deep.equal(['looking', 'unconnected', 'locked']);
  });

  it('ignores a pending answer of a provider that is gone', async () => {
    announce(provider, target);
    start();
    await events('disconnect');
    expect(seen).to.deep.equal(['looking', 'disconnected']);
  });

  it('does not notify after stop or after an unsubscription', async () => {
    announce(provider, target);
    start();
    const other: SealwrightState['name'][] = [];
    watch.subscribe(({ name }) => other.push(name))();
    await settled();
    expect(other).to.deep.equal(['looking']);
    watch.stop();
    provider.locked = true;
    await events('lock', 'disconnect');
    expect(seen).to.deep.equal(['looking', 'unconnected']);
    expect(clock.countTimers()).to.equal(0);
  });
});

describe('isSealwrightError', () => {
  it('knows the errors of the extension and of the client, by name, and no others', () => {
    const own = [
      new SealwrightError('LOCKED', 'locked'),
      new SealwrightClientError('ABSENT', 'absent'),
      Object.assign(new Error('of another frame'), { name: 'SealwrightError' }),
    ];
    for (const error of own) expect(isSealwrightError(error)).to.equal(true);
    const others = [new Error('x'), new DOMException('x', 'AbortError'), undefined, null, 'LOCKED'];
    for (const error of others) expect(isSealwrightError(error)).to.equal(false);
    const error: unknown = own[0];
    if (isSealwrightError(error)) {
      expect(error.code satisfies SealwrightErrorCode).to.equal('LOCKED');
    }
    // Its code gives `data` a type: the compiler checks this.
    const busy: unknown = new SealwrightError('QUOTA', 'wait', { retryAfterMs: 9 });
    if (!isSealwrightError(busy, 'QUOTA')) expect.fail('it is QUOTA');
    expect(busy.data.retryAfterMs satisfies number).to.equal(9);
  });
});

describe('the texts', () => {
  it('has a sentence for each state and for each code of the contract', () => {
    const states = ['looking', 'absent', 'locked', 'unconnected', 'ready', 'disconnected'] as const;
    for (const name of states) expect(explain(name)).to.match(/^[A-Z].+[.…]$/);
    for (const code of ERROR_CODES) {
      const words = explain(new SealwrightError(code, 'internal words'));
      expect(words).to.match(/^[A-Z].+\.$/);
    }
  });

  it('show no words of an error that is not of this package', () => {
    expect(explain(new SealwrightError('QUOTA', 'words'))).to.include('has to wait');
    const system = Object.assign(new Error('no such file'), { code: 'LOCKED' });
    const receiver = new TypeError('Cannot read private member #calls');
    for (const thrown of [
      undefined,
      null,
      7,
      'boom',
      'toString',
      new Error('boom'),
      system,
      receiver,
    ]) {
      expect(explain(thrown)).to.equal('Something went wrong. Try again.');
    }
    expect(explain(new DOMException('No answer within 0 ms', 'TimeoutError'))).to.include(
      'too long',
    );
    expect(explain(new DOMException('x', 'AbortError'))).to.include('ended');
  });

  it('say what helps in a frame, and all that NEEDS_KEY may mean in one sentence', () => {
    expect(explain(frameRefused('words'))).to.include('a tab of its own');
    expect(explain(new SealwrightError('UNSUPPORTED', 'words'))).to.include('not in this version');
    const [one, other] = ['a', 'b'].map((id) => explain(needsKey(id)));
    expect(one)
      .to.equal(other)
      .and.match(/another address.*another device.*not be granted/);
  });
});

describe('what is reported of an error', () => {
  it('is code, message, retryable and data that name neither a key nor a collection', () => {
    const missing = { capability: 'sync', collection: 'diary', keyId: 'k7' };
    const reported = JSON.stringify([
      new SealwrightError('NOT_GRANTED', 'no', missing),
      needsKey('h7'),
      new SealwrightError('QUOTA', 'wait', { retryAfterMs: 9 }),
      frameRefused('in a tab'),
      new SealwrightClientError('ABSENT', 'absent'),
    ]);
    const needs = needsKey('h7').message;
    expect(JSON.parse(reported)).to.deep.equal([
      { code: 'NOT_GRANTED', message: 'no', retryable: false, data: { capability: 'sync' } },
      { code: 'NEEDS_KEY', message: needs, retryable: false },
      { code: 'QUOTA', message: 'wait', retryable: true, data: { retryAfterMs: 9 } },
      { code: 'UNSUPPORTED', message: 'in a tab', retryable: false, data: { reason: 'frame' } },
      { code: 'ABSENT', message: 'absent', retryable: false },
    ]);
  });
});
