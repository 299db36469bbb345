import { expect } from 'chai';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { createVault } from '../steps.ts';
import { Contact, textIn } from './contact.ts';
import { PATIENCE_MS } from './person.ts';

const MEMBER = '#group-list .confirm .rows > .row';

/** Two people who made each other contacts, and the group of one of them. */
for (const browser of BROWSERS) {
  describe(`a group of two people, in ${browser}`, function () {
    this.timeout(180_000);
    let aliceSession: BrowserSession;
    let bobSession: BrowserSession;
    let alice: Contact;
    let bob: Contact;

    before(async () => {
      [aliceSession, bobSession] = [await launch(browser), await launch(browser)];
      for (const session of [aliceSession, bobSession]) await createVault(session);
      [alice, bob] = [await Contact.at(aliceSession), await Contact.at(bobSession)];
      for (const [from, to, name] of [
        [alice, bob, 'Alice'],
        [bob, alice, 'Bob'],
      ] as const) {
        await from.click('#nav-contacts');
        await from.type('#invite-name', name);
        await from.click('#invite-save');
        await to.drop(await from.saved());
        await to.tab.waitFor('#contacts > li', PATIENCE_MS);
      }
    });

    after(async () => {
      await aliceSession.close();
      await bobSession.close();
    });

    it('opens a text for its members, and after a removal for those who stayed', async () => {
      await alice.click('#nav-contacts');
      await alice.type('#group-name', 'Chor');
      await alice.click('#make-group-form .people input');
      await alice.click('#make-group');
      await alice.click('[id^="group-save-"]');
      const file = await alice.saved();
      expect(file.name).to.equal('Chor.group.txt');

      await bob.click('#nav-contacts');
      await bob.paste('#group-text', textIn(file));
      await bob.click('#take-group');
      await bob.tab.waitFor(`${MEMBER}:nth-child(2)`, PATIENCE_MS);
      expect(await bob.tab.text('#group-list .row-title')).to.equal('Chor');
      expect(await bob.tab.text(`${MEMBER}:nth-child(1)`)).to.equal('You');
      expect(await bob.tab.text(`${MEMBER}:nth-child(2)`))
        .to.include('Alice')
        .and.include('Admin');
      // Bob has no proof of who made it, and changes nothing.
      expect(await bob.tab.text('#group-list .confirm')).to.include('Nothing in the file proves');
      expect(await countOf(bob, '#group-list .confirm .row-actions')).to.equal(0);

      const first = await sealedForGroup(bob, 'Rehearsal at six');
      await alice.drop({ name: 'first.txt', bytes: bytesOf(first) });
      expect(await opened(alice)).to.equal('Rehearsal at six');

      await alice.click('#nav-contacts');
      await alice.click('#group-list [aria-expanded="false"]:not([aria-haspopup])');
      await alice.click(`${MEMBER}:nth-child(2) .confirm-opener button`);
      await alice.click(`${MEMBER}:nth-child(2) .button-danger`);
      await alice.tab.waitFor('[id^="group-changed-"]', PATIENCE_MS);
      await alice.tab.waitUntil(
        () => document.querySelectorAll('#group-list .confirm .rows > .row').length === 1,
        { timeoutMs: PATIENCE_MS },
      );
      await alice.click('[id^="group-save-"]');
      const changed = await alice.saved();

      const second = await sealedForGroup(alice, 'Rehearsal at seven', true);
      await alice.drop({ name: 'second.txt', bytes: bytesOf(second) });
      expect(await opened(alice)).to.equal('Rehearsal at seven');
      await bob.drop({ name: 'second.txt', bytes: bytesOf(second) });
      const refused = '#open-file-error, .field-error:not(:empty)';
      await bob.tab.waitFor(refused, PATIENCE_MS);
      expect(await bob.tab.text(refused)).to.include('You need its newest group file');

      await bob.click('#nav-contacts');
      await bob.paste('#group-text', textIn(changed));
      await bob.click('#take-group');
      await bob.tab.waitFor('#group-list .state-warning', PATIENCE_MS);
      expect(await bob.tab.text('#group-list .state-warning')).to.equal(
        'You are no longer a member.',
      );
      await bob.click('#nav-write');
      await bob.click('#audience-people');
      await bob.tab.waitFor('[id^="to-swg1"]:disabled', PATIENCE_MS);
    });
  });
}

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

/** @param alone for the group alone, so that its epoch is what opens the text, not the key of its writer */
async function sealedForGroup(person: Contact, text: string, alone = false): Promise<string> {
  await person.click('#nav-write');
  await person.type('#write-text', text);
  await person.click('#audience-people');
  await person.click('[id^="to-swg1"]');
  if (alone) await person.click('#me-too');
  await person.click('#write-seal[aria-disabled="false"]');
  await person.tab.waitFor('#written', PATIENCE_MS);
  return person.tab.evaluate(() => document.querySelector<HTMLTextAreaElement>('#written')!.value);
}

/** The text that Files shows. */
async function opened(person: Contact): Promise<string> {
  await person.tab.waitFor('pre.opened', PATIENCE_MS);
  return person.tab.text('pre.opened');
}

function countOf({ tab }: Contact, selector: string): Promise<number> {
  return tab.evaluate((wanted) => document.querySelectorAll(wanted).length, selector);
}
