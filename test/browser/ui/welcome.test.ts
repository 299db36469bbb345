import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WELCOME_PAGE, type BrowserSession, type Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { pagesOf } from '../../support/views/pdf-pages.ts';
import { oldBackup } from '../devices.ts';
import { focusIsAt, openPopup, openWelcome, PASSPHRASE, restoreLost, tabTo } from '../steps.ts';

/** From the installation to a vault, a recovery code that was checked, and a text sealed and opened. */
const MOST_ACTIONS = 14;
const MOST_PASSPHRASES = 2;
const TEXT = 'The key is under the third flower pot.';

for (const browser of BROWSERS) {
  describe(`the first run, in ${browser}`, () => {
    let session: BrowserSession;
    let welcome: Tab;
    let actions = 0;
    let passphrases = 0;

    /** Counts what a person does: a field filled, a button pressed. */
    const act = async (work: () => Promise<void>): Promise<void> => {
      actions++;
      await work();
    };

    const choosePassphrase = () => {
      passphrases++;
      return act(() => welcome.typeAtFocus(PASSPHRASE));
    };

    // The tab that opens ends with the second installation that allowed hosts take in Chromium.
    before(async () => {
      session = await launch(browser, { allowedHosts: [], keepsWelcome: true });
    });
    after(() => session.close());

    it('opens in a tab after the installation, with its button in sight', async () => {
      welcome = await session.waitForTab(WELCOME_PAGE);
      await welcome.setViewport(1280, 720);
      await focusIsAt(welcome, 'passphrase');
      await welcome.waitFor('#install-picture.hero .picture-seal');
      const bottom = await welcome.evaluate(
        () => document.querySelector('#create-vault')!.getBoundingClientRect().bottom,
      );
      expect(bottom).to.be.at.most(720);
      expect(await session.countTabs(WELCOME_PAGE)).to.equal(1);
    });

    it('judges the passphrase, suggests and copies one, and makes no vault with a weak one', async () => {
      const other = await openWelcome(session);
      await other.type('#passphrase', 'password1');
      await other.type('#passphrase-again', 'password1');
      await other.click('#create-vault');
      await other.waitFor('#passphrase[aria-invalid="true"]');
      await other.reload();
      await other.type('#passphrase', PASSPHRASE);
      await other.type('#passphrase-again', `${PASSPHRASE}!`);
      await other.click('#create-vault');
      await other.waitFor('#passphrase-again[aria-invalid="true"]');
      await other.click('#passphrase-suggest');
      await other.waitFor('.suggestion > :nth-child(2)');
      const suggested = await other.evaluate(() => {
        const field = document.querySelector<HTMLInputElement>('#passphrase')!;
        return { type: field.type, words: field.value.split('-').length };
      });
      expect(suggested).to.deep.equal({ type: 'text', words: 6 });
      await other.close();
      // The tab that was opened first is in front again.
      welcome = await session.waitForTab(WELCOME_PAGE);
      await focusIsAt(welcome, 'passphrase');
    });

    it('looks into a backup, and takes nothing of it', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sealwright-welcome-'));
      const { path, passphrase } = oldBackup(folder);
      await welcome.click('#have-backup');
      await welcome.waitFor('#backup-secret');
      await welcome.chooseFile('#backup-file', path);
      await welcome.type('#backup-secret', passphrase);
      await welcome.click('#check-backup');
      await welcome.waitFor('#backup-report', 60_000);
      await rm(folder, { recursive: true });
      await welcome.click('.view-head .icon-button');
      await focusIsAt(welcome, 'passphrase');
    });

    it('leads by keyboard alone to a vault and a kept recovery code', async () => {
      await choosePassphrase();
      await tabTo(welcome, 'passphrase-again');
      await choosePassphrase();
      await welcome.evaluate(() => {
        const seen: string[] = [];
        new MutationObserver(() => {
          const creating = document.querySelector('#creating-vault') !== null;
          const form = document.querySelector('#passphrase') !== null;
          seen.push(creating ? (form ? 'both' : 'creating') : form ? 'form' : 'neither');
        }).observe(document.body, { childList: true, subtree: true });
        Object.assign(globalThis, { seen });
      });
      await tabTo(welcome, 'create-vault');
      await act(() => welcome.press('Enter'));
      await welcome.waitFor('#recovery-sheet .picture-seal', 60_000);
      expect(await welcome.evaluate(() => document.querySelector('#came-back'))).to.equal(null);
      const seen = await welcome.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
      expect(seen).to.include('creating').and.not.include('both');
      expect(seen.lastIndexOf('form'), 'the form came back').to.be.below(seen.indexOf('creating'));
      const code = await welcome.evaluate(() =>
        Array.from(
          document.querySelectorAll('#recovery-code .code-group'),
          (one) => one.textContent,
        ),
      );
      expect(code.join('-')).to.match(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
      await tabTo(welcome, 'recovery-written');
      await act(() => welcome.press('Enter'));
      for (const place of [0, 1, 2]) {
        await focusIsAt(welcome, `recovery-group-${place}`);
        const label = await welcome.text(`label[for="recovery-group-${place}"]`);
        const group = code[Number(/\d+/.exec(label)![0]) - 1]!;
        await act(() => welcome.typeAtFocus(group));
      }
      await tabTo(welcome, 'confirm-recovery-code');
      await act(() => welcome.press('Enter'));
      await welcome.waitFor('#try-text', 30_000);
    });

    it('ends with a text that was sealed and opened, after few actions', async () => {
      await tabTo(welcome, 'try-text');
      await act(() => welcome.typeAtFocus(TEXT));
      await act(() => welcome.click('#try-seal'));
      await welcome.waitFor('#sealed-text');
      const armored = await welcome.evaluate(
        () => document.querySelector<HTMLTextAreaElement>('#sealed-text')!.value,
      );
      expect(armored).to.match(/^swt1/);
      await focusIsAt(welcome, 'try-open');
      await act(() => welcome.press('Enter'));
      await welcome.waitFor('#try-opened');
      expect(await welcome.text('#try-opened .opened')).to.equal(TEXT);
      await welcome.waitFor('#welcome-guide');
      await act(() => welcome.click('#welcome-done'));
      await welcome.waitFor('#nav-home[aria-current]');
      expect(actions).to.be.at.most(MOST_ACTIONS);
      expect(passphrases).to.be.at.most(MOST_PASSPHRASES);
      await welcome.close();
      const popup = await openPopup(session);
      await popup.waitFor('#nav-site');
      expect(await popup.evaluate(() => document.querySelector('#open-recovery'))).to.equal(null);
      await popup.close();
    });

    it('does not come again, by an update or by itself', async () => {
      await session.reloadExtension();
      const popup = await openPopup(session);
      await popup.waitFor('#unlock, #nav-site');
      expect(await session.countTabs(WELCOME_PAGE)).to.equal(0);
      await popup.close();
    });
  });

  describe(`a backup on the first run, in ${browser}`, () => {
    let session: BrowserSession;
    let folder: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-welcome-'));
      session = await launch(browser);
    });
    after(async () => {
      await session.close();
      await rm(folder, { recursive: true });
    });

    it('comes back without a vault that is made first, and a recovery code follows', async () => {
      const { path, passphrase } = oldBackup(folder);
      const welcome = await openWelcome(session);
      await welcome.click('#have-backup');
      await welcome.waitFor('#install-picture.hero .picture-seal');
      expect(await welcome.text('#install-picture')).to.include('New device, new picture');
      await restoreLost(welcome, path, passphrase);
      await welcome.waitFor('#recovery-sheet .picture-seal', 60_000);
      expect(await welcome.text('#came-back')).to.match(
        /came back: 2\. Contacts that came back: \d/,
      );
      expect(pagesOf(await welcome.print()), 'pages on A4').to.equal(1);
      await welcome.close();
      const popup = await openPopup(session);
      await popup.click('#nav-keys');
      await popup.waitFor('#keys > li:nth-child(2)');
      await popup.close();
    });
  });
}
