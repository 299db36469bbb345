import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { answerPrompt, createVault, openEnabledSite } from '../steps.ts';
import { probeBridge, probeEndings, PROBE_WORKER } from './worker-probe.ts';

/* examples/streams and examples/worker as a person uses them, and the lines of their READMEs. */

/** In the page: what was saved, and how: what a file picker or a download would have kept. */
interface Saved {
  name: string;
  way: 'picker' | 'download';
  blob: Blob;
}
type World = typeof globalThis & {
  saved?: Saved;
  aborted?: boolean;
  showSaveFilePicker: unknown;
  sealwright: { openStream: () => TransformStream<Uint8Array, Uint8Array> };
};

const MESSAGE = Buffer.alloc(3 * 2 ** 20 + 77, 'Sealwright and a prime 251 ');

/** Puts a file picker into the page that keeps what is saved, or takes the browser's own away. */
async function choosePicker(site: Tab, hasPicker: boolean): Promise<void> {
  await site.evaluate((wanted) => {
    const world = globalThis as World;
    delete world.saved;
    world.aborted = false;
    const picker = ({ suggestedName: name }: { suggestedName: string }) => {
      const parts: BlobPart[] = [];
      const file = new WritableStream<Uint8Array<ArrayBuffer>>({
        write: (piece) => void parts.push(piece),
        close: () => void (world.saved = { name, way: 'picker', blob: new Blob(parts) }),
        abort: () => void (world.aborted = true),
      });
      return Promise.resolve({ createWritable: () => Promise.resolve(file) });
    };
    world.showSaveFilePicker = wanted ? picker : undefined;
    URL.createObjectURL = (blob) => {
      world.saved = { name: '', way: 'download', blob: blob as Blob };
      return 'about:blank';
    };
    HTMLAnchorElement.prototype.click = function () {
      world.saved!.name = this.download;
    };
  }, hasPicker);
}

/** What the page has saved, and under which name. */
async function savedBy(site: Tab): Promise<{ name: string; way: string; bytes: Buffer }> {
  const { base64, ...rest } = await site.evaluate(async () => {
    const { name, way, blob } = (globalThis as World).saved!;
    const url = await new Promise<string>((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result as string);
      reader.readAsDataURL(blob);
    });
    return { name, way, base64: url.slice(url.indexOf(',') + 1) };
  });
  return { ...rest, bytes: Buffer.from(base64, 'base64') };
}

for (const browser of BROWSERS) {
  describe(`examples, in ${browser}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-streams-'));
    const plain = join(folder, 'letter.txt');
    const sealed = join(folder, 'letter.txt.sealed');
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    /** Chooses a file and clicks; resolves with what the page says in the end. */
    const used = async (path: string, button: '#seal' | '#open'): Promise<string> => {
      await site.evaluate(() => (document.querySelector('#message')!.textContent = ''));
      await site.chooseFile('#file', path);
      await site.click(`${button}:enabled`);
      await site.waitUntil(() => document.querySelector('#message')!.textContent !== '', {
        timeoutMs: 60_000,
      });
      return await site.text('#message');
    };

    before(async () => {
      writeFileSync(plain, MESSAGE);
      [session, server] = await Promise.all([launch(browser), serve('examples', folder)]);
      await createVault(session);
      site = await openEnabledSite(session, `${server.origin}/streams/index.html`);
    });

    after(async () => {
      await closeScene({ session, server });
      rmSync(folder, { recursive: true });
    });

    it('asks for permission, and only then for a file', async () => {
      expect(await site.evaluate(() => document.querySelector('input')!.disabled)).to.equal(true);
      await site.click('#connect');
      await answerPrompt(session);
      await site.waitUntil(() => !document.querySelector('input')!.disabled);
      expect(await site.text('#message')).to.equal('Choose a file.');
    });

    for (const hasPicker of [true, false]) {
      it(`seals a file and opens it, ${hasPicker ? 'piped into the picked file' : 'as a download'}`, async () => {
        const way = hasPicker ? 'picker' : 'download';
        await choosePicker(site, hasPicker);
        expect(await used(plain, '#seal')).to.equal('Sealed: letter.txt.sealed');
        const closed = await savedBy(site);
        expect(closed).to.include({ name: 'letter.txt.sealed', way });
        expect(closed.bytes.length).to.be.above(MESSAGE.length);
        expect(closed.bytes.includes('Sealwright and a prime')).to.equal(false);
        writeFileSync(sealed, closed.bytes);
        await choosePicker(site, hasPicker);
        expect(await used(sealed, '#open')).to.equal('Opened: letter.txt');
        const opened = await savedBy(site);
        expect(opened).to.include({ name: 'letter.txt', way });
        expect(Buffer.compare(opened.bytes, MESSAGE)).to.equal(0);
      });
    }

    it('says what is wrong with an altered file, and keeps nothing of it', async () => {
      const altered = join(folder, 'altered.sealed');
      const { bytes } = await savedBy(site);
      writeFileSync(altered, bytes);
      await choosePicker(site, true);
      expect(await used(altered, '#open')).to.equal('This is not a sealed file.');
      const cut = join(folder, 'cut.sealed');
      await choosePicker(site, true);
      await used(plain, '#seal');
      writeFileSync(cut, (await savedBy(site)).bytes.subarray(0, 2 ** 21));
      await choosePicker(site, true);
      expect(await used(cut, '#open')).to.match(/^This file was altered, cut off/);
      const kept = await site.evaluate(() => {
        const { saved, aborted } = globalThis as World;
        return { saved: saved !== undefined, aborted };
      });
      expect(kept).to.deep.equal({ saved: false, aborted: true });
    });

    it('opens what is fetched without ever holding the file, as its README says', async () => {
      const opened = await site.evaluate(async () => {
        const { body } = await fetch('/letter.txt.sealed');
        const { sealwright } = globalThis as World;
        const hash = await crypto.subtle.digest(
          'SHA-256',
          await new Response(body!.pipeThrough(sealwright.openStream())).arrayBuffer(),
        );
        return [...new Uint8Array(hash)];
      });
      expect(opened).to.deep.equal([...createHash('sha256').update(MESSAGE).digest()]);
    });

    describe('a page and its worker', () => {
      const waitFor = (text: string) =>
        site.waitUntil(
          (wanted) => document.querySelector('#message')!.textContent === wanted,
          {},
          text,
        );

      before(async () => {
        mkdirSync(join(folder, 'worker'));
        await build({
          entryPoints: ['dist/lib/client.js'],
          outfile: join(folder, 'worker/sealwright.js'),
          bundle: true,
          format: 'esm',
        });
        writeFileSync(join(folder, 'worker/probe.js'), PROBE_WORKER);
        site = await openEnabledSite(session, `${server.origin}/worker/index.html`);
      });

      it('seal lines and look for words in them', async () => {
        await site.click('#connect');
        await waitFor('Write a few lines.');
        await site.type('#lines', 'Bread and butter');
        await site.click('#seal');
        await waitFor('Sealed, 1 lines in all.');
        await site.type('#words', 'butter');
        await waitFor('1 found.');
        expect(await site.text('#found li')).to.equal('Bread and butter');
      });

      it('have the same Sealwright: bytes, Blobs, streams, errors and aborts', async () => {
        expect(await site.evaluate(probeBridge)).to.deep.equal({
          opened: [1, 2, 3],
          batch: [2, 'AUTH_FAILED or BAD_ENVELOPE'],
          blob: 'a Blob',
          streamed: 300_000,
          refused: ['SealwrightError', 'NOT_GRANTED', false],
          cutOff: ['SealwrightError', 'AUTH_FAILED or BAD_ENVELOPE'],
          aborted: 'AbortError',
          kept: 3,
          agreed: [1, 2, 3],
          refusedKey: 'InvalidAccessError',
        });
      });

      it('leave nothing behind when the worker is terminated', async () => {
        const ends = { before: 'held', call: 'aborted', stream: 'aborted' };
        expect(await site.evaluate(probeEndings)).to.deep.equal(ends);
      });
    });

    it('the demo says what came of a button beside it, and offers what works', async () => {
      const demo = await session.newTab(`${server.origin}/demo/index.html`);
      const isOff = (id: string) =>
        demo.evaluate((wanted) => document.querySelector<HTMLButtonElement>(wanted)!.disabled, id);
      const said = (id: string) =>
        demo.evaluate((wanted) => {
          const button = document.querySelector(wanted)!;
          return button.closest('section')!.querySelector('.said:not(:empty)')?.textContent ?? '';
        }, id);
      await demo.waitFor('#state[data-state="found"], #state[data-state="connected"]');
      if (!(await isOff('#revoke'))) await demo.click('#revoke');
      await demo.waitFor('#connect.primary');
      expect(await isOff('#seal-text'), 'nothing is allowed').to.equal(true);
      await demo.click('#connect');
      await answerPrompt(session);
      await demo.waitFor('#state[data-state="connected"]');
      await demo.waitFor('#connect:not(.primary)');
      const primary = () =>
        demo.evaluate(() => [...document.querySelectorAll('.primary')].map(({ id }) => id));
      expect(await isOff('#seal'), 'no file is chosen').to.equal(true);
      expect(await primary()).to.deep.equal(['seal-text']);
      await demo.chooseFile('#file', plain);
      await demo.waitUntil(() => !document.querySelector<HTMLButtonElement>('#seal')!.disabled);
      expect(await primary()).to.deep.equal(['seal', 'seal-text']);
      await demo.chooseFile('#sealed-file', plain);
      await demo.click('#open:enabled');
      await demo.waitFor('.said[data-code="BAD_ENVELOPE"]');
      expect(await said('#open')).to.match(/^This is not something/);
      const isBeside = () =>
        document.querySelector('#open')!.closest('section')!.querySelector('#progress') !== null;
      expect(await demo.evaluate(isBeside), 'its progress').to.equal(true);
      await demo.click('#seal-text');
      await demo.waitFor('#open-text:enabled');
      expect(await said('#seal-text')).to.equal('Sealed the text.');
      expect(await primary()).to.deep.equal(['seal', 'open', 'open-text']);
      await demo.close();
    });
  });
}
