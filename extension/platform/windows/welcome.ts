import type { Runtime, Tabs } from 'webextension-polyfill';

/** The name of the first run in the manager's address. */
export const WELCOME = 'welcome';

/** The first run as a page of the package. */
export const WELCOME_PAGE = `manager.html#${WELCOME}`;

interface WelcomeDeps {
  readonly runtime: Pick<Runtime.Static, 'onInstalled' | 'getURL'>;
  readonly tabs: Pick<Tabs.Static, 'create'>;
}

/**
 * Opens the first run in a tab after the installation, once: not after updates, and not where the
 * browser reports an installation again.
 *
 * @param markFirstRun resolves to whether this is the first run (Vault.markFirstRun)
 */
export function welcomeAfterInstall(
  { runtime, tabs }: WelcomeDeps,
  markFirstRun: () => Promise<boolean>,
): void {
  const welcome = async () => {
    if (await markFirstRun()) await tabs.create({ url: runtime.getURL(WELCOME_PAGE) });
  };
  runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'install') void welcome();
  });
}
