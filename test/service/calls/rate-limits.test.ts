import { expect } from 'chai';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import {
  MAX_ARMORED_BYTES,
  MAX_BATCH_ITEMS,
  MAX_BATCH_SEALED_BYTES,
  MAX_CONTEXT_BYTES,
} from '../../../src/rpc/limits.ts';
import { CLIENT_LIMITS } from '../../../src/rpc/client/method-client.ts';
import { SERVER_LIMITS } from '../../../src/rpc/server/method-server.ts';
import { RECEIVING_LIMITS, SHARES_BYTES } from '../../../src/rpc/transport/receive-budgets.ts';
import { LIMITS, Limits } from '../../../src/service/calls/rate-limits.ts';

const A = 'https://a.example';
const B = 'https://b.example';

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

  it('count each item of a batch as a call, and say when there is room for all', () => {
    limits.admit(A, 0, LIMITS.burstCalls - 1)();
    limits.admit(A, 0)();
    const { retryAfterMs } = quotaOf(() => limits.admit(A, 0, 10_000));
    expect(retryAfterMs).to.equal((10_000 * 1000) / LIMITS.callsPerSecond);
    now += retryAfterMs;
    limits.admit(A, 0, 10_000)();
    quotaOf(() => limits.admit(A, 0));
  });

  it('count an empty batch as a call', () => {
    for (let i = 0; i < LIMITS.burstCalls; i++) limits.admit(A, 0, 0)();
    quotaOf(() => limits.admit(A, 0, 0));
  });

  it('make 10^6 chosen messages take over half an hour, however they are asked for', () => {
    let asked = 0;
    const start = now;
    const batch = LIMITS.callsPerSecond;
    for (; asked < LIMITS.burstCalls; asked += batch) limits.admit(A, 0, batch)();
    for (; asked < 1_000_000; asked += batch) {
      now += quotaOf(() => limits.admit(A, 0, batch)).retryAfterMs;
      limits.admit(A, 0, batch)();
    }
    expect(now - start).to.be.above(30 * 60 * 1000);
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

  it('count the bytes of all origins together, and leave room beside a greedy one', () => {
    const { originBytesInFlight, totalBytesInFlight } = LIMITS;
    const land = limits.admit(A, originBytesInFlight);
    limits.admit(B, totalBytesInFlight - originBytesInFlight);
    const share = Math.floor(SHARES_BYTES / 3);
    const other = limits.admit('https://c.example', share);
    quotaOf(() => limits.admit('https://c.example', 1));
    quotaOf(() => limits.admit(A, 1));
    other();
    land();
    limits.admit('https://c.example', 1)();
  });

  it('take the largest argument of every method, and no more of all than 270 MB with what is half received and all shares', () => {
    limits.admit(A, MAX_ARMORED_BYTES + MAX_CONTEXT_BYTES)();
    limits.admit(A, MAX_BATCH_SEALED_BYTES + 4 * MAX_BATCH_ITEMS + MAX_CONTEXT_BYTES)();
    const { pagesBytes, bodiesBytes } = RECEIVING_LIMITS;
    expect(LIMITS.totalBytesInFlight).to.be.at.most(SERVER_LIMITS.bytes);
    const whole = SERVER_LIMITS.bytes + pagesBytes + bodiesBytes;
    expect(whole + 2 * SHARES_BYTES).to.be.below(270e6);
    expect(CLIENT_LIMITS.bytes, 'a client alone').to.be.at.most(SERVER_LIMITS.bytesPerCaller);
  });

  it('charge effort of its own, refilled by the minute, and say when there is enough', () => {
    const { burstEffortMs, effortMsPerMinute } = LIMITS;
    limits.spend(A, burstEffortMs);
    const { retryAfterMs } = quotaOf(() => limits.spend(A, 1_000));
    expect(retryAfterMs).to.equal((1_000 * 60_000) / effortMsPerMinute);
    limits.spend(B, burstEffortMs);
    limits.admit(A, 0)();
    now += retryAfterMs - 1;
    quotaOf(() => limits.spend(A, 1_000));
    now += 1;
    limits.spend(A, 1_000);
    now += 60_000;
    limits.spend(A, effortMsPerMinute);
    quotaOf(() => limits.spend(A, 1));
    limits.spend(A, 0.9); // less than is charged
  });

  it('do not forget effort with the other budgets of an idle origin', () => {
    limits.spend(A, LIMITS.burstEffortMs);
    now += (LIMITS.burstEffortMs * 60_000) / LIMITS.effortMsPerMinute - 1;
    limits.admit(B, 0)();
    quotaOf(() => limits.spend(A, LIMITS.burstEffortMs));
  });

  it('do not charge a call that they refuse', () => {
    const land = limits.admit(A, LIMITS.originBytesInFlight);
    for (let i = 0; i < LIMITS.burstCalls; i++) quotaOf(() => limits.admit(A, 1));
    land();
    limits.admit(A, 1)();
  });
});
