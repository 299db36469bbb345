import { expect } from 'chai';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { chooseAction, createVault, fill } from '../steps.ts';
import { Contact, textIn } from './contact.ts';
import { bytesOf, countOf, MEMBER, opened, sealedForGroup, untilCount } from './group-steps.ts';
import { PATIENCE_MS } from './person.ts';

/** The button that shows a group. */
const FOLDED = '#group-list [aria-expanded="false"]:not([aria-haspopup])';

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
      await alice.click(FOLDED);
      await alice.click(`${MEMBER}:nth-child(2) .confirm-opener button`);
      await alice.click(`${MEMBER}:nth-child(2) .button-danger`);
      await alice.tab.waitFor('[id^="group-changed-"]', PATIENCE_MS);
      await untilCount(alice, MEMBER, 1);
      await alice.click('[id^="group-save-"]');
      const changed = await alice.saved();

      const second = await sealedForGroup(alice, 'Rehearsal at seven', { alone: true });
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

    it('gets a new member, who reads what was sealed before, where the file is dropped', async () => {
      const sealed = await sealedForGroup(alice, 'Rehearsal at eight', { alone: true });
      await atGroups(alice);
      await alice.click(FOLDED);
      await alice.click('[id^="add-swg1"]');
      await alice.click('[id^="old-swg1"]');
      await alice.click('#group-list form [type="submit"]');
      await untilCount(alice, MEMBER, 2);
      await alice.click('[id^="group-save-"]');
      // Wherever the manager is.
      await bob.click('#nav-home');
      await bob.drop(await alice.saved());
      await untilCount(bob, MEMBER, 2);
      expect(await countOf(bob, '#group-list .state-warning')).to.equal(0);
      await bob.drop({ name: 'third.txt', bytes: bytesOf(sealed) });
      expect(await opened(bob)).to.equal('Rehearsal at eight');
    });

    it('is named anew by each of them, and deleted by one of them alone', async () => {
      await atGroups(alice);
      await chooseAction(alice.tab, '#group-list', 'rename');
      await fill(alice.tab, '[id^="rename-swg1"]', 'Kammerchor');
      await alice.click('#group-list form [type="submit"]');
      await alice.tab.waitFor(FOLDED, PATIENCE_MS);
      expect(await alice.tab.text('#group-list .row-title')).to.equal('Kammerchor');
      await alice.click(FOLDED);
      await alice.click('[id^="group-save-"]');
      const file = await alice.saved();
      expect(file.name).to.equal('Kammerchor.group.txt');

      await bob.drop(file);
      await untilCount(bob, MEMBER, 2);
      expect(await bob.tab.text('#group-list .row-title')).to.equal('Chor');
      await chooseAction(bob.tab, '#group-list', 'remove');
      await bob.click('#group-list > li > .row-actions .button-danger');
      await untilCount(bob, '#group-list', 0);
      await atGroups(alice);
      await bob.drop(file);
      await untilCount(bob, MEMBER, 2);
      expect(await bob.tab.text('#group-list .row-title')).to.equal('Kammerchor');
    });

    it('is not taken from a file that is cut', async () => {
      await atGroups(alice);
      await alice.click(FOLDED);
      await alice.click('[id^="group-save-"]');
      const { name, bytes } = await alice.saved();
      await bob.click('#nav-home');
      await bob.drop({ name, bytes: bytes.slice(0, -20) });
      await bob.tab.waitFor('#group-file-error', PATIENCE_MS);
      expect(await bob.tab.text('#group-file-error')).to.include(
        'no group file, or it is not whole',
      );
    });
  });
}

/** The screen with the groups, anew, so that none of them is unfolded. */
async function atGroups(person: Contact): Promise<void> {
  await person.click('#nav-home');
  await person.click('#nav-contacts');
  await person.tab.waitFor(FOLDED, PATIENCE_MS);
}
