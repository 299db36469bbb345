import { atLeast, atMost, timesAsFast, type Asked, type Figure } from '../figures.ts';
import type { LaneExtras } from '../result.ts';
import { rowName } from '../row.ts';
import type { Suite } from '../suite.ts';
import { plotLane } from './plots.ts';
import { runLane } from './run-lane.ts';
import {
  ECHO,
  ECHO_OF_16,
  JSON_BASE64,
  laneRow,
  MIDDLE_SIZES,
  OURS,
  WEBCRYPTO,
  WEBCRYPTO_CHUNKS,
  WEBCRYPTO_SAME,
} from './task.ts';

const MIB = 2 ** 20;
const inBrowsers = (value: number): Asked => ({ chromium: value, firefox: value });

/** The time of a call over that of the way there and back and of the cipher, each with its allowance. */
function overWayAndCipher(operation: 'seal' | 'open', bytes: number): Figure {
  const row = laneRow(operation, bytes);
  return {
    what: `${rowName(row)}: time over 1.4 × an echo of 16 bytes + 1.5 × crypto.subtle on the same chunks`,
    asked: inBrowsers(1),
    bound: 'at most',
    unit: '×',
    uses: [{ row, names: [OURS, ECHO_OF_16, WEBCRYPTO_SAME] }],
    measure: (readings) => {
      const [ours, echo, cipher] = [OURS, ECHO_OF_16, WEBCRYPTO_SAME].map((name) =>
        readings.median(row, name),
      );
      return ours && echo && cipher && ours / (1.4 * echo + 1.5 * cipher);
    },
  };
}

/** Rows above are timed as they come, in turns of some dozen calls; this is what a busy page sees. */
function overEcho(latency: LaneExtras['latency'] = []): number | undefined {
  const medianOf = (name: string) => latency.find((one) => one.name === name)?.medianMs;
  const [ours, echo] = [medianOf(OURS), medianOf(ECHO)];
  return ours === undefined || echo === undefined ? undefined : ours / echo;
}

const percentOver = (ratio: number | undefined): number | undefined =>
  ratio === undefined ? undefined : 100 * (ratio - 1);

/** How much longer the first call took after the pause than a warm one, at the worst length. */
function idleExtraMs(idle: LaneExtras['idle'] = []): number | undefined {
  if (idle.length === 0) return undefined;
  return Math.max(...idle.map(({ firstMs, warmMs }) => firstMs - warmMs));
}

export const lane: Suite = {
  name: 'lane',
  title: 'Through the extension',
  runIn: runLane,
  largest: 1024 * MIB,
  figures: [
    ...MIDDLE_SIZES.map((bytes) => overWayAndCipher('seal', bytes)),
    ...MIDDLE_SIZES.map((bytes) => overWayAndCipher('open', bytes)),
    timesAsFast(laneRow('seal', 64 * MIB), OURS, WEBCRYPTO, inBrowsers(0.85)),
    timesAsFast(laneRow('open', 64 * MIB), OURS, WEBCRYPTO, inBrowsers(0.85)),
    timesAsFast(laneRow('sealStream', 1024 * MIB), OURS, WEBCRYPTO_CHUNKS, inBrowsers(0.85)),
    timesAsFast(laneRow('openStream', 1024 * MIB), OURS, WEBCRYPTO_CHUNKS, inBrowsers(0.85)),
    timesAsFast(laneRow('seal', 16 * MIB), OURS, JSON_BASE64, inBrowsers(10)),
    atMost(
      'seal of 16 bytes, median of a warm call: over that of an echo over the ports',
      '×',
      inBrowsers(1.3),
      (extras) => overEcho(extras.lane?.latency),
    ),
    atMost(
      'open of 16 bytes, median of a warm call: over that of an echo over the ports',
      '×',
      inBrowsers(1.3),
      (extras) => overEcho(extras.lane?.openLatency),
    ),
    atMost(
      'open of 16 bytes, median of turns of warm calls: with its openings counted, by hour and against maxPerHour, over without',
      '%',
      inBrowsers(2),
      (extras) => percentOver(extras.lane?.counting?.medianRatio),
    ),
    atMost(
      'open of 16 bytes, all warm calls: the same, commits that count openings in advance included',
      '%',
      {},
      (extras) => percentOver(extras.lane?.counting?.totalRatio),
    ),
    atMost(
      'seal after 40 s without a call, in Chromium with its background ended: more than a warm call',
      'ms',
      { chromium: 150 },
      (extras) => idleExtraMs(extras.lane?.idle),
    ),
    atLeast(
      'open of 500 different messages of 256 KiB: rate of the last 400 over that of the first 100',
      '×',
      inBrowsers(0.5),
      (extras) => extras.lane?.laterOverFirst,
    ),
    atMost(
      'sealStream: peak of extra memory',
      'bytes',
      inBrowsers(96_000_000),
      (extras) => extras.lane?.streamPeakBytes,
    ),
    atMost(
      'sealStream into openStream: peak of extra memory',
      'bytes',
      inBrowsers(96_000_000),
      (extras) => extras.lane?.openStreamPeakBytes,
    ),
    atLeast(
      'sealMany of 10,000 messages of 1 KiB: times the rate of single calls',
      '×',
      inBrowsers(10),
      (extras) => extras.lane?.batchSpeedup,
    ),
    atLeast(
      'sealMany of 10,000 messages of 1 KiB: over the rate of an echo of the same bytes',
      '×',
      inBrowsers(0.4),
      (extras) => extras.lane?.batchOverEcho,
    ),
    atMost(
      'sealMany of 1,000 rows: time with a context of each over that with one',
      '×',
      inBrowsers(1.3),
      (extras) => extras.lane?.sealOwnContexts,
    ),
    atMost(
      'openMany of 1,000 rows: time with a context of each over that with one',
      '×',
      inBrowsers(1.3),
      (extras) => extras.lane?.openOwnContexts,
    ),
    atMost(
      'seal of 16 bytes: time while another site makes 100,000 calls over time in peace',
      '×',
      inBrowsers(2),
      (extras) => extras.lane?.floodSlowdown,
    ),
    atMost(
      '100,000 calls of one site: lost answers',
      'calls',
      inBrowsers(0),
      (extras) => extras.lane?.floodLost,
    ),
    atMost(
      '100,000 calls of one site: peak of extra memory of the background',
      'bytes',
      inBrowsers(200_000_000),
      (extras) => extras.lane?.floodPeakBytes,
    ),
  ],
  plots: [plotLane],
};
