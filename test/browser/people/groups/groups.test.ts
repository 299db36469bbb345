import { expect } from 'chai';
import { epochText } from '../../../../src/format/groups/epoch.ts';
import { groupFileText, parseGroupFile } from '../../../../src/format/groups/group-file.ts';
import {
  createGroup,
  groupAdmin,
  openGroup,
} from '../../../../src/format/groups/sharing-groups.ts';
import { generateIdentity } from '../../../../src/format/recipients/sharing.ts';
import { publicKeyText } from '../../../../src/format/wire/public-key.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import type { BrowserSession, Tab } from '../../drivers/driver.ts';
import { BROWSERS, launch } from '../../drivers/launch.ts';
import * as fieldSteps from '../../field-steps.ts';
import { serve, type TestServer } from '../../server.ts';
import { chooseAction, fill } from '../../steps.ts';
import { textIn, type Contact, type Saved } from '../contact.ts';
import { PATIENCE_MS } from '../person.ts';
import {
  atGroups,
  bytesOf,
  countOf,
  doFor,
  FOLDED,
  friends,
  MEMBER,
  opened,
  sealedForGroup,
  untilCount,
} from './group-steps.ts';

/** Two people who made each other contacts, and the group of one of them. */
for (const browser of BROWSERS) {
  describe(`a group of two people, in ${browser}`, function () {
    this.timeout(180_000);
    let aliceSession: BrowserSession;
    let bobSession: BrowserSession;
    let alice: Contact;
    let bob: Contact;
    let server: TestServer;
    let madeFile: Saved;

    before(async () => {
      [aliceSession, bobSession] = [await launch(browser), await launch(browser)];
      server = await serve('test/browser/fixtures');
      [alice, bob] = await friends(aliceSession, bobSession);
    });

    after(async () => {
      await aliceSession.close();
      await bobSession.close();
      await server.close();
    });

    const pageOf = (session: BrowserSession) => session.newTab(`${server.origin}/fields.html`);

    it('opens the text of a field for its members, and leads to the group file where that is needed', async () => {
      await alice.click('#nav-contacts');
      await alice.type('#group-name', 'Chor');
      await alice.click('#make-group-form .people input');
      await alice.click('#make-group');
      await alice.click('[id^="group-save-"]');
      madeFile = await alice.saved();
      expect(madeFile.name).to.equal('Chor.group.txt');

      const site = await pageOf(aliceSession);
      await site.evaluate(() => document.querySelector<HTMLElement>('#area')!.focus());
      const window = await fieldSteps.write(aliceSession, site, 'Bring a chair');
      await window.click('#audience-people');
      await window.click('[id^="to-swg1"]');
      await window.click('#me-too'); // its writer opens it as a member, too
      await window.click('#seal-insert');
      await window.waitFor('#sealed-inserted');
      await fieldSteps.closed(aliceSession, window);
      const sealed = await site.evaluate(
        () => document.querySelector<HTMLTextAreaElement>('#area')!.value,
      );
      expect(sealed).to.match(/^swt1[a-z2-9]{200,}0$/);
      expect(await site.evaluate(() => document.documentElement.outerHTML)).to.not.include('chair');

      const bobSite = await pageOf(bobSession);
      await bobSite.evaluate((text) => {
        document.querySelector('#texts')!.textContent = text;
      }, sealed);
      const unknown = await fieldSteps.fieldSession(bobSession, bobSite, 'open');
      await unknown.waitFor('.not-opened');
      expect(await unknown.text('.not-opened')).to.include(
        'Ask an admin of the group for the newest group file',
      );
      await unknown.click('.add-group-file');
      await bob.tab.waitUntil(() => document.activeElement?.id === 'group-file', {
        timeoutMs: PATIENCE_MS,
      });
      await fieldSteps.allClosed(bobSession);
      await bob.paste('#group-text', textIn(madeFile));
      await bob.click('#take-group');
      await bob.tab.waitFor(`${MEMBER}:nth-child(2)`, PATIENCE_MS);
      for (const [session, page] of [
        [bobSession, bobSite],
        [aliceSession, site],
      ] as const) {
        expect(await openedIn(session, page)).to.equal('Bring a chair');
        await page.close();
      }
    });

    it('opens a text for its members, and after a removal for those who stayed', async () => {
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
      await doFor(alice, `${MEMBER}:nth-child(2)`, 'remove');
      await alice.tab.waitFor('[id^="group-changed-"]', PATIENCE_MS);
      await untilCount(alice, MEMBER, 1);
      await alice.click('[id^="group-save-"]');
      const changed = await alice.saved();

      const second = await sealedForGroup(alice, 'Rehearsal at seven', { alone: true });
      await alice.drop({ name: 'second.txt', bytes: bytesOf(second) });
      expect(await opened(alice)).to.equal('Rehearsal at seven');
      await bob.drop({ name: 'second.txt', bytes: bytesOf(second) });
      const refused = '.banner-error:has(.add-group-file)';
      await bob.tab.waitFor(refused, PATIENCE_MS);
      expect(await bob.tab.text(refused)).to.include(
        'Ask an admin of Chor for the newest group file',
      );

      await bob.click('.add-group-file');
      await bob.tab.waitUntil(() => document.activeElement?.id === 'group-file', {
        timeoutMs: PATIENCE_MS,
      });
      await bob.paste('#group-text', textIn(changed));
      await bob.click('#take-group');
      await bob.tab.waitFor('#group-list .state-warning', PATIENCE_MS);
      expect(await bob.tab.text('#group-list .state-warning')).to.equal(
        'You are no longer a member.',
      );
      await bob.click('#nav-write');
      await bob.click('#audience-people');
      await bob.tab.waitFor('[id^="to-swg1"]:disabled', PATIENCE_MS);
      await bob.drop({ name: 'second.txt', bytes: bytesOf(second) });
      await bob.tab.waitFor('.banner-error', PATIENCE_MS);
      expect(await bob.tab.text('.banner-error')).to.include('members of Chor when it was sealed');
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

    it('tells its history, and what to do where two admins changed it at the same time', async () => {
      const ben = await otherAdmin(textIn(madeFile));
      const at = (name: string) => `[id="${name}-${ben.id}"]`;
      const row = `#group-list > li:has(${at('group')})`;
      const gone = (selector: string) =>
        alice.tab.waitUntil(
          (wanted) => document.querySelector(wanted) === null,
          { timeoutMs: PATIENCE_MS },
          selector,
        );
      await alice.click('#nav-contacts');
      await alice.paste('#group-text', ben.file());
      await alice.click('#take-group');
      await alice.tab.waitFor(at('group'), PATIENCE_MS);
      const take = async (epoch: string) => {
        await alice.paste('#group-text', `${ben.id}\n${epoch}`);
        await alice.click('#take-group');
        await alice.tab.waitFor(at('group-fork'), PATIENCE_MS);
        return alice.tab.text(at('group-fork'));
      };
      const join = async () => {
        await alice.click(`${at('group')} .actions .button-primary`);
        await gone(at('group-fork'));
        await alice.click(at('group-save'));
        await ben.take(textIn(await alice.saved()));
      };

      // Both add a member: sealing goes on, and the next change has to join both.
      const added = await ben.addsSomeone();
      await alice.click(`${at('group')} form .people input`);
      await alice.click(`${at('group')} form .button[type="submit"]`);
      await alice.tab.waitFor(at('group-changed'), PATIENCE_MS);
      expect(await take(added)).to.include('Join these changes before you change the group again');
      expect(await alice.tab.text(row)).to.include('Members: 5');
      expect(await countOf(alice, `${at('group')} form`)).to.equal(0);
      await join();

      // One removes a member: senders wait.
      const more = await ben.addsSomeone();
      const place = (number: number) => `${at('group')} .rows > .row:nth-child(${number})`;
      expect(await alice.tab.text(place(2))).to.include('Bob');
      await doFor(alice, place(2), 'remove');
      await gone(place(5));
      expect(await take(more)).to.include('You cannot seal for this group until an admin joins');
      expect(await alice.tab.text(`${row} .state-warning`)).to.include('at the same time');
      await join();

      await alice.click(`${at('history')} > summary`);
      await alice.tab.waitFor(`${at('history')} .change`, PATIENCE_MS);
      const titles = await alice.tab.evaluate(
        (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent),
        `${at('history')} .change .row-title`,
      );
      expect(titles).to.deep.equal([
        ...['Change 4', 'Change 3', 'Change 3', 'Change 2', 'Change 1', 'Change 1'],
        'The group was made',
      ]);
      const history = await alice.tab.text(at('history'));
      for (const words of ['Signed by you', 'It joins changes', 'Added', 'Removed', 'Bob']) {
        expect(history).to.include(words);
      }
      // The words of the first change are those that an admin is asked for.
      const compared = await alice.tab.text(`${at('group')} > div > bdi`);
      expect(compared.split(' ')).to.have.length(6);
      const ofFirst = `${at('history')} .change:last-child dd:last-child`;
      expect(await alice.tab.text(ofFirst)).to.equal(compared);
    });
  });
}

/** A group of Alice, Ben and another member, of which Ben, who has no browser, is an admin beside Alice. */
async function otherAdmin(fileOfAlice: string) {
  const [first] = (await parseGroupFile(fileOfAlice)).epochs;
  const alice = first!.members.find(({ adminKey }) => adminKey)!;
  const [ben, member, admin] = await Promise.all([
    generateIdentity(),
    generateIdentity(),
    groupAdmin(randomBytes(32)),
  ]);
  const keyOf = (bytes: Uint8Array) => publicKeyText({ type: 'Ed25519', bytes });
  const members = [
    {
      publicKey: publicKeyText({ type: 'X-Wing', bytes: alice.publicKey }),
      adminKey: keyOf(alice.adminKey!),
    },
    { publicKey: ben.publicKey, adminKey: keyOf(admin.publicKey) },
    { publicKey: member.publicKey },
  ];
  const { id, epoch } = await createGroup(members, admin);
  let epochs: readonly string[] = [epoch];
  return {
    id,
    file: () => groupFileText({ name: 'Two admins', id, epochs }),
    take: async (text: string) => {
      epochs = (await parseGroupFile(text)).epochs.map(epochText);
    },
    /** @returns the epoch, which Ben does not keep */
    addsSomeone: async () => {
      const { publicKey } = await generateIdentity();
      const group = await openGroup({ id, epochs, identities: [ben] });
      return group.change({ add: [{ publicKey }] }, admin);
    },
  };
}

/** The sealed text of a page, opened in the window about it. */
async function openedIn(session: BrowserSession, page: Tab): Promise<string> {
  const window = await fieldSteps.fieldSession(session, page, 'open');
  await window.waitFor('.opened', PATIENCE_MS);
  const text = await window.text('.opened');
  await fieldSteps.closed(session, window);
  return text;
}
