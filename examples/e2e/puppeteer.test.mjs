import { strictEqual } from 'node:assert';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { PORT, server } from './serve.mjs';

let browser;
let user;

before(async () => {
  browser = await puppeteer.launch({
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : { channel: 'chrome' }),
    pipe: true,
    enableExtensions: [resolve(process.env.SEALWRIGHT_TEST ?? 'sealwright-test')],
    args: process.env.NO_SANDBOX ? ['--no-sandbox'] : [],
  });
  const target = await browser.waitForTarget(
    (one) => one.type() === 'service_worker' && one.url().endsWith('/test-background.js'),
  );
  user = await target.worker();
  // The browser tells of the worker before its script has run.
  while (!(await user.evaluate(() => 'sealwrightTest' in globalThis))) continue;
  await user.evaluate(() => globalThis.sealwrightTest.createVault());
});

after(async () => {
  await browser.close();
  server.close();
});

test('a note is sealed, and opened again', async () => {
  const page = await browser.newPage();
  await page.goto(`http://localhost:${PORT}`);
  const says = (id, text) =>
    page.waitForFunction((i, t) => document.querySelector(i).textContent === t, {}, id, text);
  await says('#state', 'Found');
  await page.click('#connect');
  await says('#state', 'Connected');
  await page.type('#note', 'Bread and butter');
  await page.click('#seal');
  await says('#opened', 'Bread and butter');
  const prompts = await user.evaluate(() => globalThis.sealwrightTest.prompts());
  strictEqual(prompts.length, 1);
});
