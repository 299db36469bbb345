import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where `npm run wpt` unpacks them. */
const CACHE = '.cache/wpt';

/** The folder with the web-platform-tests' WebCryptoAPI and resources in it, if there is one. */
export function wptFolder(): string | undefined {
  const folder = resolve(process.env.SEALWRIGHT_WPT ?? CACHE);
  return existsSync(join(folder, 'resources/testharness.js')) ? folder : undefined;
}
