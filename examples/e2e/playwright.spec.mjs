import { resolve } from 'node:path';
import { chromium, expect, test as base } from 'playwright/test';

const EXTENSION = resolve(process.env.SEALWRIGHT_TEST ?? 'sealwright-test');
const APP = `http://localhost:${process.env.PORT ?? 8400}`;

/** A browser with the extension and a new vault for each test: `user` is who has it. */
const test = base.extend({
  context: async ({}, use) => {
    const context = await chromium.launchPersistentContext('', {
      channel: 'chromium',
      executablePath: process.env.CHROMIUM,
      args: [`--disable-extensions-except=${EXTENSION}`, `--load-extension=${EXTENSION}`],
    });
    await use(context);
    await context.close();
  },
  user: async ({ context }, use) => {
    const [running] = context.serviceWorkers();
    const worker = running ?? (await context.waitForEvent('serviceworker'));
    // The browser tells of the worker before its script has run.
    while (!(await worker.evaluate(() => 'sealwrightTest' in globalThis))) continue;
    await worker.evaluate(() => globalThis.sealwrightTest.createVault());
    await use({
      answers: (answers) => worker.evaluate((a) => globalThis.sealwrightTest.answers(a), answers),
      lock: () => worker.evaluate(() => globalThis.sealwrightTest.lock()),
      prompts: () => worker.evaluate(() => globalThis.sealwrightTest.prompts()),
      revoke: (origin) => worker.evaluate((o) => globalThis.sealwrightTest.revoke(o), origin),
    });
  },
});

test('a note is sealed, and opened again', async ({ page, user }) => {
  await page.goto(APP);
  await page.click('#connect');
  await expect(page.locator('#state')).toHaveText('Connected');
  await page.fill('#note', 'Bread and butter');
  await page.click('#seal');
  await expect(page.locator('#opened')).toHaveText('Bread and butter');
  await expect(page.locator('#stored')).not.toContainText('butter');
  expect(await user.prompts()).toMatchObject([{ purpose: 'Keep your note private' }]);
});

test('the app says that its user said no', async ({ page, user }) => {
  await user.answers('deny');
  await page.goto(APP);
  await page.click('#connect');
  await expect(page.locator('#state')).toHaveText('USER_REJECTED');
});

test('the app says that its user took the permission back', async ({ page, user }) => {
  await page.goto(APP);
  await page.click('#connect');
  await expect(page.locator('#state')).toHaveText('Connected');
  await user.revoke(APP);
  await page.click('#seal');
  await expect(page.locator('#state')).toHaveText('NOT_GRANTED');
});

test('a connection unlocks what its user locked', async ({ page, user }) => {
  await page.goto(APP);
  await page.click('#connect');
  await expect(page.locator('#state')).toHaveText('Connected');
  await user.lock();
  await expect(page.locator('#state')).toHaveText('Locked');
  await page.click('#connect');
  await expect(page.locator('#state')).toHaveText('Connected');
});
