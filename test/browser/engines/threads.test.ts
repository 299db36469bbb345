import { expect } from 'chai';
import type { BrowserName } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { serve } from '../server.ts';

interface Findings {
  /** The same message, by engines of one thread and of two. */
  readonly one: string;
  readonly two: string;
  /** Scripts of the workers that were started. */
  readonly workers: readonly string[];
  readonly aborted: string;
  readonly engine: string;
  /** The engine of Argon2id, where both give the same. */
  readonly argon2: string;
  readonly isolated: boolean;
}

describe('the built library in two threads', () => {
  for (const browser of BROWSERS) {
    it(`gives what it gives in one, and ends at a signal, in ${browser}`, async () => {
      for (const isolated of [false, true]) await expectTwoLikeOne(browser, isolated);
    });
  }
});

/** Threads share memory for Argon2 where the page is isolated; elsewhere one thread derives. */
async function expectTwoLikeOne(browser: BrowserName, isolated: boolean): Promise<void> {
  const server = await serve('dist', 'test/browser/in-page');
  const session = await launch(browser);
  try {
    const tab = await session.newTab(`${server.origin}/threads.html${isolated ? '?isolated' : ''}`);
    await tab.waitUntil(() => 'findings' in globalThis, { timeoutMs: 30_000 });
    const found = await tab.evaluate(
      () => (globalThis as unknown as { findings: Findings | string }).findings,
    );
    expect(found).to.not.be.a('string');
    const { one, two, ...others } = found as Findings;
    expect(two).to.equal(one);
    const workers = ['threads-worker.js'];
    const engine = 'wasm-threads';
    const common = { workers, aborted: 'AbortError', engine, isolated };
    expect(others).to.deep.equal({ ...common, argon2: isolated ? engine : 'wasm-simd' });
  } finally {
    await session.close();
    await server.close();
  }
}
