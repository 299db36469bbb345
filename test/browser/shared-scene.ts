import type { BrowserName, Tab } from './drivers/driver.ts';
import { openVaultScene, type Scene } from './scene.ts';
import { serve } from './server.ts';
import { openEnabledSite } from './steps.ts';

/*
 * One browser with an open vault for several test files of a process, because a start of the browser and a new
 * vault cost more than most tests. Each file has a server, and so an origin, of its own: it shares no grants, keys
 * or cooldowns with others. What it shares: the hosts of both origins may be enabled already, and the vault holds
 * keys of earlier files.
 *
 * For files that leave the vault open, their tabs closed and no field marked. Files about new vaults, about sites
 * that are not enabled, and with a browser or an extension that was changed open their own browser (scene.ts).
 */
const scenes = new Map<BrowserName, Promise<Scene>>();

// At the root of mocha, after all files.
after(async () => {
  for (const scene of scenes.values()) {
    const { session, server } = await scene;
    await session.close();
    await server.close();
  }
});

/**
 * A page of an enabled site in the shared browser. Nothing is granted to its origin yet.
 *
 * @param folders that the site serves beside the fixtures
 */
export async function openSharedSiteScene(
  browser: BrowserName,
  ...folders: string[]
): Promise<Scene & { readonly site: Tab }> {
  const shared = scenes.get(browser) ?? openVaultScene(browser);
  scenes.set(browser, shared);
  const { session } = await shared;
  const server = await serve('test/browser/fixtures', ...folders);
  const site = await openEnabledSite(session, `${server.origin}/blank.html`);
  return { session, server, site };
}

/** Ends what this file opened; the browser stays for the next. */
export async function closeSharedSiteScene({
  server,
  site,
}: Pick<Scene, 'server'> & { readonly site: Tab }): Promise<void> {
  await site.close();
  await server.close();
}
