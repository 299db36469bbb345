import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { auditLogSaved } from '../steps.ts';

/** Takes back all that sites may do, by clicks, in the manager. Resolves when it is done. */
export async function revokeInManager(manager: Tab): Promise<void> {
  const grants = () => manager.evaluate(() => document.querySelectorAll('.grant').length);
  for (let left = await grants(); left > 0; left = await grants()) {
    await manager.click('.grant .button');
    await manager.click('.confirm .button-danger');
    // The row of a revoked grant stays, and says so.
    const isFewer = (count: number) => document.querySelectorAll('.grant').length < count;
    await manager.waitUntil(isFewer, {}, left);
    await manager.waitUntil(() => document.querySelector('[aria-busy="true"]') === null);
  }
}

/** The same, in a tab of its own: what asks next is not answered from what was allowed before. */
export async function revokeAll(session: BrowserSession): Promise<void> {
  const manager = await openSites(session);
  await revokeInManager(manager);
  await manager.close();
}

/** The manager at its sites, with what the first one may do in sight. */
export async function openSites(session: BrowserSession): Promise<Tab> {
  const manager = await session.newTab(session.extensionUrl('manager.html#sites'));
  await manager.click('#sites summary');
  await manager.waitFor('.grant');
  return manager;
}

/** How often keys were used with this result, as the activity view tells it. */
export async function usesInLog(
  session: BrowserSession,
  operation: string,
  result = 'done',
): Promise<number> {
  await auditLogSaved();
  const manager = await session.newTab(session.extensionUrl('manager.html#activity'));
  await manager.waitFor('#activity-count', 30_000);
  const uses = await manager.evaluate(
    (name, wanted) =>
      Array.from(document.querySelectorAll('.activity dl'), (list) => {
        const facts = Array.from(list.querySelectorAll('dd'), (fact) => fact.textContent);
        const at = facts.indexOf(name);
        return at > 0 && facts[at + 1] === wanted ? Number(facts[at + 2]!.replace(/\D/g, '')) : 0;
      }).reduce((sum, count) => sum + count, 0),
    operation,
    result,
  );
  await manager.close();
  return uses;
}
