import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { IN_MEMORY_BYTES } from '../../../extension/platform/storage/file-sink.ts';
import { NAMED_KEY_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import { entryBytes, sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { poll } from '../drivers/page-function.ts';
import { sealedIn, write } from '../field-steps.ts';
import { dropOn, openFiles, sealAndOpen, unfinishedFiles } from '../file-steps.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import {
  bytes,
  connect,
  keepDownloads,
  lastDownload,
  lockVault,
  PASSPHRASE,
  succeed,
  unlockVault,
} from '../steps.ts';

const PLAIN = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256);
/** More than stays in memory (extension/platform/storage/file-sink.ts). */
const LARGE_BYTES = 17 * 2 ** 20 + 3;
/** Longer than most files are: tried at night alone. */
const LONGEST_BYTES = 200_000_000;
/** Of the files that are saved: in memory and on disk, and at night their neighbours. */
const SAVED_BYTES = IS_NIGHTLY
  ? [1024, IN_MEMORY_BYTES - 1024, IN_MEMORY_BYTES + 1, LARGE_BYTES, LONGEST_BYTES]
  : [1024, LARGE_BYTES];
const PATIENCE_MS = 30_000;

const SHARING = {
  purpose: 'Letters',
  key: { kind: 'sharing', label: 'Letters' },
  capabilities: ['seal', 'open', 'publicKey'],
};

type Bytes = ReturnType<typeof bytes>;

/** What of window.sealwright is called here beside what `steps.ts` calls. */
interface Sealwright {
  readonly sealStream: (options?: object) => TransformStream<Uint8Array, Uint8Array>;
}
declare const sealwright: Sealwright;

/** What may happen after a file was saved, and how long its temporary file may stay then. */
const ENDS: Readonly<
  Record<string, { happen: (s: BrowserSession, tab: Tab) => Promise<unknown>; waitMs: number }>
> = {
  // The browser may still be saving.
  'other screen': { happen: (_, tab) => tab.click('#nav-keys'), waitMs: 75_000 },
  lock: { happen: lockVault, waitMs: 10_000 },
  close: { happen: (_, tab) => tab.close(), waitMs: 15_000 },
};

for (const browser of BROWSERS) {
  describe(`sealed files in the manager, in ${browser}`, function () {
    this.timeout(120_000);
    let scene: Scene & { readonly site: Tab };
    let folder: string;
    let manager: Tab;

    before(async () => {
      [scene, folder] = await Promise.all([
        openSharedSiteScene(browser),
        mkdtemp(join(tmpdir(), 'sealwright-files-')),
      ]);
      await connect(scene.session, scene.site);
    });
    after(async () => {
      await rm(folder, { recursive: true });
      await closeSharedSiteScene(scene);
    });
    beforeEach(async () => {
      manager = await openFiles(scene.session);
    });
    afterEach(() => manager.close());

    const saved = async (name: string, contents: Uint8Array): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, contents);
      return path;
    };
    const choose = async (name: string, contents: Uint8Array): Promise<void> => {
      await manager.chooseFile('#open-file', await saved(name, contents));
      await manager.click('#open-file-now');
    };
    /** What was opened, as its owner saves it. */
    const opened = async (): Promise<Uint8Array> => {
      await manager.waitFor('#save-opened', PATIENCE_MS);
      await manager.click('#save-opened');
      return lastDownload(manager);
    };
    const refused = async (words: string): Promise<void> => {
      await manager.waitUntil(
        (wanted) =>
          document.querySelector('#open-file-error')?.textContent.includes(wanted) ?? false,
        { timeoutMs: PATIENCE_MS },
        words,
      );
    };
    const sealedByPage = async (...args: unknown[]): Promise<Uint8Array> => {
      const sealed = (await succeed(scene.site, 'seal', bytes(...PLAIN), ...args)) as Bytes;
      return Uint8Array.from(sealed.$bytes);
    };

    it('open what a page sealed, and name its site', async () => {
      await choose('holiday.png.sealed', await sealedByPage());
      expect(await opened()).to.deep.equal(PLAIN);
      expect(await manager.text('#opened-site')).to.include(new URL(scene.server.origin).host);
      expect(await manager.text('#opened-key')).to.include('only this site');
    });

    it('open what a page sealed as a stream, and as text', async () => {
      const streamed = await scene.site.evaluate(
        async (plain) => {
          const source = new Blob([Uint8Array.from(plain)]).stream();
          const sealed = source.pipeThrough(sealwright.sealStream());
          return [...new Uint8Array(await new Response(sealed).arrayBuffer())];
        },
        [...PLAIN],
      );
      await choose('stream.sealed', Uint8Array.from(streamed));
      expect(await opened()).to.deep.equal(PLAIN);
      const armored = (await succeed(scene.site, 'sealText', 'Grüße')) as string;
      await manager.reload();
      await manager.waitFor('#open-text');
      await manager.type('#open-text', `> ${armored}`);
      await manager.click('#open-file-now');
      await manager.waitFor('pre.opened', PATIENCE_MS);
      expect(await manager.text('pre.opened')).to.equal('Grüße');
    });

    it('open what was sealed in a field', async () => {
      const page = await scene.session.newTab(`${scene.server.origin}/fields.html`);
      await page.click('#area');
      const window = await write(scene.session, page, 'Meet me at the old mill');
      await window.click('#seal-copy');
      await window.waitFor('#sealed-text');
      const armored = await sealedIn(window);
      await window.close();
      await page.close();
      await choose('letter.txt', new TextEncoder().encode(armored));
      await manager.waitFor('pre.opened', PATIENCE_MS);
      expect(await manager.text('pre.opened')).to.equal('Meet me at the old mill');
      expect(await manager.text('#opened-site')).to.include(new URL(scene.server.origin).host);
    });

    it('open what was sealed to a public key, whole and as a stream', async () => {
      const outcome = await connect(scene.session, scene.site, SHARING);
      const [grant] = (outcome as unknown as { value: readonly { keyId: string }[] }).value;
      const to = [(await succeed(scene.site, 'publicKey', grant!.keyId)) as string];
      const streamed = await scene.site.evaluate(
        async (plain, options) => {
          const source = new Blob([Uint8Array.from(plain)]).stream();
          const sealed = source.pipeThrough(sealwright.sealStream(options));
          return [...new Uint8Array(await new Response(sealed).arrayBuffer())];
        },
        [...PLAIN],
        { to },
      );
      await choose('shared.sealed', await sealedByPage({ to }));
      expect(await opened()).to.deep.equal(PLAIN);
      // Anyone could have made it, and the window says so.
      expect(await manager.text('#opened-sender')).to.include('Letters');
      await manager.reload();
      await manager.waitFor('#open-file-now');
      await keepDownloads(manager);
      await choose('film.sealed', Uint8Array.from(streamed));
      expect(await opened()).to.deep.equal(PLAIN);
    });

    it('ask for the context of a message, as text or in hexadecimal digits', async () => {
      await choose('letter.sealed', await sealedByPage({ context: 'letter 7' }));
      await manager.waitFor('#context', PATIENCE_MS);
      expect(await manager.text('#context-needed')).to.include('Only the site knows');
      await manager.type('#context', 'letter');
      await manager.click('#open-file-now');
      await manager.waitUntil(
        () =>
          document.querySelector('#context-error')?.textContent.includes('with this context') ??
          false,
        { timeoutMs: PATIENCE_MS },
      );
      await manager.type('#context', ' 7');
      await manager.click('#open-file-now');
      expect(await opened()).to.deep.equal(PLAIN);
      const next = await saved('next.sealed', await sealedByPage({ context: 'letter 7' }));
      await manager.chooseFile('#open-file', next);
      await manager.waitUntil(() => document.querySelector('#context') === null);
      // The page became shorter: the button may stand below the header, which stays in sight.
      await manager.evaluate(() =>
        document.querySelector('#open-file-now')!.scrollIntoView({ block: 'center' }),
      );
      await manager.click('#open-file-now');
      await manager.waitFor('#context', PATIENCE_MS);
      await manager.click('#context-kind-hex');
      await manager.type('#context', '6c 65 74 74 65 72 20 37');
      await manager.click('#open-file-now');
      expect(await opened()).to.deep.equal(PLAIN);
    });

    it('are refused in words that help', async () => {
      const sealed = await sealedByPage();
      await choose('cut.sealed', sealed.slice(0, -5));
      await refused('damaged');
      await choose('other.sealed', sealed.with(12, sealed[12]! ^ 1));
      await refused('another vault');
      await choose('photo.jpg', PLAIN);
      await refused('What opens here');
      await choose('backup.swbackup', new TextEncoder().encode('SWBK and more'));
      await refused('screen for backups');
    });

    it('are sealed and opened when they do not fit into memory, byte for byte', async () => {
      const plain = new Uint8Array(LARGE_BYTES);
      for (let i = 0; i < plain.length; i += 4096) plain[i] = i / 4096;
      const length = await sealAndOpen(manager, await saved('film.mp4', plain));
      // Recipients: the owner's key, and the name of the file in attributes of 128 bytes.
      const recipientsBytes = entryBytes(NAMED_KEY_RECIPIENT) + 19 + 128 + 16;
      expect(length).to.equal(sealedLength(LARGE_BYTES, { recipientsBytes }));
      expect(await manager.text('#file-sealed')).to.include('film.mp4.sealed');
      expect(await manager.text('#opened-bytes')).to.include('too much to show');
      await manager.click('#save-opened');
      const same = await manager.evaluate(async () => {
        const { lastDownload: blob } = globalThis as { lastDownload?: Blob };
        const found = new Uint8Array(await blob!.arrayBuffer());
        const isSame = found.every((byte, i) => byte === (i % 4096 ? 0 : (i / 4096) % 256));
        return isSame ? found.length : -1;
      });
      expect(same).to.equal(LARGE_BYTES);
    });

    it('leave nothing where the work is cancelled, or its tab is closed half-way', async () => {
      const path = await saved('film.mp4', new Uint8Array(LARGE_BYTES));
      const working = async (tab: Tab): Promise<void> => {
        await tab.evaluate(holdThirdWrite);
        await tab.chooseFile('#seal-file', path);
        await tab.click('#seal-file-now[aria-disabled="false"]');
        await tab.waitUntil(() => 'isHeld' in globalThis, { timeoutMs: PATIENCE_MS });
      };
      const before = await unfinishedFiles(manager);
      await working(manager);
      await manager.waitFor('#seal-file-working .stamping');
      await manager.click('#seal-file-cancel');
      await manager.evaluate(() => (globalThis as { letGo?: () => void }).letGo!());
      await manager.waitUntil(() => document.querySelector('#seal-file-working') === null, {
        timeoutMs: PATIENCE_MS,
      });
      expect(await manager.evaluate(() => 'lastDownload' in globalThis)).to.equal(false);
      expect(await unfinishedFiles(manager)).to.equal(before);
      const other = await openFiles(scene.session);
      await working(other);
      await other.close();
      // The manager removes at its start what no tab holds.
      let left = -1;
      for (let tries = 0; left !== 0 && tries < 100; tries++) {
        await manager.reload();
        await manager.waitFor('#open-file-now');
        left = await unfinishedFiles(manager);
      }
      expect(left).to.equal(0);
    });

    for (const size of SAVED_BYTES) {
      for (const [event, { happen, waitMs }] of Object.entries(ENDS)) {
        it(`of ${size} bytes that were saved are in no temporary file after: ${event}`, async () => {
          const { session } = scene;
          const tab = await openFiles(scene.session);
          await sealAndOpen(tab, await saved('diary', new Uint8Array(size).fill(0x41)));
          await tab.click('#save-opened');
          const before = await unfinishedFiles(manager);
          expect(before > 0, `${before} before`).to.equal(size > IN_MEMORY_BYTES);
          await happen(session, tab);
          await poll(`no file after: ${event}`, waitMs, async () => {
            return (await unfinishedFiles(manager)) === 0 || undefined;
          });
          if (event === 'lock') await unlockVault(session);
          if (event !== 'close') await tab.close();
        });
      }
    }

    it('are taken when they are dropped on any screen, and after an unlock', async () => {
      const sealed = await sealedByPage();
      const { session } = scene;
      const keys = await session.newTab(session.extensionUrl('manager.html#keys'));
      await keys.waitFor('#nav-keys');
      await dropOn(keys, 'holiday.png.sealed', sealed);
      await keys.waitFor('#save-opened', PATIENCE_MS);
      await dropOn(keys, 'photo.jpg', PLAIN);
      await keys.waitUntil(
        () =>
          document.querySelector<HTMLInputElement>('#seal-file')?.files?.[0]?.name === 'photo.jpg',
        { timeoutMs: PATIENCE_MS },
      );
      await lockVault(session);
      await keys.waitFor('#unlock', PATIENCE_MS);
      await dropOn(keys, 'holiday.png.sealed', sealed);
      await keys.type('#passphrase', PASSPHRASE);
      await keys.click('#unlock');
      await keys.waitFor('#save-opened', PATIENCE_MS);
      await keys.close();
    });
  });
}

for (const browser of BROWSERS) {
  describe(`an opened file on the disk, in ${browser}`, function () {
    this.timeout(120_000);

    /** Whether a file of the profile has what only the opened file has. */
    async function holdsDiary(profile: string): Promise<boolean> {
      for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const content = await readFile(join(entry.parentPath, entry.name)).catch(() => undefined);
        if (content?.includes(Buffer.alloc(4096, 0x41)) === true) return true;
      }
      return false;
    }

    const lengths = IS_NIGHTLY ? [LARGE_BYTES, LONGEST_BYTES] : [LARGE_BYTES];
    for (const size of lengths) {
      it(`is gone at the start after a crash, before any page of the extension was shown: ${size} bytes`, async () => {
        const scene = await openVaultScene(browser);
        const folder = await mkdtemp(join(tmpdir(), 'sealwright-crash-'));
        let { session } = scene;
        let profile: string | undefined;
        try {
          const path = join(folder, 'diary');
          await writeFile(path, new Uint8Array(size).fill(0x41));
          const tab = await openFiles(session);
          await sealAndOpen(tab, path);
          expect(await unfinishedFiles(tab)).to.be.above(0);
          profile = await session.crash();
          expect(await holdsDiary(profile), 'after the crash').to.equal(true);
          session = await launch(browser, { profile });
          // The manager would remove it, too; the popup does not.
          const popup = await session.newTab(session.extensionUrl('popup.html'));
          await poll('the end of the file', PATIENCE_MS, async () => {
            return (await unfinishedFiles(popup)) === 0 || undefined;
          });
          expect(await holdsDiary(profile), 'after the next start').to.equal(false);
        } finally {
          await closeScene({ ...scene, session });
          for (const path of [folder, profile ?? folder]) {
            await rm(path, { recursive: true, force: true, maxRetries: 5 });
          }
        }
      });
    }
  });
}

/** Runs in the manager: the third part of the next file is not written before `letGo`. */
function holdThirdWrite(): void {
  const { prototype } = FileSystemWritableFileStream;
  const write = Reflect.get(prototype, 'write');
  const scope = globalThis as { isHeld?: boolean; letGo?: () => void };
  let parts = 0;
  prototype.write = async function (this: FileSystemWritableFileStream, data) {
    if (++parts === 3) {
      await new Promise<void>((resolve) => {
        scope.letGo = resolve;
        scope.isHeld = true;
      });
    }
    return write.call(this, data);
  };
}
