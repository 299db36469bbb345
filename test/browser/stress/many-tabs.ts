import type { StressResult } from '../../keys/stress.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import type { TestServer } from '../server.ts';
import { enableSite, succeed, waitForPrompts } from '../steps.ts';
import { openSites, revokeInManager, usesInLog } from './manager-steps.ts';
import { Tally } from './tally.ts';

export interface ManyTabsSize {
  readonly tabs: number;
  readonly calls: number;
}

/** What the calls of one tab came to. */
interface Seen {
  readonly ok: number;
  /** By code. */
  readonly refused: Readonly<Record<string, number>>;
  readonly headerKeyIds: readonly string[];
}

const REQUEST = { purpose: 'Stress', capabilities: ['seal', 'open'] };
/** A use of a limited grant is a commit of its own: these are fewer. */
const LIMITED_SHARE = 0.02;

/**
 * Tabs of one site that all ask, are allowed, and call at once, until the user revokes: one key for
 * all of them, every use charged and in the log, and none after the revocation.
 *
 * @param session with an open vault in which this site has no grant
 */
export async function manyTabs(
  session: BrowserSession,
  server: TestServer,
  { tabs: count, calls }: ManyTabsSize,
): Promise<StressResult> {
  const tally = new Tally();
  const tabs = await openTabs(session, server, count);
  const logged = await usesInLog(session, 'seal');
  await allowAll(session, tabs, REQUEST, tally);
  const unlimited = await callInAll(tabs, calls);
  tally.hold(sum(unlimited) === count * calls, `refused: ${codes(unlimited)}`);
  const ids = new Set(unlimited.flatMap(({ headerKeyIds }) => headerKeyIds));
  tally.hold(ids.size === 1, `${ids.size} ids of one key`);
  const recorded = (await usesInLog(session, 'seal')) - logged;
  tally.hold(recorded === sum(unlimited), `the log has ${recorded} uses of ${sum(unlimited)}`);
  await openEachOthers(tabs, tally);

  const limited = Math.max(2, Math.round(calls * LIMITED_SHARE));
  const maxUses = count * limited + 7;
  await allowAll(session, tabs, { ...REQUEST, maxUses }, tally);
  const charged = await callInAll(tabs, limited);
  const left = await usesLeft(tabs[0]!);
  tally.hold(sum(charged) === count * limited, `refused: ${codes(charged)}`);
  tally.hold(left === 7, `${left} uses left of 7: uses were lost, or charged twice`);

  const total = await revokedWhile(session, tabs, calls, tally);
  tally.trials = count * (calls + limited) + total;
  for (const tab of tabs) await tab.close();
  return tally.result();
}

async function openTabs(session: BrowserSession, server: TestServer, count: number) {
  const tabs: Tab[] = [];
  for (let i = 0; i < count; i++) {
    const tab = await session.newTab(`${server.origin}/blank.html?tab=${i}`);
    if (i === 0) await enableSite(session, tab);
    await tab.waitUntil(() => 'sealwright' in globalThis, { timeoutMs: 60_000 });
    tabs.push(tab);
  }
  return tabs;
}

/** All tabs ask at once: one question, one grant, one key. */
async function allowAll(
  session: BrowserSession,
  tabs: readonly Tab[],
  requested: object,
  tally: Tally,
): Promise<void> {
  const asking = tabs.map((tab) => succeed(tab, 'connect', requested));
  const prompt = await session.waitForTab('prompt.html', 60_000);
  await prompt.waitFor('#allow[aria-disabled="false"]', 60_000);
  tally.hold((await session.countTabs('prompt.html')) === 1, 'more than one question');
  await prompt.click('#allow');
  const grants = (await Promise.all(asking)) as { id: string; keyId: string }[][];
  tally.hold(new Set(grants.map(([grant]) => grant!.id)).size === 1, 'more than one grant');
  tally.hold(new Set(grants.map(([grant]) => grant!.keyId)).size === 1, 'more than one key');
  await waitForPrompts(session, 0);
}

const callInAll = (tabs: readonly Tab[], calls: number): Promise<Seen[]> =>
  Promise.all(tabs.map((tab) => callAtOnce(tab, calls)));

/** So many calls of one tab, all begun before the first is answered. */
function callAtOnce(tab: Tab, calls: number): Promise<Seen> {
  return tab.evaluate(async (count) => {
    interface Api {
      seal(data: Uint8Array): Promise<Uint8Array>;
      inspect(sealed: Uint8Array): Promise<{ headerKeyId: string }>;
    }
    const { sealwright } = globalThis as unknown as { sealwright: Api };
    const refused: Record<string, number> = {};
    const sealed: Uint8Array[] = [];
    const begun = Array.from({ length: count }, (_, i) =>
      sealwright.seal(Uint8Array.of(i)).then(
        (message) => void sealed.push(message),
        (error: unknown) => {
          const { code } = error as { code: string };
          refused[code] = (refused[code] ?? 0) + 1;
        },
      ),
    );
    await Promise.all(begun);
    const some = sealed.filter((_, i) => i % 50 === 0);
    const infos = await Promise.all(some.map((message) => sealwright.inspect(message)));
    const headerKeyIds = [...new Set(infos.map(({ headerKeyId }) => headerKeyId))];
    return { ok: sealed.length, refused, headerKeyIds };
  }, calls);
}

/** What one tab has sealed, the next one opens: they have the same key. */
async function openEachOthers(tabs: readonly Tab[], tally: Tally): Promise<void> {
  for (const [i, tab] of tabs.entries()) {
    const sealed = await succeed(tab, 'sealText', `tab ${i}`);
    const opened = await succeed(tabs[(i + 1) % tabs.length]!, 'openText', sealed);
    tally.hold(opened === `tab ${i}`, `tab ${i + 1} does not open what tab ${i} has sealed`);
  }
}

async function usesLeft(tab: Tab): Promise<number> {
  const [grant] = (await succeed(tab, 'grants')) as { usesLeft: number }[];
  return grant!.usesLeft;
}

/** The user takes the grant back while all call. @returns how many calls that were */
async function revokedWhile(
  session: BrowserSession,
  tabs: readonly Tab[],
  calls: number,
  tally: Tally,
): Promise<number> {
  const manager = await openSites(session);
  await allowAll(
    session,
    tabs,
    { ...REQUEST, purpose: 'Until revoked', expiresInMs: 3_600_000 },
    tally,
  );
  const before = await usesInLog(session, 'seal');
  const calling = callInAll(tabs, calls);
  await revokeInManager(manager);
  const seen = await calling;
  const isOther = ({ refused }: Seen) =>
    Object.keys(refused).some((code) => code !== 'NOT_GRANTED');
  tally.hold(!seen.some(isOther), `refused otherwise: ${codes(seen)}`);
  tally.count('answered before the revocation', sum(seen));
  const late = await callInAll(tabs, 20);
  tally.hold(sum(late) === 0, `${sum(late)} calls answered after the revocation`);
  // A use may be charged and its answer taken back: never the other way round.
  const charged = (await usesInLog(session, 'seal')) - before;
  tally.hold(charged >= sum(seen), `${sum(seen) - charged} answers are missing in the log`);
  await manager.close();
  return tabs.length * (calls + 20);
}

const sum = (seen: readonly Seen[]): number => seen.reduce((all, { ok }) => all + ok, 0);
const codes = (seen: readonly Seen[]): string => JSON.stringify(seen.map(({ refused }) => refused));
