import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { nodeOpen } from '../../sync/node-weave.ts';
import { fromBase64Text, WEAVE } from '../../sync/weave/weave-vectors.ts';
import { closeScene, openSiteScene } from '../scene.ts';
import type { TestServer } from '../server.ts';
import { answerPrompt, call } from '../steps.ts';
import { openImport } from '../sync-steps.ts';

const RECORDS = 2_000;
/** From the secret of a real account to a record. */
const CHAIN = WEAVE.chains[2]!;

interface SyncRecord {
  readonly id: string;
  readonly payload: unknown;
  readonly [field: string]: unknown;
}
type Result = { ok: true; value: SyncRecord } | { ok: false; error: { code: string } };
interface Sync {
  loadCollectionKeys(record: object): Promise<void>;
  encryptRecords(collection: string, records: object[], options?: object): Promise<Result[]>;
  decryptRecords(collection: string, records: object[], options?: object): Promise<Result[]>;
  checkpoint(
    collection: string,
    records: object[],
  ): Promise<{ readonly head: SyncRecord; readonly chunks: SyncRecord[] }>;
  verify(collection: string, records: object[], heads: object[]): Promise<object>;
}
/** In a page, as its own functions see it. */
declare const sealwright: { readonly sync: Sync };

/* Records of sync services, from the question to the user to what another program reads. */
for (const browser of BROWSERS) {
  describe(`sync, in ${browser}`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSiteScene(browser));
    });

    after(() => closeScene({ session, server }));

    it('asks for the collections by name, and makes a key', async () => {
      const key = { kind: 'sync', label: 'My notes', collections: ['notes', 'tags'] };
      const request = { purpose: 'Keep your notes in step', key, capabilities: ['sync'] };
      const asked = call(site, 'connect', request);
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#collections');
      expect(await prompt.text('#collections')).to.match(/notes[\s\S]*tags/);
      await answerPrompt(session);
      expect((await asked).ok).to.equal(true);
    });

    it(`encrypts and decrypts ${RECORDS} records in one call; a bad one spoils itself alone`, async () => {
      const answer = await site.evaluate(async (count) => {
        const records = Array.from({ length: count }, (_, i) => ({
          id: `note-${i}`,
          payload: { title: `Title ${i}`, text: 'ü'.repeat(200), tags: [i] },
          generation: i,
          last_modified: 1000 + i,
        }));
        const encrypted = await sealwright.sync.encryptRecords('notes', records);
        const stored = encrypted.map((one) => (one.ok ? one.value : { id: '', payload: '' }));
        const isClear = stored.some(({ payload }) => String(payload).includes('Title'));
        const bad = stored[77]!;
        stored[77] = { ...bad, payload: `${String(bad.payload).slice(0, -8)}AAAAAAAA` };
        stored[78] = { ...stored[78]!, id: 'note-79' };
        const opened = await sealwright.sync.decryptRecords('notes', stored);
        const right = opened.filter(
          (one, i) => one.ok && JSON.stringify(one.value) === JSON.stringify(records[i]),
        ).length;
        const codes = [77, 78].map((i) => {
          const one = opened[i]!;
          return one.ok ? 'ok' : one.error.code;
        });
        return { isClear, right, codes, isFrozen: Object.isFrozen(opened[0]) };
      }, RECORDS);
      expect(answer).to.deep.equal({
        isClear: false,
        right: RECORDS - 2,
        codes: ['AUTH_FAILED', 'AUTH_FAILED'],
        isFrozen: true,
      });
    });

    it('tells what a server left out, of records and of heads', async () => {
      const shown = await site.evaluate(async () => {
        const { sync } = sealwright;
        const payloads = ['one', 'two'].map((payload, i) => ({
          id: `n${i}`,
          payload,
          generation: 1,
        }));
        const sealed = await sync.encryptRecords('tags', payloads);
        const records = sealed.map((one) => (one.ok ? one.value : { id: '', payload: '' }));
        const { head, chunks } = await sync.checkpoint('tags', records);
        const heads = [head, ...chunks];
        const whole = await sync.verify('tags', records, heads);
        const left = await sync.verify('tags', records.slice(1), heads);
        const hidden = await sync.verify('tags', records, []);
        return { whole, left, hidden, heads };
      });
      expect(shown.whole).to.deep.equal({
        ok: true,
        missing: [],
        missingCount: 0,
        rolledBack: [],
        forked: false,
        unconfirmed: 0,
      });
      expect(shown.left).to.deep.include({ ok: false, missing: ['n0'], missingCount: 1 });
      expect(shown.hidden).to.deep.include({ ok: false, missing: [shown.heads[0]!.id] });
    });

    it('reads records of a Firefox account, and writes some that another program reads', async () => {
      const manager = await openImport(session);
      await manager.type('#import-sync-label', 'Firefox');
      // Half of it is no key; then the rest.
      await manager.type('#import-sync-secret', CHAIN.kB!.slice(0, 40));
      await manager.press('Enter');
      await manager.waitUntil(
        () => document.querySelector('#import-sync-secret-error')?.textContent !== '',
      );
      await manager.type('#import-sync-secret', CHAIN.kB!.slice(40));
      await manager.press('Enter');
      await manager.waitFor('#keys > li:nth-child(3) .compare-sync-key');
      await manager.click('#keys > li:nth-child(3) .compare-sync-key');
      await manager.waitFor('[data-sync-foreign-id]');
      expect(await manager.text('[data-sync-foreign-id]')).to.equal(WEAVE.accounts[1]!.clientState);
      await manager.close();

      const key = { kind: 'sync', label: 'Firefox', collections: ['history'] };
      const request = { purpose: 'Show your history', key, capabilities: ['sync'] };
      const asked = call(site, 'connect', request);
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#collections');
      await prompt.click('.choice:nth-of-type(2) input');
      await answerPrompt(session);
      expect((await asked).ok).to.equal(true);
      const { title, payload } = await site.evaluate(
        async (keys, record) => {
          const { sync } = sealwright;
          await sync.loadCollectionKeys({ id: 'keys', payload: keys });
          const [read] = await sync.decryptRecords('history', [record]);
          const [made] = await sync.encryptRecords('history', [
            { id: 'from-the-page', payload: { title: 'Written in a browser' } },
          ]);
          if (!read!.ok || !made!.ok) throw new Error('a record failed');
          const { title } = read!.value.payload as { title: string };
          return { title, payload: made!.value.payload as string };
        },
        JSON.stringify(CHAIN.keys),
        { id: CHAIN.id, payload: JSON.stringify(CHAIN.record) },
      );
      expect(title).to.equal(CHAIN.member[1]);
      const [encryptionKey, hmacKey] = CHAIN.defaultKeys.map(fromBase64Text);
      const bundle = { encryptionKey: encryptionKey!, hmacKey: hmacKey! };
      expect(JSON.parse(nodeOpen(bundle, payload))).to.deep.equal({
        id: 'from-the-page',
        title: 'Written in a browser',
      });
    });

    it('gives nothing of a collection that was not asked for', async () => {
      const code = await site.evaluate(async () => {
        try {
          await sealwright.sync.encryptRecords('passwords', [{ id: 'a', payload: 1 }]);
          return 'ok';
        } catch (error) {
          return (error as { code: string }).code;
        }
      });
      expect(code).to.equal('NOT_GRANTED');
    });
  });
}
