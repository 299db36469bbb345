/*
 * Draws the toolbar icons from extension/icons/mark.svg in headless Chromium. The PNGs are checked
 * in, because a build must not need a browser; run this after changing the mark.
 */
import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

const SIZES = [16, 32, 48, 128];
const FOLDER = 'extension/icons';

const mark = readFileSync(`${FOLDER}/mark.svg`, 'utf8');
/** By the beginning of the file's path. The locked one stands in the toolbar alone. */
const ICONS = [
  { path: `${FOLDER}/icon`, drawing: mark, sizes: SIZES },
  { path: `${FOLDER}/icon-locked`, drawing: mark.replace('#0b7581', '#74828b'), sizes: [16, 32] },
  {
    path: 'extension/test-zip/icons/test',
    drawing: mark.replace('#0b7581', '#b00020'),
    sizes: [128],
  },
];
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  const page = await browser.newPage();
  for (const { path: start, drawing, sizes } of ICONS) {
    for (const size of sizes) {
      await page.setViewport({ width: size, height: size });
      const style = `<style>body { margin: 0 } svg { display: block; width: ${size}px }</style>`;
      await page.setContent(style + drawing);
      const path = `${start}-${size}.png`;
      await page.screenshot({ path, omitBackground: true });
      console.log(path);
    }
  }
} finally {
  await browser.close();
}
