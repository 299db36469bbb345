import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import { closeScene, openSiteScene } from './scene.ts';
import type { TestServer } from './server.ts';
import { answerPrompt, call } from './steps.ts';

const RECORDS = 2_000;

interface SyncRecord {
  readonly id: string;
  readonly payload: unknown;
  readonly [field: string]: unknown;
}
type Result = { ok: true; value: SyncRecord } | { ok: false; error: { code: string } };
interface Sync {
  encryptRecords(collection: string, records: object[], options?: object): Promise<Result[]>;
  decryptRecords(collection: string, records: object[], options?: object): Promise<Result[]>;
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
