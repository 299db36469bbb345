import { createHook } from 'node:async_hooks';
import { expect } from 'chai';
import type { Call } from '../../../src/rpc/call.ts';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { DEFAULT_LIMITS } from '../../../src/keys/unlock/auto-lock.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const PLAINTEXT = new TextEncoder().encode('sixteen or so bytes');
type Small = 'seal' | 'open' | 'sealText' | 'openText';

/* A small call under a key that is at hand is answered without a promise, and asks all the same. */
describe('Small messages', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  /** What the broker gives a server: bytes, or a promise of them. */
  function asked<M extends Small>(method: M, params: ParamsOf<M>, how: Partial<Call> = {}) {
    const call: Call = {
      caller: A,
      method,
      params,
      requestId: world.newRequestId(),
      signal: new AbortController().signal,
      isAborted: false,
      isFollowed: false,
      onAbort: () => undefined,
      goesOn: () => undefined,
      progress: () => undefined,
      ...how,
    };
    const answer = world.service.implementations[method] as unknown as (
      params: ParamsOf<M>,
      call: Call,
    ) => Uint8Array | Promise<Uint8Array>;
    return answer(params, call);
  }

  const outcome = (...args: Parameters<typeof asked>): Promise<string> =>
    codeOf((async () => asked(...args))());

  /** Everything has been used once: keys, grants, salts and the engine are at hand. */
  async function warm(requested: Parameters<World['connect']>[0] = {}): Promise<Uint8Array> {
    await world.connect(requested);
    await world.call('seal', { plaintext: PLAINTEXT }); // draws what the key has of this site
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    await world.call('open', { sealed });
    return sealed;
  }

  it('are sealed and opened at once, when their key has been used', async () => {
    await world.connect();
    const first = asked('seal', { plaintext: PLAINTEXT });
    expect(first).to.be.instanceOf(Promise);
    await first;
    await world.call('seal', { plaintext: PLAINTEXT });
    const opening = asked('open', { sealed: await first });
    expect(opening).to.be.instanceOf(Promise);
    await opening;
    const context = Uint8Array.of(1, 2);
    for (const options of [{}, { pad: true }, { context }]) {
      const sealed = asked('seal', { plaintext: PLAINTEXT, ...options }) as Uint8Array;
      expect(sealed).to.be.instanceOf(Uint8Array);
      const opened = asked('open', { sealed, ...('context' in options && { context }) });
      expect(opened).to.deep.equal(PLAINTEXT);
    }
    const sealed = asked('sealText', { text: PLAINTEXT }) as Uint8Array;
    expect(asked('openText', { sealed })).to.deep.equal(PLAINTEXT);
  });

  it('make no promise on the whole way, when everything is cached', async () => {
    const sealed = await warm();
    await world.call('sealText', { text: PLAINTEXT });
    let promises = 0;
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'PROMISE') promises++;
      },
    });
    hook.enable();
    const answers = [
      asked('seal', { plaintext: PLAINTEXT }),
      asked('open', { sealed }),
      asked('sealText', { text: PLAINTEXT }),
      asked('openText', { sealed }),
    ];
    const [made] = [promises, hook.disable()];
    expect(made).to.equal(0);
    for (const answer of answers) expect(answer).to.be.instanceOf(Uint8Array);
    hook.enable();
    await Promise.resolve();
    hook.disable();
    expect(promises).to.be.greaterThan(0); // the hook counts
  });

  it('are the same message to every call that waits for it', async () => {
    const sealed = await warm();
    const atOnce = asked('seal', { plaintext: PLAINTEXT }) as Uint8Array;
    expect(atOnce.subarray(0, 24)).to.deep.equal(sealed.subarray(0, 24));
    expect(atOnce.subarray(24, 48)).to.not.deep.equal(sealed.subarray(24, 48));
    world.restart();
    expect(await world.call('open', { sealed: atOnce })).to.deep.equal(PLAINTEXT);
  });

  it('wait up to a length, with recipients, and where progress is wanted', async () => {
    await warm();
    const plaintext = new Uint8Array(64 * 1024);
    expect(asked('seal', { plaintext })).to.be.instanceOf(Uint8Array);
    const longer = asked('seal', { plaintext: new Uint8Array(64 * 1024 + 1) });
    const followed = asked('seal', { plaintext: PLAINTEXT }, { isFollowed: true });
    expect([longer, followed].map((answer) => answer instanceof Promise)).to.deep.equal([
      true,
      true,
    ]);
    await Promise.all([longer, followed]);
    const identity = await world.surface('ui.createKey', { kind: 'sharing', label: 'Me' });
    await world.connect({ key: { kind: 'sharing' }, capabilities: ['publicKey'] }, A, {
      ref: identity.ref,
    });
    const [key] = (await world.call('keys', {})).filter(({ kind }) => kind === 'sharing');
    const to = [await world.call('publicKey', { keyId: key!.id })];
    await warm();
    expect(asked('seal', { plaintext: PLAINTEXT, to })).to.be.instanceOf(Promise);
  });

  it('are refused once the vault is locked, by whomever', async () => {
    const sealed = await warm();
    await world.session.remove('vault/key'); // as another context does
    expect(await outcome('seal', { plaintext: PLAINTEXT })).to.equal('LOCKED');
    expect(await outcome('open', { sealed })).to.equal('LOCKED');
  });

  it('are refused from the moment on at which the vault locks itself', async () => {
    await warm();
    world.now += DEFAULT_LIMITS.idleMs;
    expect(await outcome('seal', { plaintext: PLAINTEXT })).to.equal('LOCKED');
  });

  it('keep the vault open: a use is noted on the usual way', async () => {
    await warm();
    for (let i = 0; i < 4; i++) {
      world.now += DEFAULT_LIMITS.idleMs - 1;
      expect(await outcome('seal', { plaintext: PLAINTEXT })).to.equal('ok');
    }
  });

  it('are refused once their grant is revoked, or was given too late', async () => {
    const sealed = await warm({ expiresInMs: 1_000 });
    expect(asked('seal', { plaintext: PLAINTEXT })).to.be.instanceOf(Uint8Array);
    world.now += 1_000;
    expect(await outcome('seal', { plaintext: PLAINTEXT })).to.equal('EXPIRED');
    await world.connect();
    expect(await outcome('open', { sealed })).to.equal('ok');
    const grants = await world.call('grants', {});
    await world.surface('ui.revoke', { grantIds: grants.map(({ id }) => id) });
    expect(await outcome('seal', { plaintext: PLAINTEXT })).to.equal('NOT_GRANTED');
    expect(await outcome('open', { sealed })).to.equal('NOT_GRANTED');
  });

  it('are refused to others', async () => {
    const sealed = await warm();
    const elsewhere = [
      pageCaller({ origin: 'https://b.example' }),
      pageCaller({ container: 'work' }),
      pageCaller({ topOrigin: 'https://sub.a.example' }),
    ];
    for (const caller of elsewhere) {
      expect(await outcome('seal', { plaintext: PLAINTEXT }, { caller })).to.equal('NOT_GRANTED');
      expect(await outcome('open', { sealed }, { caller })).to.equal('NOT_GRANTED');
    }
    const hidden = pageCaller({ incognito: true });
    expect(await outcome('seal', { plaintext: PLAINTEXT }, { caller: hidden })).to.equal(
      'UNSUPPORTED',
    );
  });

  it("of one site's app key open for no other site", async () => {
    const sealed = await warm();
    const caller = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
    await world.connect({}, caller);
    await world.call('seal', { plaintext: PLAINTEXT }, caller);
    expect(await outcome('open', { sealed }, { caller })).to.equal('NEEDS_KEY');
  });

  it('of a picked key are refused once it is deleted', async () => {
    const { ref } = await world.surface('ui.createKey', { label: 'Letters' });
    await world.connect({ key: { kind: 'sealing' } }, A, { ref });
    const [{ id: key } = { id: '' }] = await world.call('keys', {});
    await world.call('seal', { plaintext: PLAINTEXT, key });
    const sealed = await world.call('seal', { plaintext: PLAINTEXT, key });
    await world.call('open', { sealed });
    expect(asked('seal', { plaintext: PLAINTEXT, key })).to.be.instanceOf(Uint8Array);
    expect(asked('open', { sealed })).to.deep.equal(PLAINTEXT);
    await world.surface('ui.archiveKey', { ref, archived: true });
    await world.surface('ui.deleteKey', { ref, by: { passphrase: PASSPHRASE } });
    expect(await outcome('seal', { plaintext: PLAINTEXT, key })).to.equal('NOT_GRANTED');
    expect(await outcome('open', { sealed })).to.equal('NOT_GRANTED');
  });

  it('are never at once where each use is counted', async () => {
    await warm({ maxUses: 5 });
    for (const expected of ['ok', 'ok', 'EXPIRED']) {
      expect(await outcome('seal', { plaintext: PLAINTEXT })).to.equal(expected);
    }
  });

  it('are in the log and in the statistics like all others', async () => {
    const sealed = await warm();
    await asked('seal', { plaintext: PLAINTEXT });
    await asked('open', { sealed });
    const broken = sealed.with(sealed.length - 1, sealed.at(-1)! ^ 1);
    expect(await outcome('open', { sealed: broken })).to.equal('AUTH_FAILED');
    expect(await outcome('open', { sealed: PLAINTEXT })).to.equal('BAD_ENVELOPE');
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 50 });
    const uses = entries.map(({ operation, result, uses }) => `${operation} ${result} ${uses}`);
    expect(uses).to.include.members(['seal ok 3', 'open ok 2', 'open AUTH_FAILED 1']);
    const [usage] = await world.surface('ui.activityUsage', { days: 1 });
    // With the call that asked for the grant, and those that warmed up.
    expect(usage!.days[0]).to.include({ calls: 8, refused: 0 });
  });
});
