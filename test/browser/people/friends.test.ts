import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generateIdentity } from '../../../src/format/recipients/sharing.ts';
import type { SharingIdentity } from '../../../src/format/recipients/sharing.ts';
import { parseRequest } from '../../../src/keys/recovery/recovery-messages.ts';
import { answerOf } from '../../keys/recovery/deal.ts';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { createVault, keepDownloads, lastDownload, PASSPHRASE } from '../steps.ts';
import { PATIENCE_MS, Person } from './person.ts';

/** Clicks, chosen files, and typed and pasted fields of a recovery by three of five friends, of all four people. */
const ACTIONS_MAX = 25;
/** What a friend does: the screen, the text, the button, the passphrase with Enter, and the copy of the answer. */
const ACTIONS_OF_FRIEND = 5;

/** A person whose screens have texts to copy and to paste, each of which is an action. */
class Friend extends Person {
  static async at(session: BrowserSession): Promise<Friend> {
    const tab = await session.newTab(session.extensionUrl('manager.html'));
    await tab.waitFor('#nav-friends', PATIENCE_MS);
    await keepDownloads(tab);
    return new Friend(tab);
  }

  /** Its fields take a text when the event of a paste comes. */
  override async paste(selector: string, text: string): Promise<void> {
    await this.tab.waitFor(selector, PATIENCE_MS);
    await this.tab.evaluate(pasteInto, selector, text);
    this.actions++;
  }

  /** The passphrase, and Enter: one action. */
  async confirm(): Promise<void> {
    await this.type('#current-passphrase', PASSPHRASE);
    await this.tab.press('Enter');
    await this.tab.waitUntil(() => document.querySelector('dialog') === null, {
      timeoutMs: PATIENCE_MS,
    });
  }

  /** A text that is shown to be copied. */
  async copy(id: string): Promise<string> {
    await this.tab.waitFor(`#${id}-text`, PATIENCE_MS);
    this.actions++;
    return this.tab.text(`#${id}-text`);
  }

  async words(id: string): Promise<string> {
    await this.tab.waitFor(`#${id}[aria-busy="false"]`, PATIENCE_MS);
    return this.tab.text(`#${id}`);
  }
}

/** Two profiles are real people; the other four friends have a key alone. */
for (const browser of BROWSERS) {
  describe(`recovery by friends, in ${browser}`, function () {
    this.timeout(240_000);
    let ownerSession: BrowserSession;
    let friendSession: BrowserSession;
    let others: readonly SharingIdentity[];
    let owner: Friend;
    let friend: Friend;
    let folder: string;
    let path: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-friends-'));
      path = join(folder, 'mine.recovery');
      [ownerSession, friendSession] = await Promise.all([launch(browser), launch(browser)]);
      for (const session of [ownerSession, friendSession]) await createVault(session);
      others = await Promise.all(Array.from({ length: 4 }, () => generateIdentity()));
      [owner, friend] = [await Friend.at(ownerSession), await Friend.at(friendSession)];
    });

    after(async () => {
      await ownerSession.close();
      await friendSession.close();
      await rm(folder, { recursive: true });
    });

    /** The owner and the friend know each other; the owner has the others' keys. */
    async function befriend(): Promise<void> {
      const ownKey = await publicKeyOf(friend);
      const keyOfOwner = await publicKeyOf(owner);
      await addContact(friend, 'Olga', keyOfOwner);
      await addContact(owner, 'Fritz', ownKey);
      for (const [i, { publicKey }] of others.entries()) {
        await addContact(owner, `Friend ${i}`, publicKey);
      }
    }

    it('makes a file for five friends, and says what that means', async () => {
      await befriend();
      await owner.click('#nav-friends');
      await owner.tab.waitFor('#deal-friends', PATIENCE_MS);
      expect(
        await owner.tab.evaluate(
          () => document.querySelectorAll('[id^="friend-"][type="checkbox"]').length,
        ),
      ).to.equal(5);
      for (const i of [1, 2, 3, 4, 5]) {
        await owner.click(`#deal-friends .choice:nth-of-type(${i}) input`);
      }
      expect(await owner.tab.text('#friends-risk')).to.include('Any 3 of them together');
      expect(await owner.tab.text('#friends-uncompared')).to.include('Fritz');
      await owner.click('#make-recovery-file');
      await owner.confirm();
      await owner.tab.waitFor('#friends-made', PATIENCE_MS);
      expect(await owner.tab.text('#friends-made')).to.include('.recovery');
      await writeFile(path, await lastDownload(owner.tab));
      expect(await owner.tab.text('#dealt-friends')).to.include('3 of 5');
    });

    it('proves in a drill that a friend can still help', async () => {
      await owner.choose('#drill-file', path);
      await owner.click('#begin-drill');
      const request = await owner.copy('drill-request');
      await friend.click('#nav-friends');
      await friend.paste('#friend-request', request);
      await friend.tab.waitFor('#request-shown', PATIENCE_MS);
      expect(await friend.tab.text('#request-dealer')).to.include('Olga');
      await friend.click('#answer-request');
      await friend.confirm();
      await owner.paste('#drill-answer', await friend.copy('friend-answer'));
      await owner.tab.waitUntil(
        () => /Could still help on/.test(document.querySelector('#friends')!.textContent),
        { timeoutMs: PATIENCE_MS },
      );
    });

    it(`gives everything back in a new profile, in ${ACTIONS_MAX} actions of all`, async () => {
      await ownerSession.close();
      ownerSession = await launch(browser);
      await createVault(ownerSession);
      owner = await Friend.at(ownerSession);
      friend = await Friend.at(friendSession);

      await owner.click('#nav-friends');
      await owner.choose('#ask-file', path);
      await owner.type('#ask-name', 'Olga');
      await owner.click('#begin-asking');
      const request = await owner.copy('recovery-request');
      const words = await owner.words('recovery-words');

      await friend.click('#nav-friends');
      await friend.paste('#friend-request', request);
      await friend.tab.waitFor('#request-words', PATIENCE_MS);
      expect(await friend.words('request-words')).to.equal(words);
      expect(await friend.tab.text('#request-name')).to.include('Olga');
      expect(await friend.tab.text('#request-dealer')).to.include('Olga');
      expect(await friend.tab.text('#call-them')).to.include('Call them');
      await friend.click('#answer-request');
      await friend.confirm();
      const answers = [await friend.copy('friend-answer')];
      expect(friend.actions).to.equal(ACTIONS_OF_FRIEND);

      const read = parseRequest(request);
      const byOthers = await Promise.all(others.map((identity) => firstAnswer(identity, read)));
      answers.push(...byOthers.slice(0, 2));
      for (const [i, answer] of answers.entries()) {
        await owner.paste('#recovery-answer', answer);
        await owner.tab.waitUntil(
          (count) =>
            new RegExp(`so far: ${count}\\.`).test(
              document.querySelector('#friends-answered')!.textContent,
            ),
          { timeoutMs: PATIENCE_MS },
          i + 1,
        );
      }
      await owner.click('#restore-by-friends');
      await owner.tab.waitFor('#friends-restored', PATIENCE_MS);
      const actions = owner.actions + 3 * ACTIONS_OF_FRIEND;
      expect(actions).to.be.at.most(ACTIONS_MAX);
      await owner.tab.click('#nav-contacts');
      await owner.tab.waitUntil(() => document.querySelectorAll('#contacts > li').length === 5, {
        timeoutMs: PATIENCE_MS,
      });
    });

    it('refuses a text that was cut off, in words', async () => {
      await friend.tab.reload();
      await friend.paste('#friend-request', 'swr1.AAAA');
      await friend.tab.waitFor('#friend-request[aria-invalid="true"]', PATIENCE_MS);
      expect(await friend.tab.text('#friend-request-error')).to.include('a piece of it is missing');
    });
  });
}

/** Runs in the manager. Firefox takes no data of a paste from scripts. */
function pasteInto(selector: string, text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'clipboardData', { value: clipboardData });
  document.querySelector(selector)!.dispatchEvent(event);
}

/** The key that others seal to, which the person's first invitation makes. */
async function publicKeyOf({ tab }: Friend): Promise<string> {
  await tab.click('#nav-contacts');
  await tab.waitFor('#invite-save', PATIENCE_MS);
  await tab.click('#invite-save');
  await tab.waitUntil(() => document.querySelector('#own-public-key-text') !== null, {
    timeoutMs: PATIENCE_MS,
  });
  return tab.evaluate(() => document.querySelector('#own-public-key-text')!.textContent);
}

async function addContact({ tab }: Friend, name: string, publicKey: string): Promise<void> {
  await tab.waitFor('#contact-key', PATIENCE_MS);
  await tab.evaluate(pasteInto, '#contact-key', `Name: ${name}\n${publicKey}`);
  await tab.waitUntil(
    (wanted) =>
      Array.from(document.querySelectorAll('#contacts .row-title')).some(
        ({ textContent }) => textContent === wanted,
      ),
    { timeoutMs: PATIENCE_MS },
    name,
  );
}

/** The answer of a friend who finds their share by trying. */
async function firstAnswer(
  identity: SharingIdentity,
  request: ReturnType<typeof parseRequest>,
): Promise<string> {
  for (let index = 1; index <= request.facts.count; index++) {
    const answer = await answerOf(identity, index, request).catch(() => undefined);
    if (answer !== undefined) return answer;
  }
  throw new Error('No share of the file is for this friend');
}
