import { cp, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { openVaultScene } from '../scene.ts';
import type { TestServer } from '../server.ts';
import { connect, openEnabledSite, succeed, unlockVault } from '../steps.ts';

const SECRET = 'sealed before the copy';
/** Which process has the profile: files of the one that was killed. */
const LOCKS = /^(Singleton|\.?(parent)?lock$)/i;
const HEADER_BYTES = 24;

const copyFolder = (from: string, to: string) =>
  cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !LOCKS.test(basename(path)),
  });

/** What a page draws and seals in one copy of the profile, as hexadecimal text. */
interface Made {
  /** Of the messages: they say which key it is. */
  readonly headers: readonly string[];
  /** Salts with the commitments to the message keys, random values, ids and keys. */
  readonly values: readonly string[];
}

/** In the page. */
async function makeValues(headerBytes: number): Promise<Made> {
  interface Api {
    random(length: number): Promise<Uint8Array>;
    randomUUID(): Promise<string>;
    seal(data: Uint8Array): Promise<Uint8Array>;
    readonly subtle: SubtleCrypto;
  }
  const { sealwright } = globalThis as unknown as { sealwright: Api };
  const hex = (bytes: Uint8Array): string =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const values: string[] = [];
  const headers: string[] = [];
  for (let i = 0; i < 3; i++) {
    values.push(hex(await sealwright.random(32)), await sealwright.randomUUID());
    // The second in the background, the first under a key of its own in the content script.
    for (const bytes of [100_000, 100]) {
      const sealed = await sealwright.seal(new Uint8Array(bytes));
      headers.push(hex(sealed.slice(0, headerBytes)));
      values.push(hex(sealed.slice(headerBytes, headerBytes + 24)));
      values.push(hex(sealed.slice(headerBytes + 24, headerBytes + 56)));
    }
  }
  const gcm = { name: 'AES-GCM', length: 256 };
  const key = await sealwright.subtle.generateKey(gcm, true, ['encrypt']);
  values.push(hex(new Uint8Array(await sealwright.subtle.exportKey('raw', key))));
  return { headers, values };
}

for (const browser of BROWSERS) {
  describe(`two copies of one profile, in ${browser}`, function () {
    this.timeout(240_000);
    const folders: string[] = [];
    let server: TestServer;
    let session: BrowserSession | undefined;

    after(async () => {
      await session?.crash();
      await server.close();
      for (const folder of folders) {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    });

    const openSite = (): Promise<Tab> => openEnabledSite(session!, `${server.origin}/blank.html`);

    async function crash(): Promise<string> {
      const profile = await session!.crash();
      session = undefined;
      return profile;
    }

    it('share the keys, and repeat no salt, message key or random value', async () => {
      ({ session, server } = await openVaultScene(browser));
      const site = await openSite();
      await connect(session, site);
      const sealed = await succeed(site, 'sealText', SECRET);
      const before = await site.evaluate(makeValues, HEADER_BYTES);
      const profile = await crash();
      const kept = `${profile}-kept`;
      folders.push(profile, kept);
      await copyFolder(profile, kept);

      const made: Made[] = [before];
      for (let copy = 0; copy < 2; copy++) {
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
        await copyFolder(kept, profile);
        session = await launch(browser, { profile });
        await unlockVault(session);
        const page = await openSite();
        expect(await succeed(page, 'openText', sealed)).to.equal(SECRET);
        made.push(await page.evaluate(makeValues, HEADER_BYTES));
        await crash();
      }
      const bySize = made.map(({ headers }) => new Set(headers));
      expect(bySize[1], 'the same key').to.deep.equal(bySize[2]);
      const values = made.flatMap((each) => each.values);
      expect(values.length).to.equal(3 * 19);
      expect(new Set(values).size, 'no value twice').to.equal(values.length);
    });
  });
}
