import { createPublicKey, verify, type JsonWebKeyInput } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build, type BuildOptions } from 'esbuild';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { answerPrompt, createVault, openEnabledSite } from '../steps.ts';

interface Outcome {
  readonly result: string;
  readonly calls: number;
}
declare const libraries: () => Promise<Record<'jose' | 'hpke' | 'x509', Outcome>>;

/** The samples of docs/subtle.md: with session keys, and with a key of the user. */
const [SESSION_KEYS, USER_KEY] = Array.from(
  readFileSync('docs/subtle.md', 'utf8').matchAll(/```js\n(import [^`]*? from 'jose';[^]*?)```/g),
  ([, sample]) => sample!,
);

/** What the second sample calls, as a page has it that makes what its server would. */
const SERVER = `
  import { CompactEncrypt, importJWK } from 'jose';
  const askServer = async (token, signerJwk, openerJwk) => {
    globalThis.signed = { token, jwk: signerJwk };
    const key = await importJWK(openerJwk, 'ECDH-ES');
    const message = new CompactEncrypt(new TextEncoder().encode('for you'));
    return message.setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' }).encrypt(key);
  };
`;

/** In a module for pages. Imports for their effect alone stay, whatever our package.json says of its own modules. */
async function bundled(outfile: string, from: BuildOptions): Promise<void> {
  const options = { bundle: true, format: 'esm', ignoreAnnotations: true } as const;
  await build({ ...from, ...options, outfile, logLevel: 'error' });
}

/* Libraries that know nothing of Sealwright, with keys that live in it. */
for (const browser of BROWSERS) {
  describe(`libraries over sealwright.subtle, in ${browser}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-libraries-'));
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      writeFileSync(
        join(folder, 'index.html'),
        '<!doctype html><meta charset="utf-8"><title>libraries</title>',
      );
      const libraries = 'test/browser/in-page/libraries/subtle-libraries.ts';
      await bundled(join(folder, 'libraries.js'), { entryPoints: [libraries] });
      for (const [name, contents] of [
        ['session-keys.js', `${SESSION_KEYS!}\nglobalThis.sample = payload.scope;`],
        [
          'user-key.js',
          `${SERVER}${USER_KEY!}\nglobalThis.sample = new TextDecoder().decode(plaintext);`,
        ],
      ] as const) {
        await bundled(join(folder, name), { stdin: { contents, resolveDir: '.' } });
      }
      [session, server] = await Promise.all([launch(browser), serve(folder)]);
      await createVault(session);
    });

    after(async () => {
      await closeScene({ session, server });
      rmSync(folder, { recursive: true });
    });

    it('jose signs and encrypts, HPKE seals, x509 issues a certificate', async () => {
      const site = await openEnabledSite(session, `${server.origin}/index.html`);
      const outcomes = await site.evaluate(async () => {
        const script = document.createElement('script');
        Object.assign(script, { type: 'module', src: 'libraries.js' });
        const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
        document.head.append(script);
        await loaded;
        return libraries();
      });
      const results = Object.entries(outcomes).map(([name, { result }]) => [name, result]);
      expect(Object.fromEntries(results)).to.deep.equal({
        jose: 'notes hello',
        hpke: 'hello',
        x509: 'CN=Sealwright true',
      });
      for (const [name, { calls }] of Object.entries(outcomes)) {
        expect(calls, name).to.be.greaterThan(3);
      }
    });

    const started = async (file: string) => {
      const site = await openEnabledSite(session, `${server.origin}/index.html`);
      await site.evaluate((src) => {
        const script = document.createElement('script');
        Object.assign(script, { type: 'module', src });
        document.head.append(script);
      }, file);
      return site;
    };
    const resultIn = async (site: Tab) => {
      await site.waitUntil(() => 'sample' in globalThis, { timeoutMs: 30_000 });
      return site.evaluate(() => (globalThis as { sample?: string }).sample);
    };

    it('jose works with session keys as docs/subtle.md says', async () => {
      expect(await resultIn(await started('session-keys.js'))).to.equal('notes');
    });

    it('jose works with a key of the user as docs/subtle.md says, and Node verifies the token', async () => {
      const site = await started('user-key.js');
      await answerPrompt(session);
      expect(await resultIn(site)).to.equal('for you');
      const { token, jwk } = await site.evaluate(
        () => (globalThis as unknown as { signed: { token: string; jwk: object } }).signed,
      );
      const [header, payload, signature] = token.split('.');
      const key = createPublicKey({ key: jwk, format: 'jwk' } as unknown as JsonWebKeyInput);
      const isGood = verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature!, 'base64url'),
      );
      expect(isGood).to.equal(true);
      const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object;
      expect(claims).to.include({ scope: 'notes' });
    });
  });
}
