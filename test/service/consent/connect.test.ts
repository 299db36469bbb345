import { expect } from 'chai';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const A = pageCaller();
const PLAINTEXT = new TextEncoder().encode('hello');
const REQUEST: ParamsOf<'connect'> = { purpose: 'To keep notes', capabilities: ['open', 'seal'] };

describe('Connecting', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  async function asked(params: Partial<ParamsOf<'connect'>> = {}, caller = A) {
    const before = world.prompter.shown.length;
    const { answer } = world.begin('connect', { ...REQUEST, ...params }, caller);
    await settled();
    const promptId = world.prompter.shown[before];
    return { answer, promptId: promptId! };
  }

  it('asks before anything is done, and shows what is asked for', async () => {
    const stored = world.stored();
    const { promptId } = await asked({ expiresInMs: 60_000, maxUses: 3, maxPerHour: 9 });
    expect(world.stored()).to.equal(stored);
    expect(await world.surface('ui.prompt', { promptId })).to.deep.equal({
      promptId,
      origin: 'https://a.example',
      topOrigin: 'https://a.example',
      purpose: 'To keep notes',
      capabilities: ['seal', 'open'],
      key: 'app',
      keys: [],
      expiresInMs: 60_000,
      maxUses: 3,
      maxPerHour: 9,
      bulk: null,
      vault: 'unlocked',
      rotates: false,
      waiting: 1,
    });
  });

  it('grants what was asked for, and tells the origin', async () => {
    const [grant] = await world.connect({ expiresInMs: 60_000, maxUses: 3 });
    expect(grant).to.deep.include({
      capabilities: ['seal', 'open'],
      expiresAt: world.now + 60_000,
      usesLeft: 3,
    });
    expect(await world.call('grants', {})).to.deep.equal([grant]);
    expect(world.events.log).to.include('grantchange https://a.example');
  });

  it('lets the user end a grant sooner than asked for, and never later', async () => {
    const ends = async (expiresInMs: number | undefined, chosen: number | null | undefined) => {
      const answer = chosen === undefined ? {} : { expiresInMs: chosen };
      const [grant] = await world.connect(expiresInMs ? { expiresInMs } : {}, A, answer);
      await world.call('revoke', {});
      return grant!.expiresAt && grant!.expiresAt - world.now;
    };
    expect(await ends(60_000, 5_000)).to.equal(5_000);
    expect(await ends(60_000, 90_000)).to.equal(60_000);
    expect(await ends(60_000, null)).to.equal(60_000);
    expect(await ends(undefined, 5_000)).to.equal(5_000);
    expect(await ends(undefined, null)).to.equal(null);
    expect(await ends(Number.MAX_SAFE_INTEGER, undefined)).to.be.greaterThan(1e15);
  });

  it('lets the user allow fewer uses than asked for, and never more', async () => {
    const uses = async (asked: { maxUses?: number }, chosen: { maxUses?: number }) => {
      const [grant] = await world.connect(asked, A, chosen);
      await world.call('revoke', {});
      return grant!.usesLeft;
    };
    expect(await uses({}, { maxUses: 1 })).to.equal(1);
    expect(await uses({ maxUses: 5 }, { maxUses: 1 })).to.equal(1);
    expect(await uses({ maxUses: 5 }, { maxUses: 9 })).to.equal(5);
    expect(await uses({ maxUses: 5 }, {})).to.equal(5);
    expect(await uses({}, {})).to.equal(null);
  });

  it('ends a permission that was given once at its first use, and then asks again', async () => {
    const [granted] = await world.connect({}, A, { maxUses: 1 });
    expect(await world.call('connect', REQUEST)).to.deep.equal([granted]);
    await world.call('seal', { plaintext: PLAINTEXT }, A);
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A))).to.equal('EXPIRED');
    const shown = world.prompter.shown.length;
    await world.connect();
    expect(world.prompter.shown).to.have.length(shown + 1);
  });

  it('does not ask again for what is granted, but asks for more, or for other limits', async () => {
    const [grant] = await world.connect();
    expect(await world.call('connect', REQUEST)).to.deep.equal([grant]);
    expect(await world.call('connect', { ...REQUEST, capabilities: ['open'] })).to.deep.equal([
      grant,
    ]);
    expect(world.prompter.shown).to.have.length(1);
    const [narrow] = await world.connect({ maxUses: 1 });
    expect(world.prompter.shown).to.have.length(2);
    expect(await world.call('grants', {})).to.deep.equal([narrow]);
  });

  it('answers USER_REJECTED, then QUOTA for a while', async () => {
    const { answer, promptId } = await asked();
    await world.surface('ui.answerPrompt', { promptId, allow: false });
    expect(await codeOf(answer)).to.equal('USER_REJECTED');
    const error = await errorOf(world.call('connect', REQUEST));
    expect(error).to.include({ code: 'QUOTA', retryable: true });
    const { retryAfterMs } = error.data as { retryAfterMs: number };
    world.now += retryAfterMs;
    expect((await asked()).promptId).to.be.a('string');
  });

  it('answers USER_REJECTED when the window is closed', async () => {
    const { answer, promptId } = await asked();
    await world.service.promptClosed(promptId);
    expect(await codeOf(answer)).to.equal('USER_REJECTED');
  });

  it('lets identical requests join, and others wait', async () => {
    const first = await asked();
    const second = await asked({}, pageCaller({ documentId: 'doc-2' }));
    expect(await codeOf(world.call('connect', { ...REQUEST, purpose: 'Else' }))).to.equal('QUOTA');
    expect(await world.surface('ui.prompt', { promptId: first.promptId })).to.include({
      waiting: 2,
    });
    await world.surface('ui.answerPrompt', { promptId: first.promptId, allow: true });
    expect(await first.answer).to.deep.equal(await second.answer);
    expect(await world.call('grants', {})).to.have.length(1);
  });

  it('takes answers from the extension’s own pages only', async () => {
    const { answer, promptId } = await asked();
    const forged = world.begin('ui.answerPrompt', { promptId, allow: true }, A).answer;
    expect(await codeOf(forged)).to.equal('UNSUPPORTED');
    await world.surface('ui.answerPrompt', { promptId, allow: false });
    expect(await codeOf(answer)).to.equal('USER_REJECTED');
  });

  it('takes the first answer; a replayed one is no mistake, an invented one is', async () => {
    const { answer, promptId } = await asked();
    await Promise.all([
      world.surface('ui.answerPrompt', { promptId, allow: true }),
      world.surface('ui.answerPrompt', { promptId, allow: false }),
    ]);
    expect(await codeOf(answer)).to.equal('ok');
    await world.surface('ui.answerPrompt', { promptId, allow: true });
    expect(await world.call('grants', {})).to.have.length(1);
    for (const method of ['ui.prompt', 'ui.answerPrompt']) {
      const params = { promptId: 'invented', ...(method === 'ui.answerPrompt' && { allow: true }) };
      expect(await codeOf(world.begin(method, params, POPUP).answer)).to.equal('INVALID_ARGUMENT');
    }
  });

  it('lets the user pick a key, old or new, and nothing that was not offered', async () => {
    const requested = { key: { kind: 'sealing' as const, label: 'Notes' } };
    const first = await asked(requested);
    const shown = await world.surface('ui.prompt', { promptId: first.promptId });
    expect(shown).to.deep.include({ key: { kind: 'sealing', label: 'Notes' }, keys: [] });
    for (const bad of [{}, { ref: 'app' }, { ref: 'invented' }, { newKeyLabel: ' ' }]) {
      const attempt = world.surface('ui.answerPrompt', {
        promptId: first.promptId,
        allow: true,
        ...bad,
      });
      expect(await codeOf(attempt)).to.equal('INVALID_ARGUMENT');
    }
    const own = { promptId: first.promptId, allow: true, newKeyLabel: 'My notes' };
    await world.surface('ui.answerPrompt', own);
    await first.answer;
    const [key] = await world.call('keys', {});
    expect(key).to.include({ kind: 'sealing', label: 'My notes', generation: 1 });
    const second = await asked({ ...requested, maxUses: 2 });
    const [offered] = (await world.surface('ui.prompt', { promptId: second.promptId })).keys;
    expect(offered).to.include({ label: 'My notes', grants: 1 });
    const { ref } = offered!;
    await world.surface('ui.answerPrompt', { promptId: second.promptId, allow: true, ref });
    await second.answer;
    expect(await world.surface('ui.keys', {})).to.have.length(2);
  });

  it('refuses what a key of the kind cannot do, before anybody is asked, and names the kind that can', async () => {
    const requests: Partial<ParamsOf<'connect'>>[] = [
      { capabilities: ['sync'] },
      { capabilities: ['seal', 'sign'] },
      { key: { kind: 'signing' } },
      { key: { kind: 'signing' }, capabilities: ['sign', 'seal'] },
      { key: { kind: 'sealing' }, capabilities: ['publicKey'] },
      { key: { kind: 'sharing' }, capabilities: ['mac'] },
      { key: { kind: 'sync', collections: ['bookmarks'] } },
    ];
    for (const requested of requests) {
      expect(await codeOf(world.call('connect', { ...REQUEST, ...requested }))).to.equal(
        'INVALID_ARGUMENT',
      );
    }
    const asked = world.call('connect', { ...REQUEST, capabilities: ['sync'] });
    const error: unknown = await asked.catch((e: unknown) => e);
    expect((error as Error).message).to.equal(
      'request.key: expected { kind: "sync" } for the capability sync; ' +
        'an app key is for seal, open, mac, blindIndex',
    );
    expect(world.prompter.shown).to.deep.equal([]);
  });

  it('refuses pages whose site is not enabled, and frames that are not served', async () => {
    world.sites.patterns = new Set(['https://b.example/*']);
    expect(await codeOf(world.call('connect', REQUEST))).to.equal('UNSUPPORTED');
    world.sites.patterns = new Set(['*://*/*']);
    const frame = pageCaller({ origin: 'https://ads.example', topOrigin: 'https://a.example' });
    expect(await codeOf(world.call('connect', REQUEST, frame))).to.equal('UNSUPPORTED');
    const insecure = pageCaller({ origin: 'http://a.example' });
    expect(await codeOf(world.call('connect', REQUEST, insecure))).to.equal('UNSUPPORTED');
    expect(world.prompter.shown).to.deep.equal([]);
  });

  it('lets the user unlock in the prompt, and then answer', async () => {
    await world.surface('ui.lock', {});
    const { answer, promptId } = await asked();
    expect(await world.surface('ui.prompt', { promptId })).to.include({ vault: 'locked' });
    const early = world.surface('ui.answerPrompt', { promptId, allow: true });
    expect(await codeOf(early)).to.equal('LOCKED');
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await world.surface('ui.prompt', { promptId })).to.include({ vault: 'unlocked' });
    await world.surface('ui.answerPrompt', { promptId, allow: true });
    expect(await codeOf(answer)).to.equal('ok');
  });

  it('answers by itself after the unlock, where a grant was there all along', async () => {
    const [grant] = await world.connect();
    await world.surface('ui.lock', {});
    const { answer, promptId } = await asked();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await answer).to.deep.equal([grant]);
    expect(world.prompter.closed).to.include(promptId);
  });

  it('lets the user make a vault in the prompt', async () => {
    world = World.fresh();
    const { answer, promptId } = await asked();
    expect(await world.surface('ui.prompt', { promptId })).to.include({ vault: 'absent' });
    await world.surface('ui.createVault', { passphrase: PASSPHRASE });
    await world.surface('ui.answerPrompt', { promptId, allow: true });
    expect(await codeOf(answer)).to.equal('ok');
  });

  it('says INTERNAL when the browser shows no window', async () => {
    world.prompter.failure = new Error('secret detail');
    const error = await errorOf(world.call('connect', REQUEST));
    expect(error).to.include({ code: 'INTERNAL' });
    expect(error.message).to.not.contain('secret');
  });

  it('revokes some grants, or all of the page’s own, and no others', async () => {
    const b = pageCaller({ origin: 'https://b.example' });
    await world.connect({}, b);
    const [app] = await world.connect();
    await world.connect({ key: { kind: 'sealing' } }, A, { newKeyLabel: 'Notes' });
    const [ofB] = await world.call('grants', {}, b);
    await world.call('revoke', { grantIds: [app!.id, ofB!.id] });
    expect(await world.call('grants', {})).to.have.length(1);
    await world.call('revoke', {});
    expect(await world.call('grants', {})).to.deep.equal([]);
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }))).to.equal('NOT_GRANTED');
    expect(await world.call('grants', {}, b)).to.deep.equal([ofB]);
  });
});
