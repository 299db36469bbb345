import { WELCOME_PAGE } from './drivers/driver.ts';
import type { BrowserName, BrowserSession, LaunchOptions, Tab } from './drivers/driver.ts';
import { launch } from './drivers/launch.ts';
import { serve, type TestServer } from './server.ts';
import { createVault, openEnabledSite } from './steps.ts';

/** Where most tests begin. */
export interface Scene {
  readonly session: BrowserSession;
  /** Serves test/browser/fixtures on two origins, or the page under test. */
  readonly server: TestServer;
}

/** A browser with the extension and an open vault in it. */
export async function openVaultScene(
  browser: BrowserName,
  options: Partial<LaunchOptions> = {},
): Promise<Scene> {
  const opensFirstRun = browser === 'firefox' && options.profile === undefined;
  const [session, server] = await Promise.all([
    launch(browser, { ...(opensFirstRun && { keepsWelcome: true }), ...options }),
    serve('test/browser/fixtures'),
  ]);
  // Chromium has lost the tab of the installation by its second one (installWithHosts).
  await createVault(session, opensFirstRun ? await session.waitForTab(WELCOME_PAGE) : undefined);
  return { session, server };
}

/** The same, with a page of an enabled site in front. Nothing is granted yet. */
export async function openSiteScene(browser: BrowserName): Promise<Scene & { readonly site: Tab }> {
  const { session, server } = await openVaultScene(browser);
  const site = await openEnabledSite(session, `${server.origin}/blank.html`);
  return { session, server, site };
}

export async function closeScene({ session, server }: Scene): Promise<void> {
  await session.close();
  await server.close();
}
