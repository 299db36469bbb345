import { expect } from 'chai';
import { generateIdentity } from '../../../../src/format/recipients/sharing.ts';
import type { BrowserSession } from '../../drivers/driver.ts';
import { BROWSERS, launch } from '../../drivers/launch.ts';
import { fill } from '../../steps.ts';
import type { Contact } from '../contact.ts';
import { PATIENCE_MS } from '../person.ts';
import {
  atGroups,
  bytesOf,
  chooseFor,
  countOf,
  doFor,
  FOLDED,
  friends,
  MEMBER,
  opened,
  sealedForGroup,
  untilCount,
} from './group-steps.ts';

const member = (place: number) => `${MEMBER}:nth-child(${place})`;
const MENUS = `${MEMBER} [aria-haspopup="menu"]`;
/** The first is the newest. */
const CHANGE = '#group-list .change';
const WORDS = `${CHANGE} dd:last-child`;

/** Two people with the manager, of whom one makes the other an admin of a group. */
for (const browser of BROWSERS) {
  describe(`a group with two admins, in ${browser}`, function () {
    this.timeout(180_000);
    let aliceSession: BrowserSession;
    let bobSession: BrowserSession;
    let alice: Contact;
    let bob: Contact;

    before(async () => {
      [aliceSession, bobSession] = [await launch(browser), await launch(browser)];
      [alice, bob] = await friends(aliceSession, bobSession);
    });

    after(async () => {
      await aliceSession.close();
      await bobSession.close();
    });

    /** The file of the group, from one who has it unfolded, to the other one, who unfolds it. */
    async function sent(from: Contact, to: Contact, members: number): Promise<void> {
      await from.click('[id^="group-save-"]');
      const file = await from.saved();
      await to.click('#nav-home');
      await to.drop(file);
      await untilCount(to, MEMBER, members);
    }

    async function addContact(person: Contact, name: string): Promise<void> {
      const { publicKey } = await generateIdentity();
      const before = await countOf(person, '#contacts > li');
      await person.paste('#contact-key', `Name: ${name}\n${publicKey}`);
      await person.click('#add-contact');
      await untilCount(person, '#contacts > li', before + 1);
    }

    const wordsIn = async ({ tab }: Contact, place: string) => {
      await tab.waitFor(`${place}[aria-busy="false"]`, PATIENCE_MS);
      return tab.text(place);
    };

    /** The newest change in the group's history, in words. */
    async function newestChange(person: Contact): Promise<string> {
      if ((await countOf(person, CHANGE)) === 0) await person.click('[id^="history-"] > summary');
      await person.tab.waitFor(CHANGE, PATIENCE_MS);
      return person.tab.text(CHANGE);
    }

    /** The six words of the newest change, once their list has been loaded. */
    async function newestWords({ tab }: Contact): Promise<string> {
      const areShown = (words: string) =>
        document.querySelector(words)!.textContent.trim().split(' ').length === 6;
      await tab.waitUntil(areShown, { timeoutMs: PATIENCE_MS }, WORDS);
      return tab.text(WORDS);
    }

    it('is not left by its only admin, who is told what to do first', async () => {
      await alice.click('#nav-contacts');
      await addContact(alice, 'Eva');
      await alice.type('#group-name', 'Choir');
      for (const place of [1, 2]) {
        await alice.click(`#make-group-form .people > li:nth-child(${place}) input`);
      }
      await alice.click('#make-group');
      await untilCount(alice, MEMBER, 3);
      for (const action of ['end-admin', 'leave']) {
        await chooseFor(alice, member(1), action);
        await alice.tab.waitFor('[id^="last-admin-"]', PATIENCE_MS);
        expect(await alice.tab.text('[id^="last-admin-"]'))
          .to.include('You are the only admin')
          .and.include('Make another member an admin first');
        expect(await countOf(alice, `${MEMBER} .button-danger`)).to.equal(0);
      }
      await sent(alice, bob, 3);
      expect(await countOf(bob, MENUS)).to.equal(0);
    });

    it('gets a second one by a key whose words both compare', async () => {
      await bob.click('#show-own-admin');
      const shown = await wordsIn(bob, '#own-admin-words');
      const key = await bob.tab.text('#own-admin-key');

      expect(await alice.tab.text(member(2)))
        .to.include('Bob')
        .and.not.include('Admin');
      await chooseFor(alice, member(2), 'make-admin');
      expect(await alice.tab.text('[id^="make-admin-"]')).to.include(
        'An admin adds and removes members',
      );
      await alice.type('[id^="admin-key-"]', key.slice(0, -1));
      await alice.click('[id^="make-admin-"] [type="submit"]');
      await alice.tab.waitFor('[id^="admin-key-"][aria-invalid="true"]', PATIENCE_MS);
      expect(await countOf(alice, '[id^="admin-match-"]')).to.equal(0);
      await fill(alice.tab, 'input[id^="admin-key-"]', `Here it is: ${key}`);
      expect(await wordsIn(alice, '[id^="admin-words-"]')).to.equal(shown);
      await alice.click('[id^="admin-match-"]');
      await alice.tab.waitFor(`${member(2)} .row-detail`, PATIENCE_MS);
      expect(await countOf(alice, '[id^="last-admin-"]')).to.equal(0);
      expect(await newestChange(alice))
        .to.include('Signed by you')
        .and.match(/New admins\s*Bob/);

      await sent(alice, bob, 3);
      await bob.tab.waitFor(`${member(1)} .row-detail`, PATIENCE_MS);
      expect(await bob.tab.text(member(1)))
        .to.include('You')
        .and.include('Admin');
      expect(await countOf(bob, MENUS)).to.equal(3);
    });

    it('is changed by the second, and the first follows', async () => {
      await doFor(bob, member(3), 'remove');
      await untilCount(bob, MEMBER, 2);
      await sent(bob, alice, 2);
      expect(await newestChange(alice))
        .to.include('Signed by Bob')
        .and.match(/Removed\s*Eva/);
      const sealed = await sealedForGroup(alice, 'Without Eva', { alone: true });
      await bob.drop({ name: 'sealed.txt', bytes: bytesOf(sealed) });
      expect(await opened(bob)).to.equal('Without Eva');
    });

    it('is changed by both at the same time, and one joins that for both', async () => {
      await bob.click('#nav-contacts');
      await addContact(bob, 'Dan');
      for (const person of [alice, bob]) {
        await atGroups(person);
        await person.click(FOLDED);
        await person.click('[id^="add-swg1"]');
        await person.click('#group-list form [type="submit"]');
        await untilCount(person, MEMBER, 3);
      }
      await sent(bob, alice, 4);
      await alice.tab.waitFor('[id^="group-fork-"]', PATIENCE_MS);
      expect(await countOf(alice, MENUS)).to.equal(0);
      await alice.click('#group-list .actions .button-primary');
      await untilCount(alice, '[id^="group-fork-"]', 0);
      await sent(alice, bob, 4);
      expect(await countOf(bob, '[id^="group-fork-"]')).to.equal(0);
      for (const person of [alice, bob]) {
        expect(await newestChange(person)).to.include('It joins changes');
      }
      expect(await newestWords(bob)).to.equal(await newestWords(alice));
    });

    it('has one admin again, who cannot leave, after the other’s right was taken back', async () => {
      expect(await bob.tab.text(member(2)))
        .to.include('Alice')
        .and.include('Admin');
      await doFor(bob, member(2), 'end-admin');
      await untilCount(bob, `${member(2)} .row-detail`, 0);
      expect(await newestChange(bob)).to.match(/No longer admins\s*Alice/);
      await sent(bob, alice, 4);
      await untilCount(alice, MENUS, 0);
      expect(await alice.tab.text(member(1))).to.equal('You');
      await chooseFor(bob, member(1), 'leave');
      await bob.tab.waitFor('[id^="last-admin-"]', PATIENCE_MS);
    });

    it('is left by an admin where another one stays', async () => {
      await alice.click('#show-own-admin');
      await wordsIn(alice, '#own-admin-words');
      const key = await alice.tab.text('#own-admin-key');
      await chooseFor(bob, member(2), 'make-admin');
      await bob.paste('[id^="admin-key-"]', key);
      await bob.click('[id^="admin-match-"]');
      await bob.tab.waitFor(`${member(2)} .row-detail`, PATIENCE_MS);
      await doFor(bob, member(1), 'leave');
      await bob.tab.waitFor('#group-list .state-warning', PATIENCE_MS);
      expect(await bob.tab.text('#group-list .state-warning')).to.equal(
        'You are no longer a member.',
      );
      await sent(bob, alice, 3);
      await alice.tab.waitFor(MENUS, PATIENCE_MS);
      expect(await alice.tab.text('#group-list .confirm .rows')).to.not.include('Bob');
    });
  });
}
