/*
 * The demo with a display: serves the page, opens a browser with the extension in a fresh profile,
 * and says what to do. Ends with the browser, or with Ctrl-C.
 */
import { parseArgs } from 'node:util';
import { launch } from '../test/browser/drivers/launch.ts';
import { serve } from '../test/browser/server.ts';

const { values } = parseArgs({ options: { browser: { type: 'string', default: 'chromium' } } });
if (values.browser !== 'chromium' && values.browser !== 'firefox') {
  throw new RangeError(`--browser is chromium or firefox, not ${values.browser}`);
}

const server = await serve('examples/demo');
const session = await launch(values.browser, {
  headless: false,
  allowedHosts: [],
  keepsWelcome: true,
});
await session.newTab(`${server.origin}/`);
console.log(`
The Sealwright demo is at ${server.origin} in ${session.version}, with a fresh profile.

  1. In the tab "Welcome to Sealwright", choose a passphrase: this creates your vault.
  2. Keep the recovery code that it shows, and try out sealing there.
  3. On the demo page, click the Sealwright button in the toolbar (in Chromium perhaps behind the
     puzzle piece) and choose "Enable on this site".
  4. Press Connect on the page, and allow it in the window that opens.
  5. Seal a file, open it again; change a byte of it and see what happens.

Close the browser or press Ctrl-C to end.`);

const end = async () => {
  await session.close().catch(() => undefined);
  await server.close();
  process.exit(0);
};
process.once('SIGINT', () => void end());
await session.closed;
await end();
