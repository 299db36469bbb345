import { timesAsFast } from '../figures.ts';
import { JS } from '../names.ts';
import { COLOURS, lines } from '../plot.ts';
import { Readings } from '../result.ts';
import { sizeName } from '../row.ts';
import { runInBrowser } from '../run-in-browser.ts';
import type { Plot, Suite } from '../suite.ts';
import { CARD_SIZES, cardRow, nameOnCard, YANG } from './names.ts';

const MEBIBYTE = 1 << 20;
/** What the project asks of a card; the work of 2013 says "more than 10 ×". */
const ASKED = { chromium: 10, firefox: 10 } as const;

const CARDS = ['Sealwright webgl', 'Sealwright webgpu'] as const;

/** As Figure 3, logarithmic both ways. */
const plotSizes: Plot = {
  name: 'sizes',
  alternative: 'AES-128-ECB by length of the message: cards, our engines on the processor, sjcl',
  draw: (result) => {
    const readings = new Readings(result.rows);
    const colours = Object.values(COLOURS);
    const names = [
      ...new Set(result.rows.flatMap(({ results }) => results.map((one) => one.name))),
    ];
    const series = names.map((name, i) => ({
      name,
      colour: colours[i % colours.length]!,
      values: CARD_SIZES.map((size) => {
        const rate = readings.throughput(cardRow(size), name);
        return rate && rate / 1e6;
      }),
    }));
    const title = 'AES-128-ECB, with all transfers';
    const categories = CARD_SIZES.map(sizeName);
    return lines({ title, unit: 'MB/s', categories, series, logarithmic: true }, result);
  },
};

/** Software rasterizers, unless `SEALWRIGHT_CARD` says that there is a card, which Chromium reaches by Vulkan. */
const SWITCHES = {
  chromium:
    process.env['SEALWRIGHT_CARD'] === undefined
      ? [
          '--enable-unsafe-webgpu',
          '--use-webgpu-adapter=swiftshader',
          '--use-angle=swiftshader',
          '--enable-unsafe-swiftshader',
        ]
      : [
          '--enable-unsafe-webgpu',
          '--ignore-gpu-blocklist',
          '--use-angle=vulkan',
          '--enable-features=Vulkan',
        ],
  firefox: { 'dom.webgpu.enabled': true, 'dom.webgpu.workers.enabled': true },
} as const;

export const gpu: Suite = {
  name: 'gpu',
  title: 'AES on a graphics card',
  runIn: async (name, request, tell) => ({
    platform: await runInBrowser(name, 'bench/gpu/rows.ts', request, tell, { switches: SWITCHES }),
  }),
  largest: 1 << 26,
  figures: [
    ...CARDS.flatMap((card) => [
      timesAsFast(cardRow(MEBIBYTE), card, 'sjcl', ASKED),
      timesAsFast(cardRow(MEBIBYTE), card, YANG, {}),
      timesAsFast(cardRow(1 << 26), card, JS, {}),
    ]),
    // Reported where there is no card: they say that the code runs, and nothing of a card.
    ...CARDS.map((card) =>
      timesAsFast(cardRow(MEBIBYTE), nameOnCard(card, true), nameOnCard(YANG, true), {}),
    ),
  ],
  plots: [plotSizes],
};
