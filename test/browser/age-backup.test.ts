import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import { BROWSERS } from './drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from './scene.ts';
import { keepDownloads, lastDownload, PASSPHRASE } from './steps.ts';

for (const browser of BROWSERS) {
  describe(`a backup for an age recipient, in ${browser}`, () => {
    let scene: Scene;
    let folder: string;

    before(async () => {
      [scene, folder] = await Promise.all([
        openVaultScene(browser),
        mkdtemp(join(tmpdir(), 'sealwright-age-')),
      ]);
    });
    after(async () => {
      await closeScene(scene);
      await rm(folder, { recursive: true });
    });

    it('opens with that identity, here and by the library', async () => {
      const { session } = scene;
      const identity = await generateX25519Identity();
      const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
      await manager.waitFor('#make-age-backup');
      await keepDownloads(manager);
      await manager.type('#age-current', PASSPHRASE);
      await manager.type('#age-recipients', 'age1nobody');
      await manager.click('#make-age-backup');
      await manager.waitFor('#age-recipients[aria-invalid="true"]', 30_000);
      await manager.type('#age-recipients', `, ${await identityToRecipient(identity)}`);
      await manager.evaluate(() => {
        const field = document.querySelector<HTMLInputElement>('#age-recipients')!;
        field.value = field.value.replace('age1nobody, ', '');
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await manager.click('#make-age-backup');
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
      await manager.evaluate(() => {
        const field = document.querySelector<HTMLInputElement>('#backup-secret')!;
        field.value = '';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await manager.type('#backup-secret', identity);
      await manager.click('#check-backup');
      await manager.waitFor('#backup-report', 30_000);
      await manager.close();
    });
  });
}
