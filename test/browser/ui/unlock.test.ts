import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { USE_GRAIN_MS } from '../../../src/keys/unlock/auto-lock.ts';
import type { TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import {
  bytes,
  connect,
  lockVault,
  openPopup,
  PASSPHRASE,
  refusal,
  succeed,
  unlockVault,
} from '../steps.ts';

const isUnlocking = (popup: Tab): Promise<boolean> =>
  popup.evaluate(() => document.querySelector('#unlock[aria-busy="true"]') !== null);

/** When the vault was last used, by the deadline of its session. */
const lastUse = (popup: Tab): Promise<number> =>
  popup.evaluate(async () => {
    type Storage = { storage: { session: { get(key: string): Promise<Record<string, unknown>> } } };
    const { browser: one, chrome: two } = globalThis as unknown as Record<string, Storage>;
    const stored = await (one ?? two)!.storage.session.get('vault/deadline');
    return (stored['vault/deadline'] as { lastUse: number }).lastUse;
  });

/** Whether the browser takes someone to be at the computer; what automation does may not count. */
const isPresent = (popup: Tab): Promise<boolean> =>
  popup.evaluate(async () => {
    type Idle = { idle: { queryState(seconds: number): Promise<string> } };
    const { browser: one, chrome: two } = globalThis as unknown as Record<string, Idle>;
    return (await (one ?? two)!.idle.queryState(60)) === 'active';
  });

/** How many offscreen documents there are (Chromium). */
const offscreenDocuments = (popup: Tab): Promise<number> =>
  popup.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { runtime: { getContexts(filter: object): Promise<unknown[]> } };
    };
    const contexts = await chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    return contexts.length;
  });

/* Half a second and more of computing, which neither pages nor the popup notice. */
for (const browser of BROWSERS) {
  describe(`unlocking, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
    });
    after(() => closeSharedSiteScene({ server, site }));
    beforeEach(() => lockVault(session));

    it('shows at once in every open window that the vault was opened, and that it was locked', async () => {
      const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
      await manager.waitFor('#unlock');
      // By itself it looks every 30 s.
      const soon = { timeoutMs: 25_000 };
      await unlockVault(session);
      await manager.waitUntil(() => document.querySelector('#new-key-label') !== null, soon);
      await lockVault(session);
      await manager.waitUntil(() => document.querySelector('#unlock') !== null, soon);
      expect(await manager.evaluate(() => document.querySelector('[role="alert"]'))).to.equal(null);
      await manager.close();
      await unlockVault(session);
    });

    const beginUnlock = async (): Promise<Tab> => {
      const popup = await openPopup(session);
      await popup.type('#passphrase', PASSPHRASE);
      await popup.click('#unlock');
      return popup;
    };

    it('lasts while pages use grants, not while they only call', async () => {
      await unlockVault(session);
      const popup = await openPopup(session);
      const before = await lastUse(popup);
      const idle = async (since: number): Promise<void> => {
        while (Date.now() <= since + USE_GRAIN_MS) await new Promise((r) => setTimeout(r, 100));
      };
      await idle(before);
      expect(await refusal(site, 'keys')).to.equal('NOT_GRANTED');
      expect(await refusal(site, 'seal', bytes(1))).to.equal('NOT_GRANTED');
      await succeed(site, 'status');
      expect(await lastUse(popup)).to.equal(before);
      await connect(session, site);
      const granted = await lastUse(popup);
      expect(granted).to.be.greaterThan(before);
      await idle(granted);
      await succeed(site, 'keys');
      expect(await lastUse(popup)).to.equal(granted);
      await succeed(site, 'seal', bytes(1));
      const hasMoved = (await lastUse(popup)) > granted;
      expect(hasMoved).to.equal(await isPresent(popup));
      await popup.close();
    });

    it('leaves the background free: calls are answered meanwhile', async () => {
      const popup = await beginUnlock();
      for (let call = 0; call < 3; call++) await succeed(site, 'status');
      expect(await isUnlocking(popup), 'still unlocking').to.equal(true);
      await popup.waitFor('#nav-site', 30_000);
      await popup.close();
    });

    /** An unlock that was cancelled. On a busy machine it may be over first: then once more. */
    const cancelled = async (cancel: (popup: Tab) => Promise<void>): Promise<Tab> => {
      for (let attempt = 0; attempt < 5; attempt++) {
        const popup = await beginUnlock();
        await popup.waitUntil(() => document.querySelector('#cancel-unlock, #nav-site') !== null);
        await cancel(popup).catch(() => undefined);
        await popup.waitUntil(() => document.querySelector('#cancel-unlock') === null);
        if (((await succeed(site, 'status')) as { locked: boolean }).locked) return popup;
        await popup.close();
        await lockVault(session);
      }
      throw new Error('five unlocks were not to be cancelled');
    };

    /** The focus is where the passphrase is typed again, and this one succeeds. */
    const triedAgain = async (popup: Tab): Promise<void> => {
      expect(await popup.evaluate(() => document.activeElement?.id)).to.equal('passphrase');
      await popup.type('#passphrase', PASSPHRASE);
      await popup.press('Enter');
      await popup.waitFor('#nav-site', 30_000);
      await popup.close();
    };

    it('can be cancelled and tried again', async () => {
      await triedAgain(await cancelled((popup) => popup.click('#cancel-unlock')));
    });

    it('can be cancelled by keyboard', async () => {
      const byKeyboard = async (popup: Tab) => {
        await popup.press('Tab'); // from the busy button
        await popup.press('Enter');
      };
      await triedAgain(await cancelled(byKeyboard));
    });

    if (browser === 'chromium') {
      it('leaves no document behind', async () => {
        const popup = await beginUnlock();
        await popup.waitFor('#nav-site', 30_000);
        expect(await offscreenDocuments(popup)).to.equal(1);
        const deadline = Date.now() + 30_000;
        while ((await offscreenDocuments(popup)) > 0) {
          expect(Date.now(), 'closed in time').to.be.below(deadline);
          await new Promise((resume) => setTimeout(resume, 500));
        }
        await popup.close();
        await lockVault(session);
        const again = await beginUnlock();
        await again.waitFor('#nav-site', 30_000);
        await again.close();
      });
    }
  });
}
