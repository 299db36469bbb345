import { expect } from 'chai';
import { addAuthenticator, type Authenticator } from '../drivers/chromium-tools.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { confirmPassphrase, createVault, openPopup, PASSPHRASE } from '../steps.ts';

async function openSecurity(session: BrowserSession): Promise<Tab> {
  const manager = await session.newTab(session.extensionUrl('manager.html#security'));
  await manager.waitFor('#passkey');
  return manager;
}

async function addPasskey(manager: Tab, passphrase = PASSPHRASE): Promise<void> {
  await manager.click('#add-passkey');
  await confirmPassphrase(manager, passphrase);
}

const passkeyRows = (manager: Tab): Promise<number> =>
  manager.evaluate(() => document.querySelectorAll('#slots .lucide-fingerprint-pattern').length);

/** Chromium has a virtual authenticator for each tab; what it makes is gone with the tab. */
if (BROWSERS.includes('chromium')) {
  describe('passkeys in chromium', () => {
    let session: BrowserSession;

    before(async () => {
      session = await launch('chromium');
      await createVault(session);
    });
    after(() => session.close());

    const withAuthenticator = async (prf: Authenticator['prf']) => {
      const manager = await openSecurity(session);
      await addAuthenticator(manager, { prf });
      return manager;
    };

    for (const prf of ['at-once', 'for-known-passkeys'] as const) {
      it(`open the vault, of an authenticator with a PRF ${prf}`, async () => {
        const manager = await withAuthenticator(prf);
        await addPasskey(manager);
        await manager.waitFor('#passkey-added', 30_000);
        await manager.click('#lock-now');
        await manager.click('#unlock-passkey');
        await manager.waitFor('#passkey', 30_000);
        await manager.close();
      });
    }

    it('are offered in the popup, which sends to a tab', async () => {
      const site = await session.newTab();
      const popup = await session.openPopupFor(site);
      await popup.click('#lock-now');
      await popup.waitFor('#unlock-passkey');
      const opened = session.waitForTab('manager.html');
      await popup.click('#unlock-passkey');
      const manager = await opened;
      await manager.waitFor('#unlock-passkey');
      // This tab's authenticator has none of ours: the browser refuses, and words say what to do.
      await addAuthenticator(manager, { prf: 'at-once' });
      await manager.click('#unlock-passkey');
      await manager.waitFor('.banner-error', 30_000);
      await manager.type('#passphrase', PASSPHRASE);
      await manager.click('#unlock');
      await manager.waitFor('#lock-now', 30_000);
      await manager.close();
    });

    it('are not made for a wrong passphrase, nor where there is no PRF', async () => {
      const manager = await withAuthenticator('no');
      const before = await passkeyRows(manager);
      expect(before).to.equal(2);
      await addPasskey(manager, 'not the passphrase');
      await manager.waitFor('#current-passphrase[aria-invalid="true"]', 30_000);
      await manager.reload();
      await manager.waitFor('#add-passkey');
      await addPasskey(manager);
      await manager.waitFor('#passkey .banner-error', 30_000);
      expect(await passkeyRows(manager)).to.equal(before);
      await manager.close();
    });

    it('are removed, and then nothing offers them any more', async () => {
      const manager = await openSecurity(session);
      for (let left = await passkeyRows(manager); left > 0; left--) {
        await manager.click('#slots li:has(.lucide-fingerprint-pattern) .button');
        await confirmPassphrase(manager);
        await manager.waitUntil(
          (rest) => document.querySelectorAll('#slots .lucide-fingerprint-pattern').length === rest,
          { timeoutMs: 30_000 },
          left - 1,
        );
      }
      await manager.click('#lock-now');
      await manager.waitFor('#forgot-passphrase'); // it appears with the button, or instead
      expect(await manager.evaluate(() => document.querySelector('#unlock-passkey'))).to.equal(
        null,
      );
      await manager.close();
    });
  });
}

/** Firefox takes the domain of a web site alone as relying party: extension/platform/lock/passkeys.ts. */
if (BROWSERS.includes('firefox')) {
  describe('passkeys in firefox', () => {
    it('are not offered, and words say why', async () => {
      const session = await launch('firefox');
      try {
        await createVault(session);
        const manager = await openSecurity(session);
        await manager.waitFor('#passkey-unsupported');
        const popup = await openPopup(session);
        await popup.click('#lock-now');
        await popup.waitFor('#unlock');
      } finally {
        await session.close();
      }
    });
  });
}
