import { expect } from 'chai';
import { LIMITS } from '../../../src/service/calls/rate-limits.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example' });

describe('Admission', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('slows a flood down, for the flooding origin alone', async function () {
    this.timeout(60_000);
    const { random } = world.service.implementations;
    const call = async (caller: typeof A) =>
      random(
        { length: 0 },
        {
          ...{
            caller,
            method: 'random',
            params: { length: 0 },
            requestId: 'r',
            signal: new AbortController().signal,
          },
          isAborted: false,
          isFollowed: false,
          onAbort: () => undefined,
          goesOn: () => undefined,
          progress: () => undefined,
        },
      );
    for (let i = 0; i < LIMITS.burstCalls; i++) await call(A);
    const error = await errorOf(call(A));
    expect(error).to.include({ code: 'QUOTA', retryable: true });
    expect(error.data).to.deep.equal({ retryAfterMs: 1000 / LIMITS.callsPerSecond });
    expect(await codeOf(call(B))).to.equal('ok');
    expect(await codeOf(world.surface('ui.state', {}))).to.equal('ok');
    world.now += 1000 / LIMITS.callsPerSecond;
    expect(await codeOf(call(A))).to.equal('ok');
  });

  it('gives the bytes of a call back, whether it succeeded or failed', async () => {
    const plaintext = new Uint8Array(LIMITS.originBytesInFlight / 8);
    for (let i = 0; i < 9; i++) {
      expect(await codeOf(world.call('seal', { plaintext }))).to.equal('NOT_GRANTED');
    }
    await world.connect({ maxUses: 3 });
    for (let i = 0; i < 3; i++) {
      expect(await codeOf(world.call('seal', { plaintext: plaintext.subarray(0, 9) }))).to.equal(
        'ok',
      );
    }
  });

  it('refuses a caller of the wrong kind though the server let it through', async () => {
    const { seal } = world.service.implementations;
    const call = {
      caller: { kind: 'surface', page: 'popup' } as const,
      method: 'seal',
      params: {},
      requestId: 'r',
      signal: new AbortController().signal,
      isAborted: false,
      isFollowed: false,
      onAbort: () => undefined,
      goesOn: () => undefined,
      progress: () => undefined,
    };
    const sealing = async () => seal({ plaintext: new Uint8Array(1) }, call);
    expect(await codeOf(sealing())).to.equal('UNSUPPORTED');
    const { 'ui.lock': lock } = world.service.implementations;
    const locking = async () => lock({}, { ...call, caller: A });
    expect(await codeOf(locking())).to.equal('UNSUPPORTED');
  });
});
