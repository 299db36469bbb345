import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import type { ThresholdRow } from '../../../src/rpc/thresholds.ts';
import type { AbsentEngine, SelfTestEvent } from '../../../src/rpc/workshop.ts';

type EventOf<T> = Extract<SelfTestEvent, { readonly type: T }>;
/** The result of one engine's known-answer test for one algorithm. */
export type AnswerResult = EventOf<'answer'>;
/** The measured speed of one engine, for one algorithm and size. */
export type SpeedResult = EventOf<'speed'>;
/** The measured time of one call of a fixed size. */
export type CallResult = EventOf<'call'>;

/** What a run reports, and its end. */
export type RunEvent =
  | SelfTestEvent
  | { readonly type: 'finished'; readonly thresholds: readonly ThresholdRow[] }
  | { readonly type: 'failed' };

/** The state of a run; the last three are final. */
export type RunState = 'idle' | 'running' | 'finished' | 'cancelled' | 'failed';

/** What the background measured of its random generator and of the vault; 'failed' where it could not. */
export type BackgroundTimes = ResultOf<'ui.selfTest'> | 'failed';

/** The results of a run so far. */
export interface SelfTestRun {
  readonly state: RunState;
  /** 0 … 1 */
  readonly progress: number;
  readonly absent: readonly AbsentEngine[];
  readonly answers: readonly AnswerResult[];
  readonly speeds: readonly SpeedResult[];
  readonly calls: readonly CallResult[];
  /** Undefined until they are there. */
  readonly background: BackgroundTimes | undefined;
  /** The thresholds that follow from all speeds; empty before the run is finished. */
  readonly thresholds: readonly ThresholdRow[];
}

/** The run before the start. */
export const IDLE: SelfTestRun = {
  state: 'idle',
  progress: 0,
  absent: [],
  answers: [],
  speeds: [],
  calls: [],
  background: undefined,
  thresholds: [],
};

/** The run after one more event. A run that has ended stays as it is. */
export function advance(run: SelfTestRun, event: RunEvent): SelfTestRun {
  if (run.state !== 'running') return run;
  switch (event.type) {
    case 'absent':
      return { ...run, absent: [...run.absent, event] };
    case 'answer':
      return { ...run, answers: [...run.answers, event] };
    case 'speed':
      return { ...run, speeds: [...run.speeds, event] };
    case 'call':
      return { ...run, calls: [...run.calls, event] };
    case 'progress':
      return { ...run, progress: event.total > 0 ? event.done / event.total : 0 };
    case 'finished':
      return { ...run, state: 'finished', progress: 1, thresholds: event.thresholds };
    case 'failed':
      return { ...run, state: 'failed' };
  }
}

/** Speeds of one algorithm: a row for each size, a column for each engine. */
export interface SpeedTable {
  readonly algorithm: string;
  readonly engines: readonly string[];
  readonly rows: readonly { readonly bytes: number; readonly speeds: readonly (number | null)[] }[];
}

/** The table of one algorithm; null where an engine was not measured. */
export function speedTable(speeds: readonly SpeedResult[], algorithm: string): SpeedTable {
  const own = speeds.filter((speed) => speed.algorithm === algorithm);
  const engines = [...new Set(own.map(({ engine }) => engine))];
  const sizes = [...new Set(own.map(({ bytes }) => bytes))].sort((a, b) => a - b);
  const speedOf = (engine: string, bytes: number) =>
    own.find((it) => it.engine === engine && it.bytes === bytes)?.bytesPerSecond ?? null;
  const rows = sizes.map((bytes) => ({
    bytes,
    speeds: engines.map((engine) => speedOf(engine, bytes)),
  }));
  return { algorithm, engines, rows };
}

/** Calls of one operation: a row for each, a column for each engine. */
export interface CallGroup {
  readonly operation: CallResult['operation'];
  /** Size of the messages; 0 where there are none. */
  readonly bytes: number;
  /** Seconds; null where an engine was not measured. */
  readonly rows: readonly { readonly name: string; readonly times: readonly (number | null)[] }[];
}

/** The groups of calls in the order in which they were measured, and the engines of their columns. */
export function callTable(calls: readonly CallResult[]): {
  readonly engines: readonly string[];
  readonly groups: readonly CallGroup[];
} {
  const engines = [...new Set(calls.map(({ engine }) => engine))];
  const operations = [...new Set(calls.map(({ operation }) => operation))];
  const groups = operations.map((operation) => {
    const own = calls.filter((call) => call.operation === operation);
    const timeOf = (name: string, engine: string) =>
      own.find((call) => call.name === name && call.engine === engine)?.seconds ?? null;
    const rows = [...new Set(own.map(({ name }) => name))].map((name) => ({
      name,
      times: engines.map((engine) => timeOf(name, engine)),
    }));
    return { operation, bytes: own[0]!.bytes, rows };
  });
  return { engines, groups };
}

/** The speed in an earlier run. */
export type PastSpeed = Pick<SpeedResult, 'engine' | 'algorithm' | 'bytes' | 'bytesPerSecond'>;

/** Measurements are noisy: only changes of more than a quarter are reported. */
const NOTABLE_CHANGE = 0.25;

/** A speed that changed since the last run. */
export interface SpeedChange {
  readonly speed: SpeedResult;
  /** New over old, minus one: −0.4 is 40 % slower. */
  readonly change: number;
}

/** The speeds that are notably lower than in the last run, the largest change first. */
export function regressions(
  now: readonly SpeedResult[],
  before: readonly PastSpeed[],
): SpeedChange[] {
  const changeOf = (speed: SpeedResult) => {
    const old = before.find(
      (it) =>
        it.engine === speed.engine && it.algorithm === speed.algorithm && it.bytes === speed.bytes,
    );
    return old && old.bytesPerSecond > 0 ? speed.bytesPerSecond / old.bytesPerSecond - 1 : 0;
  };
  return now
    .map((speed) => ({ speed, change: changeOf(speed) }))
    .filter(({ change }) => change < -NOTABLE_CHANGE)
    .sort((a, b) => a.change - b.change);
}

/** The file that the user can save. Times are ms since the epoch. */
export interface SelfTestRecord {
  readonly time: number;
  readonly version: string;
  readonly userAgent: string;
  readonly absent: readonly AbsentEngine[];
  readonly answers: readonly AnswerResult[];
  readonly speeds: readonly SpeedResult[];
  readonly calls: readonly CallResult[];
  readonly background: BackgroundTimes | undefined;
  readonly thresholds: readonly ThresholdRow[];
}

/** The speeds of a stored record; without entries that are not of the expected shape. */
export function speedsOfRecord(stored: unknown): readonly PastSpeed[] {
  if (typeof stored !== 'object' || stored === null || !('speeds' in stored)) return [];
  return Array.isArray(stored.speeds) ? stored.speeds.filter(isSpeed) : [];
}

function isSpeed(value: unknown): value is PastSpeed {
  if (typeof value !== 'object' || value === null) return false;
  const { engine, algorithm, bytes, bytesPerSecond } = value as Record<string, unknown>;
  return (
    typeof engine === 'string' &&
    typeof algorithm === 'string' &&
    typeof bytes === 'number' &&
    typeof bytesPerSecond === 'number'
  );
}
