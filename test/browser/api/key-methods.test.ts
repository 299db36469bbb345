import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { answerPrompt, bytes, call, connect, refusal, succeed } from '../steps.ts';

interface KeyInfo {
  readonly id: string;
  readonly generation: number;
  readonly headerKeyId: string;
}
type Bytes = ReturnType<typeof bytes>;

/* What keys do for a page besides sealing, in real browsers. */
for (const browser of BROWSERS) {
  describe(`keys of a page, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
    });

    after(() => closeSharedSiteScene({ server, site }));

    it('mark data and find values, after a warning of what an index gives away', async () => {
      const capabilities = ['mac', 'blindIndex'];
      const asked = call(site, 'connect', { purpose: 'Search your notes', capabilities });
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#index-warning');
      await answerPrompt(session);
      expect((await asked).ok).to.equal(true);

      const tag = await succeed(site, 'mac', bytes(1, 2, 3));
      expect(await succeed(site, 'verifyMac', bytes(1, 2, 3), tag)).to.equal(true);
      expect(await succeed(site, 'verifyMac', bytes(1, 2), tag)).to.equal(false);
      const index = (await succeed(site, 'blindIndex', 'Ada', 'name')) as { $bytes: number[] };
      expect(index.$bytes).to.have.length(32);
      expect(await succeed(site, 'blindIndex', 'Ada', 'name')).to.deep.equal(index);
      expect(await succeed(site, 'blindIndex', 'Ada', 'town')).to.not.deep.equal(index);
      expect(await refusal(site, 'seal', 'text')).to.equal('NOT_GRANTED');
    });

    it('get a new generation, messages come along, and one under the wrong key is as a changed one', async () => {
      expect((await connect(session, site)).ok).to.equal(true);
      const sealed = (await succeed(site, 'seal', bytes(1, 2, 3), { context: 'note' })) as Bytes;
      const [before] = (await succeed(site, 'keys')) as KeyInfo[];
      const after = (await succeed(site, 'rotateKey', before!.id)) as KeyInfo;
      const { headerKeyId } = after;
      expect(after).to.deep.equal({ ...before, generation: 2, headerKeyId });
      expect(headerKeyId).to.be.a('string').and.not.equal(before!.headerKeyId);
      const moved = (await succeed(site, 'rewrap', sealed, { context: 'note' })) as Bytes;
      expect(moved.$bytes.slice(8, 24)).to.not.deep.equal(sealed.$bytes.slice(8, 24));
      for (const message of [sealed, moved]) {
        const opened = await succeed(site, 'open', message, { context: 'note' });
        expect(opened).to.deep.equal(bytes(1, 2, 3));
      }
      // The header says which key: here, the other one.
      const underOther = [...moved.$bytes.slice(0, 24), ...sealed.$bytes.slice(24)];
      const changed = sealed.$bytes.with(-1, sealed.$bytes.at(-1)! ^ 1);
      const [wrongKey, wrongByte] = [
        await call(site, 'open', bytes(...underOther), { context: 'note' }),
        await call(site, 'open', bytes(...changed), { context: 'note' }),
      ];
      expect(wrongKey).to.include({ ok: false, code: 'AUTH_FAILED' });
      expect(wrongKey).to.deep.equal(wrongByte);
    });

    it('ask the user first where the user picked the key', async () => {
      const capabilities = ['seal'];
      const requested = {
        purpose: 'Share',
        key: { kind: 'sealing', label: 'Shared' },
        capabilities,
      };
      const connecting = call(site, 'connect', requested);
      const request = await session.waitForTab('prompt.html');
      // The keys of other files of this browser are offered too.
      await request.click('#key-new');
      await answerPrompt(session);
      const outcome = await connecting;
      const [grant] = (outcome as unknown as { value: readonly { keyId: string }[] }).value;
      const asked = call(site, 'rotateKey', grant!.keyId);
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#rotated-key');
      await answerPrompt(session);
      const rotated = await asked;
      expect(rotated.ok && rotated.value).to.include({ generation: 2 });
    });
  });
}
