/*
 * The demo without a display: a person's way through it, driven in a headless browser with the
 * built extension. Seals and opens a real picture (a screenshot that this run takes) and a 10 MiB
 * file, prints what happened, and leaves screenshots in artifacts/demo.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserSession, Tab } from '../test/browser/drivers/driver.ts';
import { launch } from '../test/browser/drivers/launch.ts';
import { serve } from '../test/browser/server.ts';
import { createVault, enableSite, openSitePopup } from '../test/browser/steps.ts';

const { values } = parseArgs({ options: { browser: { type: 'string', default: 'chromium' } } });
const ARTIFACTS = resolve('artifacts/demo');
const LARGE_BYTES = 10 * 2 ** 20;

if (values.browser !== 'chromium' && values.browser !== 'firefox') {
  throw new RangeError(`--browser is chromium or firefox, not ${values.browser}`);
}

const say = (line: string) => console.log(line);
const artifact = (name: string) => `${ARTIFACTS}/${values.browser}-${name}`;

function kib(bytes: number): string {
  return bytes < 2 ** 20
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** The user's part: a vault, this site enabled, and a yes in the prompt window. */
async function prepare(session: BrowserSession, page: Tab): Promise<void> {
  await createVault(session);
  say('✔ First run: created a vault with a passphrase (Argon2id).');

  await enableSite(session, page);
  await page.waitUntil(
    () => document.querySelector('#state')?.getAttribute('data-state') === 'found',
  );
  say('✔ Enabled the demo page in the popup; the page found window.sealwright.');

  await page.click('#connect');
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#allow[aria-disabled="false"]');
  await prompt.screenshot(artifact('prompt.png'));
  await prompt.click('#allow');
  await page.waitFor('#state[data-state="connected"]');
  const granted = await openSitePopup(session, page);
  await granted.setViewport(400, 600);
  await granted.screenshot(artifact('popup.png'));
  await granted.close();
  say('✔ The page asked once; the prompt window said who asks for what; allowed.');
}

/** What the demo page offers for download behind a link. */
async function download(page: Tab, selector: string): Promise<Buffer> {
  const base64 = await page.evaluate(async (wanted) => {
    const link = document.querySelector<HTMLAnchorElement>(wanted)!;
    const blob = await (await fetch(link.href)).blob();
    return await new Promise<string>((done) => {
      const reader = new FileReader();
      reader.onload = () => done((reader.result as string).split(',')[1]!);
      reader.readAsDataURL(blob);
    });
  }, selector);
  return Buffer.from(base64, 'base64');
}

/** Waits until the page's log says this of a file; what else it may say is a failure. */
async function logged(page: Tab, words: string): Promise<string> {
  const newest = () => document.querySelector('#log li')?.textContent ?? '';
  await page.waitUntil(
    (wanted) => {
      const line = document.querySelector<HTMLElement>('#log li');
      return line?.textContent.startsWith(wanted) === true || line?.dataset['code'] !== undefined;
    },
    { timeoutMs: 60_000 },
    words,
  );
  const line = await page.evaluate(newest);
  if (!line.startsWith(words)) throw new Error(`the page says: ${line}`);
  return line;
}

/** Seals the file in the page, opens what came of it, and compares. */
async function sealAndOpen(page: Tab, path: string): Promise<void> {
  const before = readFileSync(path);
  await page.chooseFile('#file', path);
  await page.click('#seal');
  await logged(page, `Sealed ${basename(path)}:`);
  const sealed = await download(page, '#sealed-download');
  const sealedPath = `${path}.sealed`;
  writeFileSync(sealedPath, sealed);
  const facts = await page.evaluate(() =>
    [...document.querySelectorAll('#sealed-info dt')].map(
      (term) => `    ${term.textContent}: ${term.nextElementSibling!.textContent}`,
    ),
  );

  await page.chooseFile('#sealed-file', sealedPath);
  await page.click('#open');
  const said = await logged(page, `Opened ${basename(sealedPath)}:`);
  const opened = await download(page, '#opened-download');
  const equal = opened.equals(before);
  const verdict = equal ? '✔' : '✘';
  say(`${verdict} ${basename(path)}: ${kib(before.length)}, sealed ${kib(sealed.length)}`);
  for (const fact of facts) say(fact);
  const magic = sealed.subarray(0, 8).toString('hex').match(/../g)!.join(' ');
  say(`    First bytes: ${magic} …`);
  say(`    ${said} ${equal ? 'Compared: equal to the byte.' : 'Compared: NOT EQUAL.'}`);
  if (!equal) process.exitCode = 1;
}

mkdirSync(ARTIFACTS, { recursive: true });
const server = await serve('examples/demo');
const session = await launch(values.browser);
say(`\nThe Sealwright demo at ${server.origin} in ${session.version}, headless\n`);
try {
  const page = await session.newTab(`${server.origin}/`);
  await page.setViewport(900, 1400);
  await prepare(session, page);

  const picture = artifact('picture.png');
  await page.screenshot(picture);
  await sealAndOpen(page, picture);
  const large = artifact('10-MiB.bin');
  writeFileSync(large, randomBytes(LARGE_BYTES));
  await sealAndOpen(page, large);

  await page.click('#seal-text');
  await page.waitUntil(() =>
    document.querySelector<HTMLTextAreaElement>('#sealed-text')!.value.startsWith('sw1.'),
  );
  await page.click('#open-text');
  await page.waitUntil(() => document.querySelector('#opened-text')!.textContent !== '');
  say(`✔ Text: sealed to one line and opened again: “${await page.text('#opened-text')}”`);
  await page.screenshot(artifact('page.png'));
  say(`\nScreenshots of page, prompt and popup, and the files, are in ${ARTIFACTS}.`);
  say('On a machine with a display, `npm start` opens the browser for you to try it by hand.');
} finally {
  await session.close();
  await server.close();
}
