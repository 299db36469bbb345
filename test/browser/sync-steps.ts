import type { BrowserSession, Tab } from './drivers/driver.ts';

/* What a person does with sync keys. */

/** The manager, with the form for sync keys from elsewhere open. */
export async function openImport(session: BrowserSession): Promise<Tab> {
  const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
  await manager.click('#advanced-keys > summary');
  await manager.click('#import-sync-title');
  await manager.waitFor('#import-sync-secret');
  return manager;
}

/** Imports the key of a Mozilla account in the manager: records of Firefox Sync. @param kB in hex */
export async function importSyncKey(
  session: BrowserSession,
  label: string,
  kB: string,
): Promise<void> {
  const manager = await openImport(session);
  const before = await manager.evaluate(comparable);
  await manager.type('#import-sync-label', label);
  await manager.type('#import-sync-secret', kB);
  await manager.press('Enter');
  await manager.waitUntil(
    (count) => document.querySelectorAll('#keys .compare-sync-key').length > count,
    {},
    before,
  );
  await manager.close();
}

/** How many sync keys the manager shows. */
function comparable(): number {
  return document.querySelectorAll('#keys .compare-sync-key').length;
}

/** In the prompt that is about to come: the key of that name. */
export async function pickNamedKey(session: BrowserSession, label: string): Promise<void> {
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#collections');
  const before = await prompt.evaluate((name) => {
    const choices = [...document.querySelectorAll('.choice')];
    return choices.findIndex(({ textContent }) => textContent.includes(name));
  }, label);
  await prompt.click(`.choice:nth-of-type(${before + 1}) input`);
}

/** In the prompt that is about to come: the first of the keys that are offered, or a new one. */
export async function pickKey(session: BrowserSession, which: 'first' | 'new'): Promise<void> {
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#collections');
  await prompt.click(which === 'new' ? '#key-new' : '.choice:nth-of-type(1) input');
}
