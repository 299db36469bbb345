import { resolve } from 'node:path';
import { launchChromium } from './chromium.ts';
import type { BrowserName, BrowserSession, LaunchOptions } from './driver.ts';
import { launchFirefox } from './firefox.ts';

const LAUNCHERS = { chromium: launchChromium, firefox: launchFirefox } as const;

/** The browsers to test in: both, or those named in $BROWSERS ("chromium", "firefox"). */
export const BROWSERS: readonly BrowserName[] = (process.env.BROWSERS ?? 'chromium,firefox')
  .split(',')
  .map((name) => {
    if (name !== 'chromium' && name !== 'firefox') throw new RangeError(`unknown browser ${name}`);
    return name;
  });

/** Starts a fresh profile of the browser with the built extension in it. */
export function launch(
  name: BrowserName,
  options: Partial<LaunchOptions> = {},
): Promise<BrowserSession> {
  return LAUNCHERS[name]({
    extensionFolder: resolve(`dist/${name}`),
    allowedHosts: ['http://localhost/*', 'http://127.0.0.1/*'],
    ...options,
  });
}
