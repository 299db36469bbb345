import type { CountingFigures } from './lane/counting.ts';
import type { WasmEngineFigures } from './wasm-engine.ts';
import { rowName, type Row, type RowKey } from './row.ts';

export type PlatformKind = 'node' | 'chromium' | 'firefox';

/** @param browser the option `--browser` of a command; absent: Node */
export function platformOf(browser: string | undefined): PlatformKind {
  if (browser === undefined) return 'node';
  if (browser === 'chromium' || browser === 'firefox') return browser;
  throw new RangeError(`--browser is chromium or firefox, not ${browser}`);
}

/** The text of a file in bench/results. Six digits are more than any clock here tells; integers are counts and sizes. */
export function resultJson(result: object): string {
  const shortened = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  return `${JSON.stringify(result, shortened, 1)}\n`;
}

/** What bench/results/<suite>-<platform>.json holds. */
export interface SuiteResult {
  readonly suite: string;
  readonly date: string;
  readonly machine: string;
  /** "Node v20.20.2", "Chrome/156.0" */
  readonly platform: string;
  readonly kind: PlatformKind;
  /** Flags that the platform was given. */
  readonly flags: readonly string[];
  readonly quick: boolean;
  readonly rounds: number;
  /** Of the peers, as installed. */
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** Rows that figures ask for, measured once more without the flags. */
  readonly withoutFlags?: readonly Row[];
  readonly extras?: Extras;
}

/** What is not a row: measured in Node alone. Each suite has some of it or none. */
export interface Extras {
  readonly precomputation?: Precomputation;
  readonly codeSize?: readonly CodeSize[];
  readonly unrolledSize?: readonly CodeSize[];
  readonly lane?: LaneExtras;
  readonly unlock?: UnlockExtras;
  readonly wasmEngine?: readonly WasmEngineFigures[];
  readonly sync?: readonly SyncFigures[];
  readonly heads?: HeadsFigures;
  readonly groups?: GroupsFigures;
}

/** Of the suite "pq", in Node: a group of 128 members. Times are medians, in ms. */
export interface GroupsFigures {
  /** 1 MiB sealed to the group over 1 MiB sealed to one X-Wing key. */
  readonly sealOverOne: number;
  /** 100 epochs of 128 members, from their texts. */
  readonly readMs: number;
  /** Their history, signatures included, read before. */
  readonly checkMs: number;
  /** The epoch that removes one member. */
  readonly removeMs: number;
}

/** Of the suite "sync", in Node: heads of 10,000 records of 1 KiB. */
export interface HeadsFigures {
  /** Of the head and the chunk that a change of one record writes. */
  readonly bytesOfChange: number;
  /** The median of some verifications, in the operation of the worker. */
  readonly verifyMs: number;
}

/** Of the suite "sync", in browsers: 10,000 records of 1 KiB in one call, by a key of one format. */
export interface SyncFigures {
  readonly format: string;
  readonly encryptPerSecond: number;
  readonly decryptPerSecond: number;
  /** The rate over that of a bare echo of the same bytes. */
  readonly encryptOverEcho: number;
  readonly decryptOverEcho: number;
  /** And over that of single calls, each awaited. */
  readonly encryptSpeedup: number;
  readonly decryptSpeedup: number;
}

interface CallLatency {
  readonly name: string;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Of the suite "lane", in browsers. */
export interface LaneExtras {
  /** Of sealing 16 bytes, call by call, and of opening them. */
  readonly latency: readonly CallLatency[];
  readonly openLatency: readonly CallLatency[];
  /**
   * `open` of 16 bytes by a grant whose openings are counted by hour and against `maxPerHour`, and by one whose openings are
   * not counted at all. Absent in results from before it was measured.
   */
  readonly counting?: CountingFigures;
  /** `seal` of some lengths after 40 s without a call, and the median of warm calls before. */
  readonly idle: readonly { bytes: number; firstMs: number; warmMs: number }[];
  /** 500 different messages of 256 KiB: the rate of opening the last 400 over that of the first 100. */
  readonly laterOverFirst: number;
  /**
   * A stream of this length, and what all processes of the browser took more while it was sealed, or sealed and
   * opened at once: a page that held the sealed stream would leave the more garbage uncollected.
   */
  readonly streamBytes: number;
  readonly streamPeakBytes: number;
  readonly openStreamPeakBytes: number;
  /** And while the page itself encrypts such a stream with crypto.subtle. */
  readonly nativeStreamPeakBytes: number;
  /** How often its background was killed while such a stream was sealed and opened whole. */
  readonly streamDeaths: number;
  /** 10,000 messages of 1 KiB in one call: its rate over that of single calls one after the other. */
  readonly batchSpeedup: number;
  /** And over that of a bare echo of the same bytes. */
  readonly batchOverEcho: number;
  /**
   * 1,000 rows in one call, with a context of each: the time over that of the rows under one context. Absent in results
   * from before it was measured.
   */
  readonly sealOwnContexts?: number;
  readonly openOwnContexts?: number;
  /** The median call of a site while another makes 100,000, over that of quiet times. */
  readonly floodSlowdown: number;
  /** Of those 100,000: without any answer, and answered by QUOTA. */
  readonly floodLost: number;
  readonly floodRefused: number;
  /** What the processes of extensions took more meanwhile, and all of the browser's. */
  readonly floodPeakBytes: number;
  readonly floodPeakBytesOfAll: number;
}

/** Of the suite "unlock", in browsers, over some calibrations and unlocks under each. */
export interface UnlockExtras {
  /** Of each calibration: memory in KiB, passes and lanes. */
  readonly costs: readonly string[];
  /** From the click to the open vault's view. */
  readonly medianMs: number;
  /** Argon2id's part of it. */
  readonly medianDeriveMs: number;
  readonly fastestMs: number;
  readonly slowestMs: number;
  readonly leastMemoryBytes: number;
  readonly leastPasses: number;
  readonly leastLanes: number;
  /** The longest time between two frames of the popup meanwhile. */
  readonly longestFrameMs: number;
  /** The longest that a cancelled unlock took to ask again. */
  readonly cancelMs: number;
  /** The longest from the click to the contents of a file with a passphrase. Absent in results from before it was measured. */
  readonly passphraseFileMs?: number;
}

export interface Precomputation {
  /** The first computation in a fresh process, median of several processes, milliseconds. */
  readonly coldMs: number;
  /** Once the code is warm, median, milliseconds. */
  readonly warmMs: number;
}

export interface CodeSize {
  readonly name: string;
  readonly minifiedBytes: number;
  readonly brotliBytes: number;
}

/** The times of a run, by names. */
export class Readings {
  readonly extras: Extras;
  readonly #rows: ReadonlyMap<string, Row>;

  constructor(rows: readonly Row[], extras: Extras = {}) {
    this.#rows = new Map(rows.map((row) => [rowName(row), row]));
    this.extras = extras;
  }

  row(key: RowKey): Row | undefined {
    return this.#rows.get(rowName(key));
  }

  /** Seconds per call, or undefined if that was not measured. */
  median(key: RowKey, name: string): number | undefined {
    return this.row(key)?.results.find((result) => result.name === name)?.median;
  }

  /** Bytes per second. */
  throughput(key: RowKey, name: string): number | undefined {
    const row = this.row(key);
    const median = this.median(key, name);
    return row === undefined || median === undefined ? undefined : row.bytes / median;
  }
}
