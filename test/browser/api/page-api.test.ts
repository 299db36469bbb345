import { expect } from 'chai';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import {
  bytes,
  call,
  connect,
  lockVault,
  openEnabledSite,
  refusal,
  succeed,
  unlockVault,
} from '../steps.ts';

/* The main job in real browsers: a page seals and opens with a key that it never sees. */
for (const browser of BROWSERS) {
  describe(`a page of an enabled site, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
    });

    after(() => closeSharedSiteScene({ server, site }));

    it('is told that nothing is granted before the user was asked', async () => {
      expect(await refusal(site, 'seal', 'text')).to.equal('NOT_GRANTED');
      expect(await succeed(site, 'status')).to.deep.equal({
        locked: false,
        grants: [],
        engines: ['native', 'wasm-simd', 'js'],
      });
    });

    it('is told what is wrong with its calls, and what is right', async () => {
      const messages = await site.evaluate(async () => {
        type Method = (...args: unknown[]) => Promise<unknown>;
        const { sealwright } = globalThis as unknown as { sealwright: Record<string, Method> };
        const request = { purpose: 'Notes', capabilities: ['sync'] };
        const calls: [string, ...unknown[]][] = [
          ['seal', new Blob([])],
          ['seal'],
          ['open', 'sw1.AAAA'],
          ['seal', 'x', { contxt: 'y' }],
          ['connect', { ...request, key: { kind: 'sync' } }],
          ['connect', request],
        ];
        return await Promise.all(
          calls.map(([name, ...args]) =>
            sealwright[name]!(...args).then(
              () => 'no error',
              (error: unknown) => {
                const { code, message } = error as { code: string; message: string };
                return `${code} ${message}`;
              },
            ),
          ),
        );
      });
      const bytes = 'an ArrayBuffer or a view of one, not detached, resizable or shared';
      expect(messages).to.deep.equal([
        `INVALID_ARGUMENT plaintext: expected text, or ${bytes}, got a Blob: use sealBlob`,
        `INVALID_ARGUMENT plaintext: expected text, or ${bytes}, got undefined`,
        `INVALID_ARGUMENT sealed: expected ${bytes}, got text: use openText`,
        'INVALID_ARGUMENT options.contxt: expected no such option; did you mean context',
        'INVALID_ARGUMENT request.key.collections: expected an array',
        'INVALID_ARGUMENT request.key: expected { kind: "sync" } for the capability sync; ' +
          'an app key is for seal, open, mac, blindIndex',
      ]);
    });

    it('hears of a no, and may not ask again at once', async () => {
      const denied = await connect(session, site, undefined, 'deny');
      expect(denied).to.include({ ok: false, code: 'USER_REJECTED' });
      expect(await refusal(site, 'connect', { purpose: 'Again', capabilities: ['seal'] })).to.equal(
        'QUOTA',
      );
    });

    it('gets a grant when the user says yes', async () => {
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      const outcome = await connect(session, other);
      expect(outcome.ok && outcome.value).to.have.length(1);
      await other.close();
    });
  });

  describe(`seal and open, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
      expect((await connect(session, site)).ok).to.equal(true);
    });

    after(() => closeSharedSiteScene({ server, site }));

    it('give back the same bytes and text', async () => {
      const sealed = await succeed(site, 'seal', bytes(1, 2, 3), { context: 'note 7' });
      expect(await succeed(site, 'open', sealed, { context: 'note 7' })).to.deep.equal(
        bytes(1, 2, 3),
      );
      const armored = await succeed(site, 'sealText', 'Grüße 你好', { pad: true });
      expect(armored).to.match(/^sw1\.[\w-]+$/);
      expect(await succeed(site, 'openText', armored)).to.equal('Grüße 你好');
    });

    it('never tell apart a wrong context and changed bytes', async () => {
      const sealed = (await succeed(site, 'seal', bytes(1, 2, 3))) as { $bytes: number[] };
      const changed = (at: number) => bytes(...sealed.$bytes.with(at, sealed.$bytes.at(at)! ^ 1));
      const outcome = await call(site, 'open', sealed, { context: 'other' });
      expect(outcome).to.include({ ok: false, code: 'AUTH_FAILED' });
      // Of the salt, the commitment, the text and the tag.
      for (const at of [30, 60, -17, -1]) {
        expect(await call(site, 'open', changed(at)), `byte ${at}`).to.deep.equal(outcome);
      }
    });

    // bulk-lane.test.ts has the same in `npm test`.
    const inNightly = IS_NIGHTLY ? it : () => undefined;
    inNightly('carry 64 MiB and refuse a byte more', async () => {
      const answer = await site.evaluate(async () => {
        const { sealwright } = globalThis as unknown as {
          sealwright: Record<'seal' | 'open', (data: Uint8Array) => Promise<Uint8Array>>;
        };
        const plaintext = new Uint8Array(64 * 2 ** 20).map((_, i) => (i * 31) >>> 3);
        const sealed = await sealwright.seal(plaintext);
        const opened = await sealwright.open(sealed);
        const equal =
          opened.length === plaintext.length && opened.every((b, i) => b === plaintext[i]);
        const tooLarge = await sealwright
          .seal(new Uint8Array(64 * 2 ** 20 + 1))
          .catch((error: unknown) => (error as { code: string }).code);
        return { equal, tooLarge, sealedBytes: sealed.length };
      });
      expect(answer).to.include({ equal: true, tooLarge: 'TOO_LARGE' });
    });

    it('leave the caller’s buffers alone', async () => {
      const intact = await site.evaluate(async () => {
        const { sealwright } = globalThis as unknown as {
          sealwright: Record<'seal' | 'open', (data: Uint8Array) => Promise<Uint8Array>>;
        };
        const whole = new Uint8Array(300_000).fill(7);
        const view = whole.subarray(3, 200_001);
        const opened = await sealwright.open(await sealwright.seal(view));
        return (
          whole.length === 300_000 &&
          whole.every((byte) => byte === 7) &&
          opened.length === view.length
        );
      });
      expect(intact).to.equal(true);
    });

    it('say what is not granted, and the id of a key only to the origin that has it', async () => {
      const refusalOf = (tab: Tab, method: string, ...args: unknown[]) =>
        tab.evaluate(
          async (name, rest) => {
            type Method = (...args: unknown[]) => Promise<unknown>;
            const { sealwright } = globalThis as unknown as { sealwright: Record<string, Method> };
            const error: unknown = await sealwright[name]!(...rest).catch((e: unknown) => e);
            const { code, message, data } = error as Record<'code' | 'message' | 'data', unknown>;
            return { code, message, data };
          },
          method,
          args,
        );
      const [{ keyId } = { keyId: '' }] = (await succeed(site, 'grants')) as { keyId: string }[];
      const code = 'NOT_GRANTED';
      const message = 'The user has not granted "seal" for this';
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      const foreign = { code, message, data: { capability: 'seal' } };
      expect(await refusalOf(site, 'seal', 'x', { key: 'no such key' })).to.deep.equal(foreign);
      expect(await refusalOf(other, 'seal', 'x', { key: keyId })).to.deep.equal(foreign);
      expect(await refusalOf(other, 'seal', 'x', { key: 'no such key' })).to.deep.equal(foreign);
      await other.close();
      const index = await refusalOf(site, 'blindIndex', 'Ada', 'name', { key: keyId });
      expect(index).to.deep.include({ code, data: { capability: 'blindIndex', keyId } });
    });

    it('are not for another origin: it needs the key, and never learns more', async () => {
      const sealed = await succeed(site, 'seal', bytes(1, 2, 3));
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      expect(await refusal(other, 'open', sealed)).to.equal('NOT_GRANTED');
      await connect(session, other);
      expect(await refusal(other, 'open', sealed)).to.equal('NEEDS_KEY');
      await other.close();
    });

    it('are refused while the vault is locked, and work again after', async () => {
      const sealed = await succeed(site, 'seal', bytes(9));
      await lockVault(session);
      expect(await refusal(site, 'seal', 'text')).to.equal('LOCKED');
      expect(await refusal(site, 'open', sealed)).to.equal('LOCKED');
      await unlockVault(session);
      expect(await succeed(site, 'open', sealed)).to.deep.equal(bytes(9));
    });

    it('end with the grant: after its uses, after its time, after revoke', async () => {
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?expiry`);
      const once = { purpose: 'Once', capabilities: ['seal'], maxUses: 1 };
      expect((await call(other, 'revoke')).ok).to.equal(true);
      expect((await connect(session, other, once)).ok).to.equal(true);
      expect(await refusal(other, 'seal', 'first')).to.equal('none');
      expect(await refusal(other, 'seal', 'second')).to.equal('EXPIRED');
      const brief = { purpose: 'Briefly', capabilities: ['seal'], expiresInMs: 1500 };
      expect((await connect(session, other, brief)).ok).to.equal(true);
      expect(await refusal(other, 'seal', 'in time')).to.equal('none');
      await new Promise((resume) => setTimeout(resume, 1600));
      expect(await refusal(other, 'seal', 'too late')).to.equal('EXPIRED');
      await succeed(other, 'revoke');
      expect(await succeed(other, 'grants')).to.deep.equal([]);
      await other.close();
    });

    it('make random bytes, also as crypto.random', async () => {
      const answer = await site.evaluate(async () => {
        const { sealwright } = globalThis as unknown as {
          sealwright: { random(length: number): Promise<Uint8Array> };
        };
        const one = await sealwright.random(32);
        const two = await (crypto as unknown as typeof sealwright).random(32);
        return { lengths: [one.length, two.length], differ: one.some((b, i) => b !== two[i]) };
      });
      expect(answer).to.deep.equal({ lengths: [32, 32], differ: true });
      expect(await refusal(site, 'random', 2 ** 20 + 1)).to.equal('TOO_LARGE');
    });

    it('make UUIDs and integers, in a page and without a grant', async () => {
      const uuids = [await succeed(site, 'randomUUID'), await succeed(site, 'randomUUID')];
      for (const uuid of uuids) {
        expect(uuid).to.match(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }
      expect(uuids[0]).to.not.equal(uuids[1]);
      expect(await succeed(site, 'randomInt', 6)).to.be.within(0, 5);
      expect(await succeed(site, 'randomInt', 1)).to.equal(0);
      for (const max of [0, 2 ** 48 + 1, 1.5]) {
        expect(await refusal(site, 'randomInt', max)).to.equal('INVALID_ARGUMENT');
      }
    });

    it('can be aborted, and time out', async () => {
      const aborted = await site.evaluate(async () => {
        const { sealwright } = globalThis as unknown as {
          sealwright: { seal(data: Uint8Array, options: object): Promise<Uint8Array> };
        };
        const controller = new AbortController();
        const sealing = sealwright.seal(new Uint8Array(2 ** 25), { signal: controller.signal });
        setTimeout(() => controller.abort(), 0);
        return await sealing.then(
          () => 'sealed',
          (error: unknown) => (error as Error).name,
        );
      });
      expect(aborted).to.equal('AbortError');
      const late = await site.evaluate(async () => {
        const { sealwright } = globalThis as unknown as {
          sealwright: { seal(data: Uint8Array, options: object): Promise<Uint8Array> };
        };
        const sealing = sealwright.seal(new Uint8Array(2 ** 25), { timeoutMs: 0 });
        return await sealing.then(
          () => 'sealed',
          (error: unknown) => (error as Error).name,
        );
      });
      expect(late).to.equal('TimeoutError');
    });

    it('can be taken off window.sealwright', async () => {
      const outcome = await site.evaluate(async () => {
        type Method = (...args: unknown[]) => Promise<unknown>;
        const { sealwright } = globalThis as unknown as {
          sealwright: Record<'seal' | 'openText' | 'sealText' | 'addEventListener', Method> &
            Record<'subtle', Record<'digest', Method>>;
        };
        const { sealText, openText, addEventListener, seal } = sealwright;
        const { digest } = sealwright.subtle;
        void addEventListener('lock', () => undefined);
        const digested = (await digest('SHA-256', new Uint8Array(1))) as ArrayBuffer;
        const isSame = seal === sealwright.seal;
        return [await openText(await sealText('Grüße')), digested.byteLength, isSame];
      });
      expect(outcome).to.deep.equal(['Grüße', 32, true]);
    });
  });
}
