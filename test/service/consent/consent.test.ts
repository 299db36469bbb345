import { expect } from 'chai';
import { SealwrightError, type ErrorCode } from '../../../src/rpc/errors.ts';
import { Consent } from '../../../src/service/consent/consent.ts';
import {
  CONSENT,
  type Outcome,
  type NormalizedRequest,
} from '../../../src/service/consent/consent-state.ts';
import type { Scope } from '../../../src/service/calls/frame-policy.ts';
import { MemoryLocks } from '../../../extension/testing/memory.ts';
import { MemorySession } from '../../support/stores/memory-store.ts';
import { FakePrompter, FakeRandom, settled } from '../../support/service-fakes.ts';
import { errorOf } from '../../support/outcomes.ts';

const never = (): AbortSignal => new AbortController().signal;
const GRANTED: Outcome = { kind: 'granted', grantIds: ['g1'] };
const REJECTED: Outcome = { kind: 'rejected' };

function scopeFor(origin: string): Scope {
  return { origin, topOrigin: origin, container: null };
}
const A = scopeFor('https://a.example');
const REQUEST: NormalizedRequest = {
  purpose: 'To keep your notes',
  key: { kind: 'app' },
  capabilities: ['seal'],
  expiresInMs: null,
  maxUses: null,
  maxPerHour: null,
  bulk: null,
};

describe('Consent', () => {
  let now: number;
  let session: MemorySession;
  let prompter: FakePrompter;
  let random: FakeRandom;
  let consent: Consent;

  const newWorker = (): Consent =>
    new Consent({
      session,
      locks: new MemoryLocks(),
      random,
      prompter,
      now: () => now,
      onStateChanged: () => undefined,
    });

  const ask = (
    waiter: string,
    requested = REQUEST,
    scope = A,
    signal = never(),
    tabId = 1,
  ): Promise<Outcome> => {
    const asks = () => Promise.resolve('the same');
    return consent.ask({ scope, id: waiter, asks, caller: { tabId } }, requested, signal);
  };

  async function codeAndData(asking: Promise<unknown>): Promise<[ErrorCode, unknown]> {
    const error = await errorOf(asking);
    expect(error).to.be.instanceOf(SealwrightError);
    return [error.code, error.data];
  }

  async function denied(waiter: string): Promise<void> {
    const asking = ask(waiter);
    await settled();
    await consent.settle(prompter.shown.at(-1)!, REJECTED);
    expect(await asking).to.deep.equal(REJECTED);
  }

  beforeEach(() => {
    now = 1_800_000_000_000;
    session = new MemorySession();
    prompter = new FakePrompter();
    random = new FakeRandom();
    consent = newWorker();
  });

  it('shows one prompt and answers with what the user said', async () => {
    const asking = ask('doc 1');
    await settled();
    const [promptId] = prompter.shown;
    expect(await consent.pending(promptId!)).to.deep.include({ scope: A, wish: REQUEST });
    await consent.settle(promptId!, GRANTED);
    expect(await asking).to.deep.equal(GRANTED);
    expect(prompter.closed).to.deep.equal([promptId]);
    expect(await consent.pending(promptId!)).to.equal(undefined);
  });

  it('lets the same question join, and answers all who wait', async () => {
    const both = [ask('doc 1'), ask('doc 2')];
    await settled();
    expect(new Set(prompter.shown).size).to.equal(1);
    expect((await consent.allPending())[0]!.waiters.map(({ call }) => call)).to.deep.equal([
      'doc 1',
      'doc 2',
    ]);
    await consent.settle(prompter.shown[0]!, GRANTED);
    expect(await Promise.all(both)).to.deep.equal([GRANTED, GRANTED]);
  });

  it('bounds how many calls may wait for one answer', async () => {
    const asking = Array.from({ length: CONSENT.maxWaiters }, (_, i) => ask(`doc ${i}`));
    await settled();
    expect((await codeAndData(ask('one more')))[0]).to.equal('QUOTA');
    await consent.settle(prompter.shown[0]!, GRANTED);
    await Promise.all(asking);
  });

  it('refuses another question of the same origin while one is open, and never changes it', async () => {
    const asking = ask('doc 1');
    await settled();
    const before = await consent.pending(prompter.shown[0]!);
    const other = { ...REQUEST, purpose: 'Something else' };
    expect(await codeAndData(ask('doc 2', other))).to.deep.equal([
      'QUOTA',
      { retryAfterMs: CONSENT.busyRetryMs },
    ]);
    expect(await consent.pending(prompter.shown[0]!)).to.deep.equal(before);
    await consent.settle(prompter.shown[0]!, GRANTED);
    await asking;
  });

  it('asks for several origins side by side, up to a limit', async () => {
    const origins = Array.from({ length: CONSENT.maxPrompts }, (_, i) => `https://site-${i}.test`);
    const asking = origins.map((origin, i) => ask(origin, REQUEST, scopeFor(origin), never(), i));
    await settled();
    expect(prompter.shown).to.have.length(CONSENT.maxPrompts);
    const more = ask('doc', REQUEST, scopeFor('https://more.test'), never(), 99);
    expect((await codeAndData(more))[0]).to.equal('QUOTA');
    await Promise.all(prompter.shown.map((promptId) => consent.settle(promptId, GRANTED)));
    await Promise.all(asking);
  });

  it('gives the place of a question that no call waits for to another site', async () => {
    const leaving = new AbortController();
    const gaveUp = errorOf(
      ask('doc left', REQUEST, scopeFor('https://left.test'), leaving.signal, 50),
    );
    const origins = Array.from(
      { length: CONSENT.maxPrompts - 1 },
      (_, i) => `https://site-${i}.test`,
    );
    const asking = origins.map((origin, i) => ask(origin, REQUEST, scopeFor(origin), never(), i));
    await settled();
    const [left] = prompter.shown;
    leaving.abort(new Error('left'));
    await gaveUp;
    const fifth = ask('doc 5', REQUEST, scopeFor('https://fifth.test'), never(), 99);
    await settled();
    expect(prompter.closed).to.deep.equal([left]);
    expect(await consent.allPending()).to.have.length(CONSENT.maxPrompts);
    const again = ask('doc left', REQUEST, scopeFor('https://left.test'), never(), 50);
    expect(await codeAndData(again)).to.deep.equal([
      'QUOTA',
      { retryAfterMs: CONSENT.firstCooldownMs },
    ]);
    await Promise.all(prompter.shown.map((promptId) => consent.settle(promptId, GRANTED)));
    expect(await fifth).to.deep.equal(GRANTED);
    await Promise.all(asking);
  });

  it('asks once at a time for one registrable domain and for one tab', async () => {
    const site = (host: string) => scopeFor(`https://${host}`);
    const asking = ask('doc 1', REQUEST, site('s1.evil.test'), never(), 1);
    await settled();
    const refused = [
      ask('doc 2', REQUEST, site('s2.evil.test'), never(), 2),
      ask('doc 3', REQUEST, site('evil.test:8443'), never(), 3),
      ask(
        'doc 4',
        REQUEST,
        { ...site('s4.evil.test'), topOrigin: 'https://evil.test' },
        never(),
        4,
      ),
      ask('doc 5', REQUEST, site('other.test'), never(), 1),
    ];
    for (const each of refused) expect((await codeAndData(each))[0]).to.equal('QUOTA');
    const honest = ask('doc 6', REQUEST, site('honest.test'), never(), 5);
    await settled();
    expect(prompter.shown).to.have.length(2);
    await Promise.all(prompter.shown.map((promptId) => consent.settle(promptId, GRANTED)));
    expect(await Promise.all([asking, honest])).to.deep.equal([GRANTED, GRANTED]);
  });

  it('cools down, after a denial, the registrable domain in all tabs, and the tab for all sites', async () => {
    const site = (host: string) => scopeFor(`https://${host}`);
    const askFrom = (host: string, tabId: number) => ask(host, REQUEST, site(host), never(), tabId);
    for (let i = 0, wait: number = CONSENT.firstCooldownMs; i < 5; i++, wait *= 2) {
      const asking = askFrom(`s${i}.evil.test`, 1);
      await settled();
      await consent.settle(prompter.shown.at(-1)!, REJECTED);
      await asking;
      const quota = ['QUOTA', { retryAfterMs: wait }];
      expect(await codeAndData(askFrom(`s${i + 1}.evil.test`, 1))).to.deep.equal(quota);
      expect(await codeAndData(askFrom(`t${i}.evil.test`, 2))).to.deep.equal(quota);
      expect(await codeAndData(askFrom(`other-${i}.test`, 1))).to.deep.equal(quota);
      now += wait;
    }
    void askFrom('honest.test', 3);
    await settled();
    expect(prompter.shown).to.have.length(6);
  });

  it('takes the closed window for a no', async () => {
    const asking = ask('doc 1');
    await settled();
    await consent.closed(prompter.shown[0]!);
    expect(await asking).to.deep.equal(REJECTED);
  });

  it('counts the first answer only', async () => {
    const asking = ask('doc 1');
    await settled();
    await consent.settle(prompter.shown[0]!, GRANTED);
    await consent.closed(prompter.shown[0]!);
    expect(await asking).to.deep.equal(GRANTED);
    void ask('doc 2');
    await settled();
    expect(prompter.shown).to.have.length(2);
  });

  it('cools down after a denial, twice as long each time, up to an hour', async () => {
    let expected: number = CONSENT.firstCooldownMs;
    for (let i = 0; i < 12; i++) {
      await denied(`doc ${i}`);
      expect(await codeAndData(ask('again'))).to.deep.equal(['QUOTA', { retryAfterMs: expected }]);
      now += expected - 1;
      expect((await codeAndData(ask('again')))[1]).to.deep.equal({ retryAfterMs: 1 });
      now += 1;
      expected = Math.min(2 * expected, CONSENT.maxCooldownMs);
    }
    expect(expected).to.equal(CONSENT.maxCooldownMs);
  });

  it('starts afresh after a yes, and after a day', async () => {
    await denied('doc 1');
    now += CONSENT.firstCooldownMs;
    const asking = ask('doc 2');
    await settled();
    await consent.settle(prompter.shown.at(-1)!, GRANTED);
    await asking;
    await denied('doc 3');
    expect((await codeAndData(ask('again')))[1]).to.deep.equal({
      retryAfterMs: CONSENT.firstCooldownMs,
    });
    now += CONSENT.firstCooldownMs + CONSENT.forgiveAfterMs;
    await denied('doc 4');
    expect((await codeAndData(ask('again')))[1]).to.deep.equal({
      retryAfterMs: CONSENT.firstCooldownMs,
    });
  });

  it('does not cool down for longer because a clock was set back', async () => {
    await denied('doc 1');
    now -= 10 * 365 * 24 * 60 * 60 * 1000;
    void ask('doc 2');
    await settled();
    expect(prompter.shown).to.have.length(2);
  });

  it('leaves the prompt open when the page gives up, so that a reloaded page joins it', async () => {
    const controller = new AbortController();
    const asking = ask('doc 1', REQUEST, A, controller.signal);
    await settled();
    controller.abort();
    await asking.then(
      () => expect.fail('did not reject'),
      (error: unknown) => expect(error).to.have.property('name', 'AbortError'),
    );
    expect((await consent.pending(prompter.shown[0]!))?.waiters).to.deep.equal([]);
    const again = ask('doc 2');
    await settled();
    expect(new Set(prompter.shown).size).to.equal(1);
    await consent.settle(prompter.shown[0]!, GRANTED);
    expect(await again).to.deep.equal(GRANTED);
  });

  it('opens no prompt for a call that was aborted before', async () => {
    const gone = AbortSignal.abort();
    await ask('doc 1', REQUEST, A, gone).catch(() => undefined);
    await settled();
    expect(prompter.shown).to.deep.equal([]);
  });

  it('lets a replayed call join again after the worker died', async () => {
    void ask('doc 1');
    await settled();
    consent = newWorker();
    const replayed = ask('doc 1');
    await settled();
    expect(new Set(prompter.shown).size).to.equal(1);
    await consent.settle(prompter.shown[0]!, GRANTED);
    expect(await replayed).to.deep.equal(GRANTED);
  });

  for (const outcome of [GRANTED, REJECTED]) {
    it(`gives a replayed call the answer that came meanwhile: ${outcome.kind}`, async () => {
      void ask('doc 1');
      await settled();
      consent = newWorker();
      await consent.settle(prompter.shown[0]!, outcome);
      consent = newWorker();
      expect(await ask('doc 1')).to.deep.equal(outcome);
      expect(prompter.shown).to.have.length(1);
    });
  }

  it('says so when no window can be shown, and does not hold it against the site', async () => {
    prompter.failure = new Error('no windows here');
    expect(await ask('doc 1')).to.deep.equal({ kind: 'failed' });
    prompter.failure = undefined;
    void ask('doc 2');
    await settled();
    expect(prompter.shown).to.have.length(1);
  });
});
