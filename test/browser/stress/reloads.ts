import type { StressResult } from '../../keys/stress.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import type { TestServer } from '../server.ts';
import { connect, enableSite, succeed, unlockVault } from '../steps.ts';
import { revokeAll } from './manager-steps.ts';
import { Tally } from './tally.ts';

export interface ReloadsSize {
  readonly tabs: number;
  readonly reloads: number;
}

/**
 * The extension is reloaded, as an update does, under open tabs: the object that each page has held
 * from the beginning works again, without the page being reloaded, and nothing throws in any.
 */
export async function reloads(
  session: BrowserSession,
  server: TestServer,
  { tabs: count, reloads: times }: ReloadsSize,
): Promise<StressResult> {
  const tally = new Tally();
  const tabs = await openTabs(session, server, count);
  await connect(session, tabs[0]!);
  const sealed = await succeed(tabs[0]!, 'sealText', 'before the first reload');
  const uncaughtBefore = session.uncaught.length;
  for (let round = 1; round <= times; round++) {
    await session.reloadExtension();
    for (const [i, tab] of tabs.entries()) await answers(tab, `tab ${i}, reload ${round}`, tally);
  }
  await unlockVault(session);
  for (const [i, tab] of tabs.entries()) {
    const opened = await succeed(tab, 'openText', sealed);
    tally.hold(opened === 'before the first reload', `tab ${i} does not open after all`);
    const state = await tab.evaluate(() => {
      const { kept } = globalThis as unknown as { kept: { api: unknown; errors: string[] } };
      return { same: kept.api === (globalThis as { sealwright?: unknown }).sealwright, ...kept };
    });
    tally.hold(state.same, `tab ${i} has another object than before`);
    for (const error of state.errors) tally.hold(false, `tab ${i}: ${error}`);
  }
  const uncaught = session.uncaught.slice(uncaughtBefore);
  tally.count('uncaught errors', uncaught.length);
  for (const error of uncaught) tally.hold(false, `uncaught: ${error}`);
  for (const tab of tabs) await tab.close();
  await revokeAll(session);
  return tally.result();
}

async function openTabs(session: BrowserSession, server: TestServer, count: number) {
  const tabs: Tab[] = [];
  for (let i = 0; i < count; i++) {
    const tab = await session.newTab(`${server.origin}/blank.html?open=${i}`);
    if (i === 0) await enableSite(session, tab);
    await tab.waitUntil(() => 'sealwright' in globalThis, { timeoutMs: 60_000 });
    await tab.evaluate(() => {
      const page = globalThis as unknown as { sealwright: unknown; kept: object };
      const errors: string[] = [];
      addEventListener('error', (event) => errors.push(event.message));
      addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
      page.kept = { api: page.sealwright, errors };
    });
    tabs.push(tab);
  }
  return tabs;
}

/** Asked once, through the object that the page has held all along: a call may wait, not fail. */
async function answers(tab: Tab, title: string, tally: Tally): Promise<void> {
  const outcome = await tab.evaluate(async () => {
    interface Api {
      status(): Promise<{ locked: boolean }>;
    }
    const { api } = (globalThis as unknown as { kept: { api: Api } }).kept;
    const began = performance.now();
    const call = async (): Promise<string> => {
      try {
        return (await api.status()).locked ? 'locked' : 'unlocked';
      } catch (error) {
        const { code = 'thrown' } = error as { code?: string };
        if (code !== 'DISCONNECTED' || performance.now() - began > 30_000) return code;
        // Told that the extension has gone: the page asks again, as the contract says.
        await new Promise((resume) => setTimeout(resume, 50));
        return call();
      }
    };
    return { answer: await call(), ms: performance.now() - began };
  });
  tally.trials++;
  tally.count(outcome.answer);
  tally.hold(/locked/.test(outcome.answer), `${title}: ${outcome.answer}`);
}
