import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity } from '../../../src/format/recipients/sharing.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { openSiteScene, type Scene } from '../scene.ts';
import {
  call,
  connect,
  createVault,
  fill,
  keepDownloads,
  lastDownload,
  openSitePopup,
  PASSPHRASE,
  refusal,
} from '../steps.ts';
import { PairingScreen } from './pairing-screen.ts';
import { PATIENCE_MS } from './person.ts';
import { Typist } from './typist.ts';

/*
 * The main job of each screen by keys alone. After each step the focus is where the next one begins, an error moves it
 * to the field that is wrong, and nothing that has it lies below something else (typist.ts).
 */

const countOf = (tab: Tab, selector: string, count: number): Promise<void> =>
  tab.waitUntil(
    (wanted, number) => document.querySelectorAll(wanted).length === number,
    { timeoutMs: PATIENCE_MS },
    selector,
    count,
  );

for (const browser of BROWSERS) {
  describe(`by keys alone, in ${browser}`, function () {
    this.timeout(240_000);
    let scene: Scene & { readonly site: Tab };
    let session: BrowserSession;
    let other: BrowserSession;
    let folder: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-keys-'));
      scene = await openSiteScene(browser);
      ({ session } = scene);
      other = await launch(browser);
      await createVault(other);
    });

    after(async () => {
      await other.close();
      await session.close();
      await scene.server.close();
      await rm(folder, { recursive: true });
    });

    it('a person adds a contact, compares words, and makes, changes and deletes a group', async () => {
      const typist = await Typist.at(session, 'contacts');
      const { tab } = typist;
      const { publicKey } = await generateIdentity();
      await typist.enter('#add-contact');
      await typist.isAt('#contact-key');
      await typist.paste('#contact-key', publicKey);
      await typist.enter('#add-contact');
      await typist.isAt('#contact-name');
      await tab.typeAtFocus('Bob');
      await typist.enter('#add-contact');
      await tab.waitFor('[id^="match-"]', PATIENCE_MS);

      await typist.again();
      await typist.enter('#contacts .row-actions [aria-expanded="false"]');
      await typist.enter('[id^="match-"]');
      await tab.waitFor('[id^="seal-for-"]', PATIENCE_MS);
      await typist.isAt('[id^="seal-for-"]');

      await typist.enter('#make-group');
      await typist.isAt('#group-name');
      await tab.typeAtFocus('Choir');
      await typist.check('[id^="member-"]');
      await typist.enter('#make-group');
      await tab.waitFor('#group-list .confirm', PATIENCE_MS);
      await typist.isAt('#group-list .row-actions > button');
      await typist.enter('#group-list .confirm .row:nth-child(2) [aria-haspopup="menu"]');
      await typist.isAt('#group-list [data-action="make-admin"]');
      await tab.press('Enter');
      await typist.isAt('[id^="admin-key-"]');
      await tab.press('Enter');
      await typist.isAt('[id^="admin-key-"][aria-invalid="true"]');
      await tab.typeAtFocus(publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32).fill(7) }));
      await typist.enter('[id^="admin-match-"]');
      await tab.waitFor('#group-list .confirm .row:nth-child(2) .row-detail', PATIENCE_MS);
      await typist.isAt('.confirm .row:nth-child(2) [aria-haspopup="menu"][aria-disabled="false"]');
      await tab.press('Enter');
      await typist.isAt('#group-list [data-action="end-admin"]');
      await tab.press('End');
      await tab.press('Enter');
      await typist.goOn();
      await countOf(tab, '#group-list .confirm .rows > .row', 1);
      await typist.isAt('[id^="group-name-"]');

      await typist.enter('#take-group');
      await typist.isAt('#group-text[aria-invalid="true"]');
      await typist.again();
      await typist.enter('#group-list [aria-haspopup="menu"]');
      await typist.isAt('#group-list [role="menuitem"]');
      await tab.press('End');
      await tab.press('Enter');
      await typist.goOn();
      await countOf(tab, '#group-list', 0);
      await typist.isAt('#view-title');
      await tab.close();
    });

    it('a person makes a recovery file, checks a friend, and helps one', async () => {
      await befriendOneself(session);
      const typist = await Typist.at(session, 'friends');
      const { tab } = typist;
      await keepDownloads(tab);
      for (const place of [1, 2]) {
        await typist.check(`#deal-friends .choice:nth-of-type(${place}) input`);
      }
      await typist.enter('#make-recovery-file');
      await typist.confirm(PASSPHRASE);
      await tab.waitFor('#friends-made', PATIENCE_MS);
      await typist.isAt('#friends-made');
      const path = join(folder, 'mine.recovery');
      await writeFile(path, await lastDownload(tab));

      await typist.again();
      await typist.enter('#begin-drill');
      await typist.isAt('#drill-file[aria-invalid="true"]');
      await tab.chooseFile('#drill-file', path);
      await typist.enter('#begin-drill');
      await tab.waitFor('#drill-request-text', PATIENCE_MS);
      await typist.isAt('#drill-request > p');
      const request = await tab.text('#drill-request-text');

      await typist.paste('#friend-request', 'swr1.AAAA');
      await typist.enter('#read-request');
      await typist.isAt('#friend-request[aria-invalid="true"]');
      await typist.paste('#friend-request', request);
      await typist.enter('#read-request');
      await tab.waitFor('#request-shown', PATIENCE_MS);
      await typist.isAt('#request-shown');
      await typist.enter('#answer-request');
      await typist.confirm(PASSPHRASE);
      await tab.waitFor('#friend-answer-text', PATIENCE_MS);
      await typist.isAt('#friend-answer > p');
      const answer = await tab.text('#friend-answer-text');

      await typist.again();
      await typist.enter('#take-proof');
      await typist.isAt('#drill-answer[aria-invalid="true"]');
      await typist.paste('#drill-answer', answer);
      await typist.enter('#take-proof');
      await tab.waitUntil(
        () => /Could still help on/.test(document.querySelector('#friends')!.textContent),
        { timeoutMs: PATIENCE_MS },
      );
      await typist.isAt('#take-proof');
      await tab.close();
    });

    it('two devices pair, exchange by the browser’s sync, and part', async () => {
      const screens = await Promise.all([session, other].map((each) => PairingScreen.of(each)));
      const [old, fresh] = screens as [PairingScreen, PairingScreen];
      const [from, to] = [new Typist(old.tab), new Typist(fresh.tab)];
      await Promise.all([from.isAt('#view-title'), to.isAt('#view-title')]);
      await to.enter('#device-request-copy');
      const words = await fresh.ownWords();
      await to.isAt('#join-title');

      await from.paste('#device-request', await fresh.copied());
      await from.tab.waitFor('#device-words-0', PATIENCE_MS);
      await from.isAt('#device-asks');
      const choices = await Promise.all(
        [0, 1, 2].map((at) => from.tab.text(`#device-words-${at}`)),
      );
      const right = choices.findIndex((choice) => choice.trim() === words);
      await from.enter(`#device-words-${right}`);
      await from.confirm(PASSPHRASE);
      const digits = await old.digits();
      await from.isAt('#device-given');
      await from.enter('#device-answer-out .button-primary');

      await to.paste('#device-answer', await old.copied());
      await to.tab.waitFor('#device-answer-taken', PATIENCE_MS);
      await to.isAt('#device-digits');
      await to.tab.typeAtFocus(digits === '000000' ? '000001' : '000000');
      await to.tab.press('Enter');
      await to.tab.waitFor('#device-digits[aria-invalid="true"]', PATIENCE_MS);
      await to.isAt('#device-digits');
      await to.tab.typeAtFocus(digits);
      await to.tab.press('Enter');
      await to.tab.waitFor('#device-take', PATIENCE_MS);
      await to.isAt('#device-take-title');
      await to.enter('#device-take');
      await to.tab.waitFor('#device-taken', PATIENCE_MS);
      await to.isAt('#join-title');
      await from.enter('#device-given-done');
      await from.isAt('#give-title');

      await from.again();
      await from.enter('#browser-sync-on');
      await from.tab.waitFor('#browser-sync-off', PATIENCE_MS);
      await from.isAt('#view-title');
      await from.enter('#browser-sync-off');
      await from.goOn();
      await from.tab.waitFor('#browser-sync-on', PATIENCE_MS);
      await from.isAt('#view-title');

      const remove = '#members li:not([aria-current]) .button:not(.has-joined)';
      await from.enter(remove);
      await from.isAt('#current-passphrase');
      await from.tab.press('Escape');
      await from.isAt(remove);
      await from.tab.press('Enter');
      await from.confirm(PASSPHRASE);
      await countOf(from.tab, '#members li', 1);
      await from.isAt('#view-title');
      await Promise.all(screens.map(({ tab }) => tab.close()));
    });

    it('a person lets a site go on whose opening is stopped', async () => {
      const { site } = scene;
      await connect(session, site);
      const sealed = await call(site, 'seal', 'never opened', { decoy: true });
      if (!sealed.ok) throw new Error(sealed.message);
      await refusal(site, 'open', sealed.value);
      const typist = new Typist(await openSitePopup(session, site));
      await typist.tab.waitFor('.grant .banner', PATIENCE_MS);
      await typist.enter('.grant .banner .actions > button');
      await countOf(typist.tab, '.grant .banner', 0);
      await typist.isAt('#view-title');
      await typist.tab.close();
    });
  });
}

/** The user's own key among the contacts: then the user can answer their own request. */
async function befriendOneself(session: BrowserSession): Promise<void> {
  const tab = await session.newTab(session.extensionUrl('manager.html#contacts'));
  await tab.waitFor('#add-contact', PATIENCE_MS);
  await tab.waitUntil(() => document.querySelector('#own-public-key-text') !== null);
  const own = await tab.evaluate(() => document.querySelector('#own-public-key-text')!.textContent);
  await fill(tab, '#contact-name', 'Myself');
  await fill(tab, '#contact-key', own);
  await tab.click('#add-contact');
  await countOf(tab, '#contacts > li', 2);
  await tab.close();
}
