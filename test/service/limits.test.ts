import { expect } from 'chai';
import { SealwrightError } from '../../src/rpc/errors.ts';
import { LIMITS, Limits } from '../../src/service/limits.ts';

const A = 'https://a.example';
const B = 'https://b.example';
const MIB = 2 ** 20;

function quotaOf(attempt: () => unknown): { retryAfterMs: number } {
  try {
    attempt();
  } catch (error) {
    expect(error).to.be.instanceOf(SealwrightError).with.property('code', 'QUOTA');
    return (error as SealwrightError).data as { retryAfterMs: number };
  }
  throw new Error('was admitted');
}

describe('Limits', () => {
  let now = 0;
  let limits: Limits;
  const spend = (origin: string, calls: number): void => {
    for (let i = 0; i < calls; i++) limits.admit(origin, 0)();
  };

  beforeEach(() => {
    now = 1_800_000_000_000;
    limits = new Limits(() => now);
  });

  it('let a burst through, then say when to come back', () => {
    spend(A, LIMITS.burstCalls);
    const { retryAfterMs } = quotaOf(() => limits.admit(A, 0));
    now += retryAfterMs - 1;
    quotaOf(() => limits.admit(A, 0));
    now += 1;
    spend(A, 1);
  });

  it('refill at the steady rate and no further than the burst', () => {
    spend(A, LIMITS.burstCalls);
    now += 2000;
    spend(A, 2 * LIMITS.callsPerSecond);
    quotaOf(() => limits.admit(A, 0));
    now += 365 * 24 * 60 * 60 * 1000;
    spend(A, LIMITS.burstCalls);
    quotaOf(() => limits.admit(A, 0));
  });

  it('count an item of a batch as a part of a call, and say when there is room for all', () => {
    limits.admit(A, 0, (LIMITS.burstCalls - 2) * LIMITS.itemsPerCall)();
    limits.admit(A, 0)();
    const { retryAfterMs } = quotaOf(() => limits.admit(A, 0, 10_000));
    const price = 1 + 10_000 / LIMITS.itemsPerCall;
    expect(retryAfterMs).to.equal((price * 1000) / LIMITS.callsPerSecond);
    now += retryAfterMs;
    limits.admit(A, 0, 10_000)();
  });

  it('hold for each origin alone', () => {
    spend(A, LIMITS.burstCalls);
    quotaOf(() => limits.admit(A, 0));
    spend(B, 1);
  });

  it('give nothing for a clock that was set back', () => {
    spend(A, LIMITS.burstCalls);
    now -= 60_000;
    quotaOf(() => limits.admit(A, 0));
  });

  it('count the bytes of calls in flight, and only while they fly', () => {
    const full = LIMITS.originBytesInFlight;
    const land = limits.admit(A, full);
    expect(quotaOf(() => limits.admit(A, 1)).retryAfterMs).to.equal(LIMITS.bytesRetryMs);
    limits.admit(A, 0)();
    land();
    limits.admit(A, full)();
  });

  it('count the bytes of all origins together', () => {
    const each = LIMITS.originBytesInFlight;
    const origins = Array.from({ length: LIMITS.totalBytesInFlight / each }, (_, i) => `${A}:${i}`);
    const flying = origins.map((origin) => limits.admit(origin, each));
    quotaOf(() => limits.admit(B, MIB));
    flying[0]!();
    limits.admit(B, MIB)();
  });

  it('do not charge a call that they refuse', () => {
    const land = limits.admit(A, LIMITS.originBytesInFlight);
    for (let i = 0; i < LIMITS.burstCalls; i++) quotaOf(() => limits.admit(A, 1));
    land();
    limits.admit(A, 1)();
  });
});
