import { readFileSync } from 'node:fs';
import { Encrypter, armor } from 'age-encryption';
import { expect } from 'chai';
import { utf8 } from '../../../src/crypto/bytes.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import {
  generateIdentity,
  openingWith,
  sealingTo,
  type SharingIdentity,
} from '../../../src/format/recipients/sharing.ts';
import { armor as lineArmor } from '../../../src/format/wire/armor.ts';
import { webArmor, webUnarmor } from '../../../src/format/wire/web-armor.ts';
import { encodeRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import { withKey } from '../../../src/release/drop-page.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { keepDownloads, lastDownload } from '../steps.ts';
import {
  PAGE,
  PASSPHRASE,
  asFile,
  headings,
  onDisk,
  onServer,
  openIn,
  openedText,
  paste,
  problem,
  savedName,
  sealedWithWords,
  shownWords,
  wordsOf,
  type Place,
} from './page-steps.ts';

const SECRET = utf8('Meet me at nine');

function ageFile(contents: Uint8Array, workFactor = 10): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt(contents);
}

for (const browser of BROWSERS) {
  describe(`the page open.html in ${browser}`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let identity: SharingIdentity;

    before(async () => {
      [session, identity] = await Promise.all([launch(browser), generateIdentity()]);
    });
    after(() => session.close());

    for (const [where, placed] of Object.entries({ 'file:': onDisk, 'http:': onServer })) {
      describe(`from ${where}`, () => {
        let place: Place;
        let tab: Tab;

        before(async () => {
          place = await placed();
        });
        beforeEach(async () => {
          tab = await openIn(session, place.address);
        });
        afterEach(() => tab.close());
        after(() => place.close());

        it('opens a text from a mail in four actions: the page, the text, the words, Enter', async () => {
          const mail = `Hello,\n> ${webArmor(await sealedWithWords(SECRET))}\nAda`;
          await paste(tab, '#open-text', mail);
          await tab.type('#open-passphrase', PASSPHRASE);
          await tab.press('Enter');
          expect(await openedText(tab)).to.equal('Meet me at nine');
          // Every person who knows the words can have made it.
          expect(await tab.text('#opened-sender')).to.include('knows the passphrase');
          expect(await tab.evaluate(() => document.querySelector('#opened-name'))).to.equal(null);
        });

        it('takes six words as they were told, with spaces and a capital', async () => {
          await paste(tab, '#open-text', webArmor(await sealedWithWords(SECRET)));
          const told = PASSPHRASE.replaceAll('-', ' ');
          await tab.type('#open-passphrase', told[0]!.toUpperCase() + told.slice(1));
          await tab.press('Enter');
          expect(await openedText(tab)).to.equal('Meet me at nine');
        });

        it('opens a file, and says how it is called before it is saved', async () => {
          const file = { name: 'plan.txt', type: 'text/plain' };
          const path = asFile('plan.sealed', await sealedWithWords(SECRET, file));
          await tab.chooseFile('#open-file', path);
          await tab.type('#open-passphrase', PASSPHRASE);
          await tab.click('#open-now');
          await tab.waitFor('#opened');
          expect(await tab.text('#opened-name')).to.equal('plan.txt');
          expect(await tab.text('#opened-type')).to.equal('text/plain');
          expect(await tab.text('#opened-saved')).to.equal('');
          await keepDownloads(tab);
          await tab.click('#save-opened');
          expect(await savedName(tab)).to.include('plan.txt');
          expect(await lastDownload(tab)).to.deep.equal(SECRET);
        });

        it('opens what age -p makes, as a file and as text', async () => {
          const age = await ageFile(SECRET);
          await tab.chooseFile('#open-file', asFile('plan.txt.age', age));
          await tab.type('#open-passphrase', PASSPHRASE);
          await tab.click('#open-now');
          expect(await openedText(tab)).to.equal('Meet me at nine');
          expect(await tab.text('#opened-name')).to.equal('plan.txt');
          await paste(tab, '#open-text', armor.encode(age));
          await tab.click('#open-now');
          expect(await openedText(tab)).to.equal('Meet me at nine');
        });

        it('seals a reply to the key in its address in five actions, and shows the six words first', async () => {
          const reply = await openIn(session, `${place.address}#${identity.publicKey}`);
          expect(await shownWords(reply)).to.deep.equal(wordsOf(identity));
          await reply.type('#seal-text', 'At nine');
          await reply.click('#seal-now');
          await reply.waitFor('#sealed-text');
          const sealed = webUnarmor(
            await reply.evaluate(
              () => document.querySelector<HTMLTextAreaElement>('#sealed-text')!.value,
            ),
          );
          const how = { purpose: 'stream', accept: 'shared', ...openingWith([identity]) } as const;
          expect(await openMessage(how, sealed)).to.deep.equal(utf8('At nine'));
          await reply.close();
        });

        it('makes a copy with a key in it, which seals first, to that key alone', async () => {
          await paste(tab, '#open-text', identity.publicKey);
          await tab.click('#open-now');
          await tab.waitFor('#save-drop-page');
          await keepDownloads(tab);
          await tab.click('#save-drop-page');
          const copy = await lastDownload(tab);
          const expected = withKey(readFileSync(PAGE, 'utf8'), identity.publicKey);
          expect(new TextDecoder().decode(copy)).to.equal(expected);
          const other = await generateIdentity();
          const dropped = await openIn(
            session,
            `${new URL(`file://${asFile('mine.html', copy)}`).href}#${other.publicKey}`,
          );
          expect(await shownWords(dropped)).to.deep.equal(wordsOf(identity));
          expect((await headings(dropped))[0]).to.equal('Send what only one person can read');
          await dropped.close();
        });

        it('asks for nothing', async () => {
          const violations = await tab.evaluate(() => {
            const found: string[] = [];
            addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
              found.push(`${violatedDirective} ${blockedURI}`),
            );
            Object.assign(globalThis, { found });
            return performance.getEntriesByType('resource').map(({ name }) => name);
          });
          await paste(tab, '#open-text', webArmor(await sealedWithWords(SECRET)));
          await tab.type('#open-passphrase', PASSPHRASE);
          await tab.press('Enter');
          await openedText(tab);
          const after = await tab.evaluate(() => [
            ...performance
              .getEntriesByType('resource')
              .map(({ name }) => name)
              // The worker, which is made of the page's own script.
              .filter((name) => !name.startsWith('blob:')),
            ...(globalThis as unknown as { found: string[] }).found,
          ]);
          expect([...violations, ...after]).to.deep.equal([]);
          expect([...new Set(place.requests)]).to.deep.equal(
            place.requests.length === 0 ? [] : ['/open.html'],
          );
        });
      });
    }

    describe('refuses', () => {
      let tab: Tab;
      beforeEach(async () => {
        tab = await openIn(session, onDisk().address);
      });
      afterEach(() => tab.close());

      /** @returns the notice; nothing is offered */
      async function refused(
        contents: Uint8Array | string,
        passphrase = PASSPHRASE,
      ): Promise<string> {
        const path = asFile('a.sealed', typeof contents === 'string' ? utf8(contents) : contents);
        await tab.chooseFile('#open-file', path);
        await paste(tab, '#open-passphrase', passphrase);
        await tab.click('#open-now[aria-disabled="false"]');
        const words = await problem(tab);
        expect(await tab.evaluate(() => document.querySelector('#opened'))).to.equal(null);
        return words;
      }

      it('other words, and what is cut off or changed: nothing of it is offered', async () => {
        // Two chunks of 1 MiB: the first would be whole.
        const message = new Uint8Array(1_500_000).fill(65);
        const sealed = await sealedWithWords(message, { name: 'a.txt', type: '' });
        expect(await refused(sealed, '')).to.include('Enter your passphrase');
        expect(await refused(sealed, 'abacus abacus')).to.include('does not open it');
        expect(await refused(sealed.subarray(0, sealed.length - 1))).to.include('damaged');
        expect(await refused(sealed.subarray(0, 1_100_000))).to.include('damaged');
        const changed = sealed.slice();
        changed[changed.length - 1]! ^= 1;
        expect(await refused(changed)).to.include('damaged');
        const age = await ageFile(new Uint8Array(100_000));
        expect(await refused(age, 'abacus abacus')).to.include('does not open it');
        expect(await refused(age.subarray(0, age.length - 1))).to.include('damaged');
        // As it was, it opens.
        await tab.chooseFile('#open-file', asFile('a.sealed', sealed));
        await tab.click('#open-now');
        await tab.waitFor('#opened');
      });

      it('more work than is accepted, before any is done', async () => {
        await tab.evaluate(() => {
          const { Worker: Before } = globalThis;
          globalThis.Worker = class extends Before {
            constructor(address: string | URL) {
              super(address);
              document.documentElement.dataset.workers = 'some';
            }
          };
        });
        const sealed = await sealedWithWords(SECRET);
        // Behind header, length, type, id and length of the entry: the memory, in KiB.
        const at = Buffer.from(sealed).indexOf(Buffer.from([0, 0, 0x4c, 0]));
        const costly = sealed.slice();
        costly.set([0xff, 0xff, 0xff, 0xff], at);
        expect(await refused(costly)).to.include('outside of safe bounds');
        const age = Buffer.from(await ageFile(SECRET)).toString('latin1');
        const slow = Buffer.from(age.replace(/(-> scrypt \S+) 10\n/, '$1 30\n'), 'latin1');
        expect(await refused(slow)).to.include('outside of safe bounds');
        expect(await tab.evaluate(() => document.documentElement.dataset.workers)).to.equal(
          undefined,
        );
      });

      it('backups, recovery codes, identities and keys, and removes them', async () => {
        const backup = 'SWBK\u0001\u0001';
        const keyFile = '{ "format": "sealwright-key/1", "key": "AQgPFh0k" }';
        const ageIdentity = `# created: today\nAGE-SECRET-KEY-1${'Q'.repeat(58)}\n`;
        const pgp = '-----BEGIN PGP PRIVATE KEY BLOCK-----\n';
        for (const secret of [backup, keyFile, ageIdentity, pgp]) {
          expect(await refused(secret), secret).to.include('never takes one');
        }
        const sealed = await sealedWithWords(SECRET);
        const code = encodeRecoveryCode(new Uint8Array(16).fill(9)).toLowerCase();
        expect(await refused(sealed, code)).to.include('never takes one');
        expect(await refused(`${code}\n`)).to.include('never takes one');
        const left = await tab.evaluate(() => [
          document.querySelector<HTMLInputElement>('#open-passphrase')!.value,
          document.querySelector<HTMLInputElement>('#open-file')!.files!.length,
        ]);
        expect(left).to.deep.equal(['', 0]);
        expect(await tab.text('#never')).to.include('never takes a backup, a recovery code');
      });

      it('what was sealed for a key, and what it does not know', async () => {
        const { publicKey } = identity;
        const options = { purpose: 'stream', ...sealingTo([publicKey]) } as const;
        const forKey = await sealMessage(options, SECRET);
        expect(await refused(forKey, '')).to.include('sealed for a key');
        expect(await refused(lineArmor(forKey), '')).to.include('sealed for a key');
        expect(await refused('Dear Ada, nothing is sealed here.')).to.include('does not know');
        expect(await refused('age-encryption.org/v1\n-> X25519 abc\ndef\n--- ghi\n')).to.include(
          'sealed for a key',
        );
      });

      it('a damaged key in its address', async () => {
        const other = await openIn(session, `${onDisk().address}#swp1.AAAA`);
        await other.waitFor('#key-problem');
        expect(await other.evaluate(() => document.querySelector('#seal-now'))).to.equal(null);
        await other.close();
      });
    });

    it('shows hostile names and types as text, and gives files no type', async () => {
      const tab = await openIn(session, onDisk().address);
      const hostile = '../..\\evil\u202etxt.exe<img src=x onerror=alert(1)>';
      const contents = utf8('<script>document.title = "run"</script>');
      const file = { name: hostile, type: 'text/html' };
      await tab.chooseFile('#open-file', asFile('a', await sealedWithWords(contents, file)));
      await tab.type('#open-passphrase', PASSPHRASE);
      await tab.click('#open-now');
      await tab.waitFor('#opened');
      const name = await tab.text('#opened-name');
      expect(name).to.not.match(/[/\\<>:\u202e]/);
      expect(await tab.text('#opened-text')).to.equal('<script>document.title = "run"</script>');
      await keepDownloads(tab);
      await tab.click('#save-opened');
      await savedName(tab);
      const shown = await tab.evaluate(() => ({
        type: (globalThis as { lastDownload?: Blob }).lastDownload!.type,
        active: document.querySelectorAll('#app :is(img, script, iframe, object, embed)').length,
        title: document.title,
      }));
      expect(shown).to.deep.equal({ type: '', active: 0, title: 'Sealwright' });
      const sly = { name: 'a', type: 'checked by Sealwright' };
      await tab.chooseFile('#open-file', asFile('b', await sealedWithWords(SECRET, sly)));
      await tab.click('#open-now');
      expect(await openedText(tab)).to.equal('Meet me at nine');
      expect(await tab.evaluate(() => document.querySelector('#opened-type'))).to.equal(null);
      await tab.close();
    });

    it('seals a file with its name for the owner of the key', async () => {
      const tab = await openIn(session, `${onDisk().address}#${identity.publicKey}`);
      await keepDownloads(tab);
      await tab.chooseFile('#seal-file', asFile('plan.txt', SECRET));
      await tab.click('#seal-now');
      await tab.waitFor('#seal-saved');
      expect(await tab.text('#seal-saved')).to.include('plan.txt.sealed');
      const how = { purpose: 'stream', accept: 'shared', ...openingWith([identity]) } as const;
      expect(await openMessage(how, await lastDownload(tab))).to.deep.equal(SECRET);
      await tab.close();
    });

    it('is used by keyboard alone', async () => {
      const tab = await openIn(session, onDisk().address);
      await tab.evaluate(() => document.querySelector<HTMLElement>('#language')!.focus());
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        await tab.press('Tab');
        ids.push(await tab.evaluate(() => document.activeElement!.id));
        if (ids.at(-1) === 'open-text') {
          await tab.typeAtFocus(webArmor(await sealedWithWords(SECRET)));
        }
        if (ids.at(-1) === 'open-passphrase') await tab.typeAtFocus(PASSPHRASE);
      }
      expect(ids).to.deep.equal(['open-file', 'open-text', 'open-passphrase', '', 'open-now']);
      await tab.press('Enter');
      expect(await openedText(tab)).to.equal('Meet me at nine');
      expect(await tab.evaluate(() => document.activeElement!.id)).to.equal('opened-title');
      await tab.close();
    });
  });
}
