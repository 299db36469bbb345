import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LIST_NAME, parseList, wholeDigest } from '../../../src/release/digest-list.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { pagesOf } from '../../support/views/pdf-pages.ts';
import { generateIdentity } from '../../../src/library/sharing.ts';
import {
  changePassphrase,
  chooseAction,
  confirmPassphrase,
  createVault,
  focusIsAt,
  keepDownloads,
  lastDownload,
  lockVault,
  loseSlots,
  openPopup,
  PASSPHRASE,
  restoreLost,
  showIn,
  spoilManifests,
  unlockVault,
} from '../steps.ts';

const NEW_PASSPHRASE = 'seven copper lanterns under quiet snow';

/** The recovery code as it stands on the sheet. */
const codeOn = (tab: Tab): Promise<string> =>
  tab.evaluate(() =>
    Array.from(
      document.querySelectorAll('#recovery-code .code-group'),
      (group) => group.textContent,
    ).join('-'),
  );

/** Empties the field that was refused, as its user would. */
const emptyInvalid = (tab: Tab): Promise<void> =>
  tab.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('input[aria-invalid="true"]')!;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });

for (const browser of BROWSERS) {
  describe(`the manager in ${browser}`, () => {
    let session: BrowserSession;
    let folder: string;
    let code: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-manager-'));
      session = await launch(browser);
      await createVault(session);
      const popup = await openPopup(session);
      await popup.click('#nav-keys');
      await popup.type('#new-key-label', 'Family photos');
      await popup.click('#create-key');
      await popup.waitFor('#keys > li:nth-child(2)');
      await popup.close();
    });
    after(async () => {
      await session.close();
      await rm(folder, { recursive: true });
    });

    const openManager = (screen: string) =>
      session.newTab(session.extensionUrl(`manager.html#${screen}`));

    it('is one tab with a title of its own, whichever link opens it', async () => {
      const fromPopup = async (selector: string) => {
        const popup = await openPopup(session);
        await popup.click('#nav-more');
        await popup.click(selector);
        // In a tab of the test, the popup may not close itself.
        await popup.close().catch(() => undefined);
      };
      await fromPopup('#open-manager');
      const manager = await session.waitForTab('manager.html#home');
      await manager.waitUntil(() => document.title === 'Home – Sealwright');
      await manager.click('#nav-security');
      await manager.waitUntil(() => document.title === 'Security – Sealwright');
      await manager.type('#new-passphrase', 'half');
      // The arrow of the header shows it as it was left.
      await fromPopup('#to-manager');
      await manager.waitUntil(() => document.visibilityState === 'visible');
      expect(await session.countTabs('manager.html')).to.equal(1);
      expect(await manager.text('#view-title')).to.equal('Security');
      await fromPopup('#open-manager');
      await manager.waitUntil(() => document.title === 'Home – Sealwright');
      expect(await session.countTabs('manager.html')).to.equal(1);
      await manager.close();
    });

    it('keeps its links and Lock in sight, and its screen in the middle', async () => {
      const manager = await openManager('security');
      await manager.waitFor('#change-passphrase');
      await manager.setViewport(1280, 640);
      const isSeen = (selector: string) =>
        manager.evaluate((wanted) => {
          const { top, bottom, left, right } = document
            .querySelector(wanted)!
            .getBoundingClientRect();
          return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
        }, selector);
      const toTheEnd = () =>
        manager.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await toTheEnd();
      for (const selector of ['#lock-now', '#nav-keys', '#nav-about']) {
        expect(await isSeen(selector), selector).to.equal(true);
      }
      const gaps = await manager.evaluate(() => {
        const side = document.querySelector('.side')!.getBoundingClientRect();
        const main = document.querySelector('main')!.getBoundingClientRect();
        return [main.left - side.right, innerWidth - main.right];
      });
      expect(Math.abs(gaps[0]! - gaps[1]!), gaps.join(' and ')).to.be.below(20);
      // At 320 px the links are a strip, with the current one in sight.
      await manager.setViewport(320, 640);
      await manager.click('#nav-about');
      await manager.waitUntil(() => document.title === 'About – Sealwright');
      await manager.waitUntil(
        () => document.querySelector('#nav-about')!.getBoundingClientRect().right <= innerWidth,
      );
      await manager.click('#own-copy > summary');
      await manager.waitFor('#own-digest');
      const list = parseList(await readFile(`dist/lib/${LIST_NAME}`, 'utf8'))!;
      const packed = await wholeDigest(list.targets.get(browser)!);
      expect(await manager.text('#own-digest')).to.equal(packed);
      const strip = await manager.evaluate(() => {
        const { height, bottom } = document.querySelector('.side')!.getBoundingClientRect();
        return { height, bottom };
      });
      expect(strip.height).to.be.below(64);
      expect(strip.bottom).to.be.below(140);
      await manager.close();
    });

    it('lists the activity first, in words, and filters it by day', async () => {
      const manager = await openManager('activity');
      await manager.waitFor('.activity');
      expect(await manager.text('.day')).to.include('vault created');
      const isFolded = await manager.evaluate(() => {
        const usage = document.querySelector<HTMLDetailsElement>('#usage');
        return usage === null || !usage.open;
      });
      expect(isFolded, 'the chart is folded').to.equal(true);
      await manager.evaluate(() => {
        const when = document.querySelector<HTMLSelectElement>('#activity-when')!;
        when.selectedIndex = 2;
        when.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await manager.waitFor('#activity-none');
      await manager.click('#activity-none-on');
      await manager.waitFor('.activity');
      await manager.evaluate(() => {
        const when = document.querySelector<HTMLSelectElement>('#activity-when')!;
        when.selectedIndex = 1;
        when.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await manager.waitFor('.activity');
      await manager.close();
    });

    it('leads on from a list with nothing in it', async () => {
      const manager = await openManager('contacts');
      await manager.click('#contacts-none-on');
      await manager.waitUntil(() => document.activeElement?.id === 'contact-key');
      await manager.close();
    });

    it('says what was done, and takes it back', async () => {
      const manager = await openManager('keys');
      await manager.waitFor('#keys > li:nth-child(2)');
      await chooseAction(manager, '#keys > li:nth-child(2)', 'archive');
      await manager.click('#keys .confirm .button-danger');
      await manager.waitFor('#archive');
      expect(await manager.text('#toast')).to.include('archive');
      await manager.click('#undo');
      await manager.waitUntil(() => document.querySelector('#archive') === null);
      await manager.waitFor('#keys > li:nth-child(2)');
      expect(await manager.text('#toast')).to.equal('Taken back.');
      await manager.close();
    });

    it('makes a recovery code, and believes it only when it is typed back', async () => {
      const manager = await openManager('backup');
      await manager.click('#make-recovery-code');
      await confirmPassphrase(manager, 'not the passphrase');
      await manager.waitFor('#current-passphrase[aria-invalid="true"]', 30_000);
      await emptyInvalid(manager);
      await confirmPassphrase(manager);
      await manager.waitFor('#recovery-sheet .picture-seal', 30_000);
      expect(await manager.evaluate(() => document.querySelector('dialog'))).to.equal(null);
      const pages: Record<string, number> = {};
      for (const theme of ['light', 'dark']) {
        for (const language of ['en', 'de', 'ar']) {
          await showIn(manager, { language, theme });
          for (const paper of ['A4', 'Letter'] as const) {
            pages[`${paper}, ${language}, ${theme}`] = pagesOf(await manager.print(paper));
          }
        }
      }
      const isOne = Object.fromEntries(Object.keys(pages).map((name) => [name, 1]));
      expect(pages, 'pages').to.deep.equal(isOne);
      await showIn(manager, { language: 'auto', theme: 'system' });
      code = await codeOn(manager);
      expect(code).to.match(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
      await manager.click('#recovery-written');
      const asked = await manager.evaluate(() =>
        Array.from(document.querySelectorAll('#recovery label'), (label) => label.textContent),
      );
      expect(asked).to.have.lengthOf(3);
      await manager.type('#recovery-group-0', 'ZZZZ');
      await manager.click('#confirm-recovery-code');
      await manager.waitFor('#recovery-group-0[aria-invalid="true"]');
      await emptyInvalid(manager);
      for (const [place, label] of asked.entries()) {
        const group = code.split('-')[Number(/\d+/.exec(label)![0]) - 1]!;
        await manager.type(`#recovery-group-${place}`, group.toLowerCase());
      }
      await manager.click('#confirm-recovery-code');
      await manager.waitFor('#recovery-done', 30_000);
      await manager.waitFor('#recovery-close');
      await manager.click('#recovery-next');
      await manager.waitUntil(() => document.activeElement?.id === 'backup-passphrase');
      await manager.close();
    });

    it('opens the vault by the recovery code, and changes the passphrase with it', async () => {
      await lockVault(session);
      const locked = await openPopup(session);
      await locked.click('#forgot-passphrase > summary');
      expect(await locked.text('#forgot-passphrase')).to.include('recovery code');
      expect(await locked.text('.lead')).to.not.include('recovery code');
      await locked.close();
      await unlockVault(session, code);
      const popup = await openPopup(session);
      await popup.click('#choose-passphrase');
      const manager = await session.waitForTab('manager.html#security');
      await manager.waitUntil(() => document.activeElement?.id === 'new-passphrase');
      await manager.waitFor('#code-used');
      await manager.type('#new-passphrase', NEW_PASSPHRASE);
      await manager.type('#new-passphrase-again', NEW_PASSPHRASE);
      await manager.click('#change-passphrase');
      await manager.waitFor('#current-passphrase-hint');
      await confirmPassphrase(manager, code);
      await manager.waitFor('#passphrase-changed', 60_000);
      await manager.waitUntil(() => document.querySelector('#code-used') === null);
      await manager.close();
      const after = await openPopup(session);
      await after.waitFor('#nav-site');
      expect(await after.evaluate(() => document.querySelector('#code-used'))).to.equal(null);
      await after.close();
      await lockVault(session);
      await unlockVault(session, NEW_PASSPHRASE);
    });

    it('chooses a new passphrase at once where the code was typed, which is not asked for again', async () => {
      await lockVault(session);
      const manager = await openManager('home');
      await manager.type('#passphrase', code);
      await manager.click('#unlock');
      await manager.waitFor('#after-code', 30_000);
      await focusIsAt(manager, 'after-code');
      await manager.type('#after-code', PASSPHRASE);
      await manager.type('#after-code-again', PASSPHRASE);
      await manager.click('#change-after-code');
      await manager.waitUntil(() => document.querySelector('#code-used') === null, {
        timeoutMs: 60_000,
      });
      await manager.close();
      await lockVault(session);
      await unlockVault(session, PASSPHRASE);
      await changePassphrase(session, PASSPHRASE, NEW_PASSPHRASE);
    });

    it('says in the activity what opened the vault, and which contact was added', async () => {
      const manager = await openManager('contacts');
      const { publicKey } = await generateIdentity();
      await manager.waitFor('#contact-key');
      await manager.type('#contact-name', 'Ada');
      await manager.type('#contact-key', publicKey);
      await manager.click('#add-contact');
      await manager.waitFor('#contacts li');
      await manager.click('#nav-activity');
      await manager.waitFor('.activity');
      const rows = await manager.evaluate(() =>
        [...document.querySelectorAll('.activity summary')].map(({ textContent }) => textContent),
      );
      expect(rows.find((row) => row.includes('contact added'))).to.include('Ada');
      expect(rows.join()).to.include('vault unlocked with the recovery code');
      await manager.close();
    });

    it('makes a backup, after the passphrase was asked for', async () => {
      const manager = await openManager('backup');
      await manager.waitFor('#backup-none');
      await keepDownloads(manager);
      await manager.type('#backup-passphrase', NEW_PASSPHRASE);
      await manager.type('#backup-passphrase-again', NEW_PASSPHRASE);
      await manager.click('#make-backup');
      await confirmPassphrase(manager, NEW_PASSPHRASE);
      await manager.waitFor('#backup-made', 60_000);
      await manager.waitFor('#backup-times');
      await writeFile(join(folder, 'backup'), await lastDownload(manager));
      await manager.close();
    });

    it('shows a vault as lost whose state its passphrase finds damaged in both stores', async () => {
      await lockVault(session);
      const popup = await openPopup(session);
      await popup.waitFor('#unlock');
      await spoilManifests(popup);
      await session.killBackground();
      await popup.reload();
      await popup.waitFor('#passphrase');
      await popup.type('#passphrase', NEW_PASSPHRASE);
      await popup.click('#unlock');
      await popup.waitFor('#open-restore', 30_000);
      await popup.close();
    });

    it('brings a backup back where the vault is lost, under a new passphrase', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#retry');
      await loseSlots(popup);
      await session.killBackground();
      await popup.reload();
      await popup.waitFor('#retry');
      await popup.click('#open-restore');
      const manager = await session.waitForTab('manager.html#backup');
      const report = await restoreLost(manager, join(folder, 'backup'), NEW_PASSPHRASE);
      expect(report).to.include('Family photos');
      await manager.waitFor('#make-backup', 60_000);
      await manager.close();
      await lockVault(session);
      await unlockVault(session);
      const keys = await openPopup(session);
      await keys.click('#nav-keys');
      await keys.waitFor('#keys > li:nth-child(2)');
      expect(await keys.text('#keys')).to.include('Family photos');
      await keys.close();
    });
  });
}
