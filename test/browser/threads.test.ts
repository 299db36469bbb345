import { expect } from 'chai';
import { BROWSERS, launch } from './drivers/launch.ts';
import { serve } from './server.ts';

interface Findings {
  /** The same message, by engines of one thread and of two. */
  readonly one: string;
  readonly two: string;
  /** Scripts of the workers that were started. */
  readonly workers: readonly string[];
  readonly aborted: string;
  readonly engine: string;
}

describe('the built library in two threads', () => {
  for (const browser of BROWSERS) {
    it(`gives what it gives in one, and ends at a signal, in ${browser}`, async () => {
      const server = await serve('dist', 'test/browser/in-page');
      const session = await launch(browser);
      try {
        const tab = await session.newTab(`${server.origin}/threads.html`);
        await tab.waitUntil(() => 'findings' in globalThis, { timeoutMs: 30_000 });
        const found = await tab.evaluate(
          () => (globalThis as unknown as { findings: Findings | string }).findings,
        );
        expect(found).to.not.be.a('string');
        const { one, two, ...others } = found as Findings;
        expect(two).to.equal(one);
        const workers = ['threads-worker.js'];
        expect(others).to.deep.equal({ workers, aborted: 'AbortError', engine: 'wasm-threads' });
      } finally {
        await session.close();
        await server.close();
      }
    });
  }
});
