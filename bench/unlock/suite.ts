import { atLeast, atMost, type Asked, type Figure } from '../figures.ts';
import type { UnlockExtras } from '../result.ts';
import type { Suite } from '../suite.ts';
import { runUnlock } from './run-unlock.ts';

const inBrowsers = (value: number): Asked => ({ chromium: value, firefox: value });
const figure =
  (make: typeof atMost, unit: Figure['unit']) =>
  (what: string, asked: number, read: (unlock: UnlockExtras) => number | undefined): Figure =>
    make(what, unit, inBrowsers(asked), ({ unlock }) => unlock && read(unlock));

export const unlock: Suite = {
  name: 'unlock',
  title: 'Calibration and unlock',
  runIn: runUnlock,
  largest: 0,
  figures: [
    // RFC 9106 section 4, second recommended option, and more passes.
    figure(atLeast, 'ms')('unlock, fastest of all', 500, ({ fastestMs }) => fastestMs),
    figure(atMost, 'ms')('unlock, slowest of all', 1200, ({ slowestMs }) => slowestMs),
    figure(atLeast, 'bytes')('least memory', 64 * 2 ** 20, (each) => each.leastMemoryBytes),
    figure(atLeast, 'passes')('least passes', 3, ({ leastPasses }) => leastPasses),
    figure(atLeast, 'lanes')('least lanes', 4, ({ leastLanes }) => leastLanes),
    // What feels immediate: https://web.dev/articles/rail
    figure(atMost, 'ms')('popup: longest frame meanwhile', 100, (each) => each.longestFrameMs),
    figure(atMost, 'ms')('file with a passphrase', 2000, (each) => each.passphraseFileMs),
    figure(atMost, 'ms')('Cancel, until it asks again', 100, ({ cancelMs }) => cancelMs),
  ],
  plots: [],
};
