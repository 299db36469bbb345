import { expect } from 'chai';
import type { SealwrightSubtle } from '../../../src/client/page-types.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { comparisons, mistakes, vectors } from '../in-page/subtle-parity.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { connect, lockVault, openEnabledSite, openSitePopup, unlockVault } from '../steps.ts';

interface Api {
  readonly subtle: SubtleCrypto & Pick<SealwrightSubtle, 'deleteKey'>;
  grants(): Promise<readonly { readonly keyId: string }[]>;
  revoke(): Promise<void>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;
declare global {
  var kept: CryptoKey | undefined;
}

/** Where a browser does not do as the standard says. */
const OTHERWISE: Partial<Record<string, Record<string, { theirs: string; standard: string }>>> = {
  firefox: {
    'bytes for a JWK': { theirs: 'DataError', standard: 'TypeError' },
    'extractable HKDF': { theirs: 'none', standard: 'SyntaxError' },
    'no length': { theirs: 'SyntaxError', standard: 'TypeError' },
    'no modulus': { theirs: 'SyntaxError', standard: 'TypeError' },
    'no nonce': { theirs: 'OperationError', standard: 'TypeError' },
    'unknown format': { theirs: 'SyntaxError', standard: 'TypeError' },
    'unknown usages': { theirs: 'SyntaxError', standard: 'TypeError' },
  },
};

/* sealwright.subtle beside the page's own crypto.subtle. */
for (const browser of BROWSERS) {
  describe(`sealwright.subtle, in ${browser}`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
    });

    after(() => closeSharedSiteScene({ server, site }));

    it('does what the page’s own crypto.subtle does', async () => {
      const results = await site.evaluate(comparisons);
      expect(results.length).to.be.at.least(14);
      expect(results.filter(({ outcome }) => outcome !== 'same')).to.deep.equal([]);
    });

    it('makes the same of mistakes', async () => {
      const results = await site.evaluate(mistakes);
      const different = results
        .filter(({ ours, theirs }) => ours !== theirs)
        .map(({ mistake, ours, theirs }) => [mistake, { standard: ours, theirs }]);
      expect(Object.fromEntries(different)).to.deep.equal(OTHERWISE[browser] ?? {});
      expect(results.filter(({ ours }) => ours === 'none')).to.deep.equal([]);
    });

    it('has what the browser lacks: published vectors of OCB, CCM, ChaCha20-Poly1305 and Argon2', async () => {
      const results = await site.evaluate(vectors);
      for (const { name, got, want } of results) expect(got, name).to.equal(want);
      expect(results).to.have.length(6);
    });

    it('keeps keys over the death of the background', async () => {
      const made = site.evaluate(async () => {
        const { subtle } = sealwright;
        globalThis.kept = await subtle.generateKey({ name: 'AES-OCB', length: 256 }, false, [
          'encrypt',
          'decrypt',
        ]);
        return Object.isFrozen(globalThis.kept);
      });
      expect(await made).to.equal(true);
      await session.killBackground();
      const back = await site.evaluate(async () => {
        const { subtle } = sealwright;
        const algorithm = { name: 'AES-OCB', iv: new Uint8Array(12) };
        const sealed = await subtle.encrypt(algorithm, globalThis.kept!, new Uint8Array(1 << 20));
        return new Uint8Array(await subtle.decrypt(algorithm, globalThis.kept!, sealed)).length;
      });
      expect(back).to.equal(1 << 20);
    });

    it('gives one key to one call, though the background dies meanwhile', async () => {
      const making = site.evaluate(async () => {
        const { subtle } = sealwright;
        const calls = Array.from({ length: 40 }, () =>
          subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']),
        );
        const keys = await Promise.all(calls);
        const raw = await Promise.all(keys.map((key) => subtle.exportKey('raw', key)));
        return new Set(raw.map((one) => new Uint8Array(one).join())).size;
      });
      await session.killBackground();
      expect(await making).to.equal(40);
    });

    it('gives keys that are worth nothing in another document', async () => {
      const other = await openEnabledSite(session, `${server.origin}/blank.html`);
      const name = await other.evaluate(async () => {
        const frame = document.createElement('iframe');
        frame.src = location.href;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(frame);
        await loaded;
        const inner = frame.contentWindow as unknown as { sealwright?: Api };
        for (let i = 0; i < 100 && !inner.sealwright; i++) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        const key = await inner.sealwright!.subtle.generateKey(
          { name: 'AES-GCM', length: 256 },
          true,
          ['encrypt'],
        );
        return sealwright.subtle.exportKey('raw', key).then(
          () => 'exported',
          (error: unknown) => (error as Error).name,
        );
      });
      expect(name).to.equal('TypeError');
      await other.close();
    });

    it('keeps a key by its reference until the user deletes it, over a reload and a lock', async () => {
      await connect(session, site);
      const stored = await site.evaluate(async () => {
        const { subtle } = sealwright;
        const gcm = { name: 'AES-GCM', length: 256 };
        const key = await subtle.generateKey(gcm, false, ['encrypt', 'decrypt']);
        const iv = new Uint8Array(12);
        const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, new Uint8Array([1, 2]));
        const unwanted = await subtle.exportKey('sealwright-ref' as 'raw', key);
        const reference = await subtle.exportKey('sealwright-ref' as 'raw', key);
        await subtle.deleteKey(unwanted);
        const gone = await subtle
          .importKey('sealwright' as 'raw', unwanted, 'AES-GCM', false, ['decrypt'])
          .then(
            () => 'found',
            (error: unknown) => (error as Error).name,
          );
        if (gone !== 'DataError') throw new Error(`A deleted key was ${gone}`);
        return [reference, sealed].map((buffer) => [...new Uint8Array(buffer)]);
      });
      const opened = () =>
        site.evaluate(async ([reference, sealed]) => {
          const { subtle } = sealwright;
          const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) };
          try {
            const key = await subtle.importKey(
              'sealwright' as 'raw',
              new Uint8Array(reference!),
              'AES-GCM',
              false,
              ['decrypt'],
            );
            const text = await subtle.decrypt(algorithm, key, new Uint8Array(sealed!));
            return [...new Uint8Array(text)].join();
          } catch (error) {
            return (error as Error).name;
          }
        }, stored);
      await site.reload();
      await site.waitUntil(() => 'sealwright' in globalThis);
      expect(await opened()).to.equal('1,2');
      await lockVault(session);
      expect(await opened()).to.equal('InvalidAccessError');
      await unlockVault(session);
      await session.killBackground();
      expect(await opened()).to.equal('1,2');
      const popup = await openSitePopup(session, site);
      await popup.waitFor('.persistent-keys');
      await popup.click('.persistent-keys button');
      await popup.waitFor('.persistent-keys .button-danger');
      await popup.click('.persistent-keys .button-danger');
      await popup.waitUntil(() => document.querySelector('.persistent-keys') === null);
      await popup.close();
      expect(await opened()).to.equal('DataError');
      await site.evaluate(() => sealwright.revoke());
    });

    it('decrypts nothing for a page that may only seal', async () => {
      await connect(session, site, { purpose: 'Seal only', capabilities: ['seal'] });
      const answers = await site.evaluate(async () => {
        const { subtle } = sealwright;
        const [grant] = await sealwright.grants();
        const imported = async (name: string): Promise<string> => {
          const algorithm = { name, length: 256 };
          const id = grant!.keyId as never;
          const key = await subtle.importKey('sealwright' as 'raw', id, algorithm, false, [
            'encrypt',
          ]);
          return key.type;
        };
        const outcomes: Record<string, string> = {};
        for (const name of ['AES-CTR', 'AES-GCM', 'AES-OCB', 'ChaCha20-Poly1305', 'AES-CBC']) {
          outcomes[name] = await imported(name).catch((error: unknown) => String(error));
        }
        await sealwright.revoke();
        return outcomes;
      });
      const { 'AES-CBC': cbc, ...others } = answers;
      expect(cbc).to.equal('secret');
      for (const [name, outcome] of Object.entries(others)) {
        expect(outcome, name).to.match(/InvalidAccessError: Ask for seal and open/);
      }
    });

    it('works with a key of the user under its grant, until that is gone', async () => {
      await connect(session, site);
      const answer = await site.evaluate(async () => {
        const { subtle } = sealwright;
        const [grant] = await sealwright.grants();
        const algorithm = { name: 'AES-GCM', length: 256 };
        const key = await subtle.importKey(
          'sealwright' as 'raw',
          grant!.keyId as never,
          algorithm,
          false,
          ['encrypt', 'decrypt'],
        );
        const params = { name: 'AES-GCM', iv: new Uint8Array(12) };
        const sealed = await subtle.encrypt(params, key, new Uint8Array(100));
        const opened = await subtle.decrypt(params, key, sealed);
        const nameOf = (work: Promise<unknown>) =>
          work.then(
            () => 'none',
            (error: unknown) => (error as Error).name,
          );
        const exported = await nameOf(subtle.exportKey('raw', key));
        await sealwright.revoke();
        const revoked = await nameOf(subtle.encrypt(params, key, new Uint8Array(1)));
        return { bytes: opened.byteLength, exported, revoked };
      });
      expect(answer).to.deep.equal({
        bytes: 100,
        exported: 'InvalidAccessError',
        revoked: 'InvalidAccessError',
      });
    });
  });
}
