import { launch } from '../../test/browser/drivers/launch.ts';
import { importSyncKey, pickKey } from '../../test/browser/sync-steps.ts';
import { serve } from '../../test/browser/server.ts';
import { call, createVault, openEnabledSite, answerPrompt } from '../../test/browser/steps.ts';
import type { BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';
import type { SyncFigures } from '../result.ts';
import type { BrowserRun } from '../suite.ts';
import { timeRecords, type RecordTimes } from './in-page.ts';

const ECHO_EXTENSION = 'bench/lane/echo-extension';
const RECORDS = 10_000;
/** Each origin may make 50,000 calls at once, and every record is one. */
const TURNS = 2;

/** The built extension in a page, beside a bare echo of the same bytes and single awaited calls. */
export const runSync: BrowserRun = async (name) => {
  const server = await serve('test/browser/fixtures');
  const session = await launch(name, { besides: [ECHO_EXTENSION] });
  try {
    await createVault(session);
    await importSyncKey(session, 'Firefox', '07'.repeat(32));
    const site = await openEnabledSite(session, `${server.origin}/blank.html?isolated`);
    const weave = await grantedKey(session, site, 'first');
    await site.evaluate(async (key) => {
      interface Api {
        createCollectionKeys(collections: string[], options: object): Promise<object>;
      }
      const { sync } = (globalThis as unknown as { sealwright: { sync: Api } }).sealwright;
      await sync.createCollectionKeys([], { key });
    }, weave);
    const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?isolated`);
    const newKey = await grantedKey(session, other, 'new');
    const sync = [
      figuresOf('weave-5', await site.evaluate(timeRecords, weave, RECORDS, TURNS)),
      figuresOf('sealwright', await other.evaluate(timeRecords, newKey, RECORDS, TURNS)),
    ];
    return { platform: session.version, extras: { sync } };
  } finally {
    await session.close();
    await server.close();
  }
};

/** @returns the id that the page has for the key */
async function grantedKey(session: BrowserSession, site: Tab, which: 'first' | 'new') {
  const key = { kind: 'sync', label: which, collections: ['bench'] };
  const asked = call(site, 'connect', { purpose: 'To measure', key, capabilities: ['sync'] });
  await pickKey(session, which);
  await answerPrompt(session);
  const outcome = await asked;
  if (!outcome.ok) throw new Error(outcome.message);
  return (outcome.value as { keyId: string }[])[0]!.keyId;
}

function figuresOf(format: string, times: RecordTimes): SyncFigures {
  return {
    format,
    encryptPerSecond: 1e3 / times.encrypt,
    decryptPerSecond: 1e3 / times.decrypt,
    encryptOverEcho: times.echoPlain / times.encrypt,
    decryptOverEcho: times.echoEncrypted / times.decrypt,
    encryptSpeedup: times.singleEncrypt / times.encrypt,
    decryptSpeedup: times.singleDecrypt / times.decrypt,
  };
}
