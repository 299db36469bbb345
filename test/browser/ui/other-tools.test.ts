import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  armor,
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { expect } from 'chai';
import { withKey } from '../../../src/release/drop-page.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { Tab } from '../drivers/driver.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { sjcl } from '../../support/references/sjcl.ts';
import { paste } from '../open-page/page-steps.ts';
import { confirmPassphrase, keepDownloads, lastDownload, PASSPHRASE } from '../steps.ts';

for (const browser of BROWSERS) {
  describe(`files of other tools and for them, in ${browser}`, () => {
    let scene: Scene;
    let folder: string;
    let identity: string;

    before(async () => {
      [scene, folder] = await Promise.all([
        openVaultScene(browser),
        mkdtemp(join(tmpdir(), 'sealwright-age-')),
      ]);
      identity = await generateX25519Identity();
    });
    after(async () => {
      await closeScene(scene);
      await rm(folder, { recursive: true });
    });

    const openManager = async (screen: string, ready: string): Promise<Tab> => {
      const { session } = scene;
      const manager = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
      await manager.waitFor(ready);
      return manager;
    };

    it('backups for an age recipient open with its identity, here and by the library', async () => {
      const manager = await openManager('backup', '#advanced-backup');
      await manager.click('#advanced-backup > summary');
      await keepDownloads(manager);
      await manager.type('#age-recipients', 'age1nobody');
      await manager.click('#make-age-backup');
      await confirmPassphrase(manager);
      await manager.waitFor('#age-recipients[aria-invalid="true"]', 30_000);
      await manager.type('#age-recipients', `, ${await identityToRecipient(identity)}`);
      await manager.evaluate(() => {
        const field = document.querySelector<HTMLInputElement>('#age-recipients')!;
        field.value = field.value.replace('age1nobody, ', '');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await manager.click('#make-age-backup');
      await confirmPassphrase(manager);
      await manager.waitFor('#age-backup-made', 30_000);
      const file = await lastDownload(manager);
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      expect(await decrypter.decrypt(file, 'text')).to.include('sealwright-backup/1');

      await writeFile(join(folder, 'backup.age'), file);
      await manager.chooseFile('#backup-file', join(folder, 'backup.age'));
      await manager.type('#backup-secret', PASSPHRASE);
      await manager.click('#check-backup');
      await manager.waitFor('#backup-secret[aria-invalid="true"]', 30_000);
      await empty(manager, '#backup-secret');
      await manager.type('#backup-secret', identity);
      await manager.click('#check-backup');
      await manager.waitFor('#backup-report', 30_000);
      await manager.close();
    });

    it('identities are imported, and open such a backup, and files, with nothing typed', async () => {
      const path = join(folder, 'identity.age');
      await writeFile(path, await encrypted((file) => file.setPassphrase('of the file'), identity));
      const keys = await openManager('keys', '#advanced-keys');
      await keys.click('#advanced-keys > summary');
      await keys.click('#import-age-title');
      await keys.chooseFile('#import-age-file', path);
      await keys.waitFor('#import-age-passphrase');
      await keys.type('#import-age-passphrase', 'of the file');
      await keys.type('#import-age-label', 'Laptop of 2021');
      await keys.click('#import-age-now');
      await keys.waitFor('#keys > li:nth-child(2) .show-public-key', 30_000);
      await keys.click('#keys > li:nth-child(2) .show-public-key');
      await keys.waitFor('[data-public-key]');
      const recipient = await identityToRecipient(identity);
      expect(await keys.text('[data-public-key]')).to.equal(recipient);
      await keys.close();

      const backup = await openManager('backup', '#check-backup');
      await backup.chooseFile('#backup-file', join(folder, 'backup.age'));
      await backup.click('#check-backup');
      await backup.waitFor('#backup-report', 30_000);
      await backup.close();

      const files = await openManager('files', '#open-file-now');
      await writeFile(
        join(folder, 'letter.age'),
        await encrypted((file) => file.addRecipient(recipient), 'The other box.'),
      );
      await files.chooseFile('#open-file', join(folder, 'letter.age'));
      await files.click('#open-file-now');
      await files.waitFor('pre.opened', 30_000);
      expect(await files.text('pre.opened')).to.equal('The other box.');
      expect(await files.text('#opened-sender')).to.include('Laptop of 2021');
      await files.close();
    });

    it('age files are sealed to recipients of both kinds, as files and as texts', async () => {
      const path = join(folder, 'photo.bin');
      const contents = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 31) >> 3);
      await writeFile(path, contents);
      const hybrid = await generateHybridIdentity();
      const recipients = await Promise.all([identity, hybrid].map(identityToRecipient));
      const files = await openManager('files', '#audience-age');
      await keepDownloads(files);
      await files.chooseFile('#seal-file', path);
      await files.click('#audience-age');
      await paste(files, '#seal-age-recipients', recipients.join(', '));
      await files.click('#seal-file-now');
      await files.waitFor('#seal-age-recipients[aria-invalid="true"]', 30_000);
      for (const [i, key] of [identity, hybrid].entries()) {
        await paste(files, '#seal-age-recipients', recipients[i]!);
        await files.click('#seal-file-now');
        await files.waitUntil(() => 'lastDownload' in globalThis, { timeoutMs: 30_000 });
        expect(await files.text('#file-sealed')).to.include('photo.bin.age');
        expect(await opened(await lastDownload(files), key)).to.deep.equal(contents);
        await files.evaluate(() => Reflect.deleteProperty(globalThis, 'lastDownload'));
      }
      await files.close();

      const write = await openManager('write', '#audience-age');
      await write.type('#write-text', 'Grüße 🌻');
      await write.click('#audience-age');
      await paste(write, '#seal-age-recipients', recipients[1]!);
      await write.click('#write-seal');
      await write.waitFor('#written', 30_000);
      const text = await write.evaluate(
        () => document.querySelector<HTMLTextAreaElement>('#written')!.value,
      );
      const letter = await opened(armor.decode(text), hybrid);
      expect(new TextDecoder().decode(letter)).to.equal('Grüße 🌻');
      await write.close();
    });

    it('age files that came to a sharing key open with it, and others say so', async () => {
      const contacts = await openManager('contacts', '#invite-save');
      await contacts.click('#invite-save');
      await contacts.waitFor('#advanced-own-key', 30_000);
      await contacts.click('#advanced-own-key > summary');
      await contacts.waitFor('#own-age-recipient');
      const recipient = await contacts.evaluate(
        () => document.querySelector('#own-age-recipient')!.textContent,
      );
      expect(recipient).to.match(/^age1pq1[a-z0-9]{1952}$/);
      await contacts.close();

      const files = await openManager('files', '#open-file-now');
      const sealed = await encrypted((file) => file.addRecipient(recipient), 'For you alone.');
      await paste(files, '#open-text', armor.encode(sealed));
      await files.click('#open-file-now');
      await files.waitUntil(() => document.querySelector('pre.opened') !== null, {
        timeoutMs: 30_000,
      });
      expect(await files.text('pre.opened')).to.equal('For you alone.');
      await files.waitFor('#opened-sender');

      await files.reload();
      await files.waitFor('#open-file-now');
      await writeFile(join(folder, 'changed.age'), sealed.with(-1, sealed.at(-1)! ^ 1));
      await files.chooseFile('#open-file', join(folder, 'changed.age'));
      await files.click('#open-file-now');
      await files.waitUntil(
        () => document.querySelector('#open-file-error')?.textContent.includes('damaged') === true,
        { timeoutMs: 30_000 },
      );
      const stranger = await identityToRecipient(await generateHybridIdentity());
      await writeFile(
        join(folder, 'stranger.age'),
        await encrypted((file) => file.addRecipient(stranger), 'x'),
      );
      await files.chooseFile('#open-file', join(folder, 'stranger.age'));
      await files.click('#open-file-now');
      await files.waitUntil(
        () => document.querySelector('#open-file-error')?.textContent.includes('identity') === true,
        { timeoutMs: 30_000 },
      );
      expect(await files.evaluate(() => document.querySelector('pre.opened') === null)).to.equal(
        true,
      );
      await files.close();
    });

    it('the page for people without Sealwright is saved with the own key in it', async () => {
      const contacts = await openManager('contacts', '#save-drop-page');
      await keepDownloads(contacts);
      await contacts.click('#save-drop-page');
      await contacts.waitUntil(() => 'lastDownload' in globalThis, { timeoutMs: 30_000 });
      const publicKey = await contacts.evaluate(
        () => document.querySelector('#own-public-key-text')!.textContent,
      );
      expect(publicKey).to.match(/^swp1\./);
      const released = await readFile('dist/open.html', 'utf8');
      const saved = new TextDecoder().decode(await lastDownload(contacts));
      expect(saved).to.equal(withKey(released, publicKey));
      await contacts.close();
    });

    it('data of SJCL opens with its passphrase, and is sealed with a key of the vault', async () => {
      const files = await openManager('files', '#open-file-now');
      await files.type('#open-text', sjcl.encrypt('of 2011', 'Grüße', { mode: 'ocb2' }));
      await files.click('#open-file-now');
      await files.waitFor('#open-secret[aria-invalid="true"]', 30_000);
      await files.type('#open-secret', 'of 2012');
      await files.click('#open-file-now');
      await files.waitUntil(
        () => document.querySelector('#open-secret-error')!.textContent.includes('changed'),
        { timeoutMs: 30_000 },
      );
      await empty(files, '#open-secret');
      await files.type('#open-secret', 'of 2011');
      await files.click('#open-file-now');
      await files.waitFor('#opened-forgeable', 30_000);
      expect(await files.text('pre.opened')).to.equal('Grüße');
      await files.click('#seal-again');
      await files.waitFor('#sealed-text');
      const sealed = await files.evaluate(
        () => document.querySelector<HTMLTextAreaElement>('#sealed-text')!.value,
      );
      await files.reload();
      await files.waitFor('#open-text');
      await files.type('#open-text', sealed);
      await files.click('#open-file-now');
      await files.waitFor('pre.opened', 30_000);
      expect(await files.text('pre.opened')).to.equal('Grüße');
      await files.close();
    });
  });
}

/** As its user would. */
const empty = (tab: Tab, selector: string): Promise<void> => paste(tab, selector, '');

/** By the library. */
function opened(file: Uint8Array, identity: string): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(file);
}

/** An age file by the library, cheap to open. */
async function encrypted(forWhom: (file: Encrypter) => void, contents: string) {
  const file = new Encrypter();
  file.setScryptWorkFactor(12);
  forWhom(file);
  return file.encrypt(contents);
}
