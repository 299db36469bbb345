import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  HealthTests,
  proportionCutoff,
  repetitionCutoff,
  WINDOW_SAMPLES,
} from '../../src/random/health.ts';

const FULL = { entropyBits: 8, falseAlarmBits: 40 } as const;

/** Pseudo-random bytes, the same in each run. */
function noise(length: number, label = 'noise'): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, i) =>
    createHash('sha512').update(`${label} ${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** P(X ≥ k) for X ~ B(n, 2^-bits), in exact fractions. */
function isRarerThan(alphaBits: number, k: number, n: number, bits: number): boolean {
  const q = 2n ** BigInt(bits) - 1n;
  let term = q ** BigInt(n);
  let above = 0n;
  for (let i = 0; i <= n; i++) {
    if (i >= k) above += term;
    term = (term * BigInt(n - i)) / (BigInt(i + 1) * q);
  }
  return above * 2n ** BigInt(alphaBits) <= 2n ** BigInt(bits * n);
}

describe('health tests (SP 800-90B, section 4.4)', () => {
  it('compute the cutoffs of the standard from α and H', () => {
    // The example of section 4.4.1: α = 2^-30, H = 2
    expect(repetitionCutoff({ entropyBits: 2, falseAlarmBits: 30 })).to.equal(16);
    expect(repetitionCutoff({ entropyBits: 8, falseAlarmBits: 40 })).to.equal(6);
    expect(repetitionCutoff({ entropyBits: 7, falseAlarmBits: 30 })).to.equal(6);
  });

  it('put the proportion cutoff at the smallest number whose probability is below α', () => {
    for (const entropyBits of [1, 2, 4, 8]) {
      for (const falseAlarmBits of [20, 30, 40]) {
        // 1 + CRITBINOM: P(X > CRITBINOM) ≤ α, and not for one less
        const cutoff = proportionCutoff({ entropyBits, falseAlarmBits });
        expect(isRarerThan(falseAlarmBits, cutoff, WINDOW_SAMPLES, entropyBits)).to.equal(true);
        expect(isRarerThan(falseAlarmBits, cutoff - 1, WINDOW_SAMPLES, entropyBits)).to.equal(
          false,
        );
      }
    }
  });

  it('accept a good source', () => {
    const tests = new HealthTests(FULL);
    expect(tests.check(noise(1_000_000))).to.equal(true);
    expect(tests.failure).to.equal(undefined);
  });

  it('detect a stuck value at the cutoff and not one sample earlier', () => {
    const cutoff = repetitionCutoff(FULL);
    const tests = new HealthTests(FULL);
    expect(tests.check(new Uint8Array(cutoff - 1).fill(9))).to.equal(true);
    expect(tests.check(Uint8Array.of(9))).to.equal(false);
    expect(tests.failure).to.equal('repetition count');
  });

  it('detect a value that is too frequent at the cutoff and not one sample earlier', () => {
    const cutoff = proportionCutoff(FULL);
    const samples = noise(WINDOW_SAMPLES).map((byte) => (byte === 9 ? 10 : byte));
    for (let i = 0; i < cutoff - 1; i++) samples[2 * i] = 9;
    const tests = new HealthTests(FULL);
    expect(tests.check(samples)).to.equal(true);
    samples[2 * (cutoff - 1)] = 9;
    expect(new HealthTests(FULL).check(samples)).to.equal(false);
  });

  it('restart at each window of 512 samples', () => {
    const half = Math.ceil(proportionCutoff(FULL) / 2);
    const samples = noise(2 * WINDOW_SAMPLES).map((byte) => (byte === 9 ? 10 : byte));
    samples[0] = 9;
    // As many as would fail in one window, distributed over the end of one and the beginning of the next
    for (let i = 0; i < half; i++) samples[WINDOW_SAMPLES - 2 * (i + 1)] = 9;
    for (let i = 0; i < half; i++) samples[WINDOW_SAMPLES + 2 * i] = 9;
    expect(new HealthTests(FULL).check(samples)).to.equal(true);
  });

  it('continue across calls', () => {
    const tests = new HealthTests(FULL);
    for (let i = 0; i < repetitionCutoff(FULL) - 1; i++) {
      expect(tests.check(Uint8Array.of(3))).to.equal(true);
    }
    expect(tests.check(Uint8Array.of(3))).to.equal(false);
  });

  it('stay failed after a failure', () => {
    const tests = new HealthTests(FULL);
    tests.check(new Uint8Array(10));
    expect(tests.check(noise(5000))).to.equal(false);
    expect(tests.failure).to.equal('repetition count');
  });
});
