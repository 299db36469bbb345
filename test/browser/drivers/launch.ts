import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/**
 * Starts a fresh profile of the browser with the built extension in it.
 *
 * @throws Error where it was not built
 */
export async function launch(
  name: BrowserName,
  options: Partial<LaunchOptions> = {},
): Promise<BrowserSession> {
  const { extensionFolder = resolve(`dist/${name}`) } = options;
  requireBuilt(join(extensionFolder, 'manifest.json'));
  return LAUNCHERS[name]({
    extensionFolder,
    allowedHosts: ['http://localhost/*', 'http://127.0.0.1/*'],
    ...options,
  });
}

/** @throws Error where this file of the build is not there, which says what to do */
export function requireBuilt(path: string): void {
  if (!existsSync(path)) throw new Error(`There is no ${path}: run npm run build first`);
}
