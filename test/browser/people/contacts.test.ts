import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseProof, verifyProof } from '../../../src/format/recipients/proof.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closed, fieldSession, write } from '../field-steps.ts';
import { closeScene, openSiteScene } from '../scene.ts';
import type { TestServer } from '../server.ts';
import { createVault } from '../steps.ts';
import { Contact } from './contact.ts';
import { PATIENCE_MS } from './person.ts';

/** Clicks, typed fields and dropped files of sharing a file, from two vaults that have no contacts, on both sides. */
const ACTIONS_MAX = 14;
const PHOTO = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 31) % 256);
const NAME = 'Überraschung (2).tar.gz';

/** Two people, each with a profile and a vault of their own. */
for (const browser of BROWSERS) {
  describe(`contacts of two people, in ${browser}`, function () {
    this.timeout(180_000);
    let server: TestServer;
    let aliceSession: BrowserSession;
    let bobSession: BrowserSession;
    let aliceSite: Tab;
    let alice: Contact;
    let bob: Contact;
    let folder: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-contacts-'));
      ({ session: aliceSession, server, site: aliceSite } = await openSiteScene(browser));
      bobSession = await launch(browser);
      await createVault(bobSession);
      [alice, bob] = [await Contact.at(aliceSession), await Contact.at(bobSession)];
    });

    after(async () => {
      await bobSession.close();
      await closeScene({ session: aliceSession, server });
      await rm(folder, { recursive: true });
    });

    it(`share a file in ${ACTIONS_MAX} actions of both, and its name, type and sender arrive`, async () => {
      await alice.click('#nav-contacts');
      await alice.type('#invite-name', 'Alice');
      await alice.click('#invite-save');
      const cardOfAlice = await alice.saved();
      expect(cardOfAlice.name).to.equal('Alice.contact.txt');

      // One motion: the card is dropped, wherever the manager is.
      await bob.drop(cardOfAlice);
      const wordsOfBob = await bob.words();
      await bob.type('#contacts [id^="invite-"][id$="-name"]', 'Bob');
      await bob.click('#contacts [id^="invite-"][id$="-save"]');

      await alice.drop(await bob.saved());
      expect(await alice.words()).to.equal(wordsOfBob);
      expect(await alice.tab.text('#contacts .row-title')).to.equal('Bob');
      await alice.click('[id^="match-"]');
      await bob.click('[id^="match-"]');

      const path = join(folder, NAME);
      await writeFile(path, PHOTO);
      await alice.click('[id^="seal-for-"]');
      await alice.choose('#seal-file', path);
      await alice.click('#seal-file-now[aria-disabled="false"]');
      const sealed = await alice.saved();
      expect(sealed.name).to.equal(`${NAME}.sealed`);

      // As a browser names a second file.
      await bob.drop({ ...sealed, name: `${NAME} (1).sealed` });
      await bob.click('#save-opened');
      const opened = await bob.saved();
      expect(opened).to.deep.equal({ name: NAME, bytes: [...PHOTO] });
      expect(await bob.tab.text('#opened-name')).to.include(NAME);
      expect(await bob.tab.text('#opened-sender')).to.match(/^From Alice, compared on /);
      expect(alice.actions + bob.actions).to.be.at.most(ACTIONS_MAX);
    });

    it('paste an invitation as a mail program wrapped it', async () => {
      const other = await Contact.at(bobSession);
      await other.click('#nav-contacts');
      await other.tab.waitFor('#own-public-key', PATIENCE_MS);
      await other.tab.waitUntil(() => document.querySelector('#own-public-key-text') !== null, {
        timeoutMs: PATIENCE_MS,
      });
      const key = await other.tab.evaluate(
        () => document.querySelector('#own-public-key-text')!.textContent,
      );
      const wrapped = key.replace(/(.{70})/g, '$1\n> ');
      await other.tab.evaluate((pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', `Hello!\n> Name: Myself\n> ${pasted}\nBye`);
        const event = new Event('paste', { bubbles: true, cancelable: true });
        // Firefox takes no data from scripts.
        Object.defineProperty(event, 'clipboardData', { value: clipboardData });
        document.querySelector('#contact-key')!.dispatchEvent(event);
      }, wrapped);
      await other.tab.waitUntil(() => document.querySelectorAll('#contacts > li').length === 2, {
        timeoutMs: PATIENCE_MS,
      });
      expect(await other.tab.text('#contacts > li:nth-child(2)')).to.include('Myself');
      await other.tab.close();
    });

    it('are warned where the words differ, and can delete the contact there', async () => {
      const other = await Contact.at(bobSession);
      await other.click('#nav-contacts');
      await other.click('#contacts > li:nth-child(2) .row-actions [aria-expanded]');
      await other.click('[id^="differ-"]');
      await other.tab.waitFor('#contacts .banner-error');
      await other.click('#contacts .banner-error .button-danger');
      await other.tab.waitUntil(() => document.querySelectorAll('#contacts > li').length === 1, {
        timeoutMs: PATIENCE_MS,
      });
      await other.tab.close();
    });

    it('know the sender of a text in a field, too', async () => {
      await aliceSite.evaluate(() => {
        const area = document.createElement('textarea');
        area.id = 'letter';
        document.body.append(area);
        area.focus();
      });
      const window = await write(aliceSession, aliceSite, 'Meet me at the old mill');
      await window.click('#audience-people');
      await window.click('.people input');
      expect(await window.evaluate(isSigning)).to.equal(false);
      await window.click('#seal-insert[aria-disabled="false"]');
      const letter = () => document.querySelector<HTMLTextAreaElement>('#letter')!.value;
      await aliceSite.waitUntil(
        () => document.querySelector<HTMLTextAreaElement>('#letter')!.value.startsWith('swt1'),
        { timeoutMs: PATIENCE_MS },
      );
      const sealed = await aliceSite.evaluate(letter);
      await closed(aliceSession, window);
      const bobSite = await bobSession.newTab(`${server.origin}/blank.html`);
      await bobSite.evaluate((text) => {
        document.body.textContent = text;
      }, sealed);
      const reader = await fieldSession(bobSession, bobSite, 'open');
      await reader.waitFor('.opened', PATIENCE_MS);
      expect(await reader.text('.opened')).to.equal('Meet me at the old mill');
      expect(await reader.text('.banner-good')).to.match(/^From Alice, compared on /);
      expect(await reader.text('.banner-good')).to.include('It is no proof for other people.');
      await closed(bobSession, reader);
      await bobSite.close();
    });

    it('prove to others who signed a text, if its writer chose to sign', async () => {
      const writer = await Contact.at(aliceSession);
      await writer.click('#nav-write');
      await writer.type('#write-text', 'I owe you 5. Ünterschrift');
      await writer.click('#audience-people');
      await writer.click('.people input');
      expect(await writer.tab.evaluate(isSigning)).to.equal(false);
      await writer.click('#sign');
      await writer.click('#write-seal[aria-disabled="false"]');
      await writer.tab.waitFor('#written', PATIENCE_MS);
      const sealed = await writer.tab.evaluate(
        () => document.querySelector<HTMLTextAreaElement>('#written')!.value,
      );
      await writer.tab.close();

      const reader = await Contact.at(bobSession);
      await reader.drop({ name: 'letter.txt', bytes: [...new TextEncoder().encode(sealed)] });
      await reader.tab.waitFor('#opened-sender .signature', PATIENCE_MS);
      const said = await reader.tab.text('#opened-sender');
      expect(said).to.match(/^From Alice, compared on /);
      expect(said).to.include('Signed by Alice. Others can check it.');
      expect(said).to.not.include('no proof for other people');
      await reader.click('#opened-sender .signature button');
      const { name, bytes } = await reader.saved();
      expect(name).to.match(/\.proof$/);
      const proof = parseProof(new TextDecoder().decode(Uint8Array.from(bytes)));
      expect(proof.text).to.equal('I owe you 5. Ünterschrift');
      await verifyProof(proof);
      expect(said).to.include(proof.publicKey);
      await reader.tab.close();
    });
  });
}

/** Whether the user would sign: off until they choose it. */
function isSigning(): boolean {
  return document.querySelector<HTMLInputElement>('#sign')!.checked;
}
