import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { peakExtraBytes } from '../drivers/memory.ts';
import {
  asFile,
  onServer,
  openIn,
  PASSPHRASE,
  paste,
  sealedWithWords,
  type Place,
} from './page-steps.ts';

const MIB = 2 ** 20;
const BYTES = 100 * MIB;
/**
 * Of all processes of the browser together, beyond what a short file needs. Chromium collects buffers when there are some dozen
 * of them, whatever the length of the file.
 */
const EXTRA_BYTES = { chromium: 80 * MIB, firefox: 50 * MIB };

function contents(): Uint8Array {
  const bytes = new Uint8Array(BYTES);
  for (let at = 0; at < BYTES; at += 4096) bytes.fill(at >> 12, at, at + 4096);
  return bytes;
}

for (const browser of BROWSERS) {
  describe(`a file of 100 MiB in the page open.html, in ${browser}`, function () {
    this.timeout(300_000);
    let session: BrowserSession;
    let place: Place;
    let tab: Tab;
    let path: string;
    let digest: string;

    before(async () => {
      const bytes = contents();
      digest = createHash('sha256').update(bytes).digest('hex');
      const file = { name: 'film.mp4', type: 'video/mp4' };
      path = asFile('film.mp4.sealed', await sealedWithWords(bytes, file));
      // Of a server: files of the origin, with which the test saves, are not there for file:.
      [session, place] = await Promise.all([launch(browser), onServer()]);
      tab = await openIn(session, place.address);
    });
    after(async () => {
      await session.close();
      await place.close();
    });

    it('is opened and saved in memory that does not grow with it', async () => {
      await paste(tab, '#open-passphrase', PASSPHRASE);
      // What the page and its worker need for any file.
      const small = await sealedWithWords(new Uint8Array(9 * MIB));
      await tab.chooseFile('#open-file', asFile('small.sealed', small));
      await tab.click('#open-now');
      await tab.waitFor('#opened');
      const opening = await peakExtraBytes(async () => {
        await tab.chooseFile('#open-file', path);
        await tab.click('#open-now');
        await tab.waitUntil(
          () => document.querySelector('#opened-name')?.textContent === 'film.mp4',
          { timeoutMs: 120_000 },
        );
      });
      expect(await tab.text('#opened-name')).to.equal('film.mp4');
      const isPicked = browser === 'chromium';
      await tab.evaluate((picks) => {
        const kept = globalThis as unknown as { saved?: () => Promise<Blob> };
        if (picks) {
          // As the save picker, which a person answers: a file of the origin.
          Object.assign(globalThis, {
            showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
              const root = await navigator.storage.getDirectory();
              const handle = await root.getFileHandle(suggestedName, { create: true });
              kept.saved = () => handle.getFile();
              return handle;
            },
          });
          return;
        }
        const inner = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (blob) => {
          kept.saved = () => Promise.resolve(blob as Blob);
          return inner(blob);
        };
      }, isPicked);
      const saving = await peakExtraBytes(async () => {
        await tab.click('#save-opened');
        await tab.waitUntil(() => document.querySelector('#opened-saved')!.textContent !== '', {
          timeoutMs: 120_000,
        });
      });
      const saved = await tab.evaluate(async () => {
        const blob = await (globalThis as unknown as { saved: () => Promise<Blob> }).saved();
        const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
        return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      });
      expect(saved).to.equal(digest);
      expect(opening.browser).to.be.at.most(EXTRA_BYTES[browser]);
      expect(saving.browser).to.be.at.most(EXTRA_BYTES[browser]);
    });
  });
}
