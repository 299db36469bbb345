import { expect } from 'chai';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { connect, openEnabledSite, openPopup, succeed } from '../steps.ts';

const ITEMS = 10_000;
const FLOOD = 20_000;

type Result = { ok: true; value: Uint8Array } | { ok: false; error: { code: string } };
interface Api {
  seal(plaintext: Uint8Array, options?: { signal: AbortSignal }): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Uint8Array>;
  sealMany(items: Uint8Array[]): Promise<Result[]>;
  openMany(items: Uint8Array[]): Promise<Result[]>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;

/* Many small messages: in one call, in one task, and from one site against another's. */
for (const browser of BROWSERS) {
  describe(`many small messages, in ${browser}`, function () {
    this.timeout(180_000);
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;
    let other: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
      await connect(session, site);
      other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, other);
    });

    after(async () => {
      await other.close();
      await closeSharedSiteScene({ server, site });
    });

    it(`seals and opens ${ITEMS} of 1 KiB in one call, each in its place`, async () => {
      const answer = await site.evaluate(async (count) => {
        const items = Array.from({ length: count }, (_, i) => new Uint8Array(1024).fill(i % 251));
        const sealed = await sealwright.sealMany(items);
        const messages = sealed.map((one) => (one.ok ? one.value : new Uint8Array(0)));
        messages[77] = messages[77]!.with(-1, messages[77]!.at(-1)! ^ 1);
        const opened = await sealwright.openMany(messages);
        const right = opened.filter(
          (one, i) =>
            one.ok && one.value.length === 1024 && one.value.every((byte) => byte === i % 251),
        ).length;
        const wrong = opened[77]!;
        const salts = new Set(messages.map((message) => message.slice(24, 48).join()));
        return { right, salts: salts.size, code: wrong.ok ? '' : wrong.error.code };
      }, ITEMS);
      expect(answer).to.deep.equal({ right: ITEMS - 1, salts: ITEMS, code: 'AUTH_FAILED' });
    });

    it('answers calls of one task each for itself, and ends those that are aborted alone', async () => {
      const answer = await site.evaluate(async () => {
        const controller = new AbortController();
        const { signal } = controller;
        const sealing = Array.from({ length: 500 }, (_, i) =>
          sealwright.seal(new Uint8Array(i % 40).fill(i), i % 50 === 7 ? { signal } : undefined),
        );
        controller.abort();
        const settled = await Promise.allSettled(sealing);
        const aborted = settled.flatMap((one, i) =>
          one.status === 'rejected' ? [`${i} ${(one.reason as Error).name}`] : [],
        );
        const opening = settled.map(async (one, i) => {
          if (one.status === 'rejected') return true;
          const opened = await sealwright.open(one.value);
          return opened.length === i % 40 && opened.every((byte) => byte === (i & 255));
        });
        return { aborted, right: (await Promise.all(opening)).filter(Boolean).length };
      });
      expect(answer.right).to.equal(500);
      expect(answer.aborted).to.deep.equal(
        Array.from({ length: 10 }, (_, i) => `${50 * i + 7} AbortError`),
      );
    });

    it('settles every item when the background dies in the middle, and charges them once', async () => {
      await succeed(other, 'revoke');
      const request = { purpose: 'Count', capabilities: ['seal'], maxUses: 6000 };
      await connect(session, other, request);
      const sealing = other.evaluate(async () => {
        const items = Array.from({ length: 5000 }, () => new Uint8Array(1024));
        const results = await sealwright.sealMany(items);
        return results.filter((one) => one.ok && one.value.length === 1024 + 96).length;
      });
      for (let i = 0; i < 3; i++) {
        await new Promise((resume) => setTimeout(resume, 60));
        await session.killBackground();
      }
      expect(await sealing).to.equal(5000);
      const [grant] = (await succeed(other, 'grants')) as { usesLeft: number }[];
      expect(grant!.usesLeft).to.equal(1000);
      await succeed(other, 'revoke');
      await connect(session, other);
    });

    // hostile-page.test.ts has the same in `npm test`, by calls without a grant.
    const inNightly = IS_NIGHTLY ? it : () => undefined;
    inNightly(
      `answers another site and the popup while one makes ${FLOOD} calls at once`,
      async () => {
        const flooding = site.evaluate(async (count) => {
          const calls = Array.from({ length: count }, () => sealwright.seal(new Uint8Array(16)));
          const settled = await Promise.allSettled(calls);
          const codes = settled.map((one) =>
            one.status === 'fulfilled' ? 'ok' : (one.reason as { code: string }).code,
          );
          return { ok: codes.filter((code) => code === 'ok').length, codes: [...new Set(codes)] };
        }, FLOOD);
        const answers = await other.evaluate(async () => {
          const lengths: number[] = [];
          for (let i = 0; i < 60; i++) {
            const { length } = await sealwright.seal(new Uint8Array(i));
            lengths.push(length);
          }
          return lengths;
        });
        expect(answers).to.deep.equal(Array.from({ length: 60 }, (_, i) => i + 96));
        const popup = await openPopup(session);
        await popup.waitFor('#nav-site');
        await popup.close();
        const { ok, codes } = await flooding;
        expect(ok).to.be.at.least(5000);
        expect(codes.sort()).to.deep.equal(['QUOTA', 'ok']);
      },
    );
  });
}
