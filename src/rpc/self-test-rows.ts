/* The self-test in the workshop, which pages of the extension have done by workers of their own: the background has none of it. */
import { number } from './methods/subtle-values.ts';
import { thresholds } from './thresholds.ts';
import { array, boolean, literal, object, optional, tagged, type Infer } from './validate.ts';
import { count, none, row, text } from './workshop-rows.ts';

/** An engine that is not available, with the reason. */
const absent = object({ type: literal('absent'), engine: text, reason: text });
const selfTestEvent = tagged('type', {
  absent,
  /** An engine's known answers for an algorithm; the reason of a failure, for bug reports. */
  answer: object({
    type: literal('answer'),
    engine: text,
    algorithm: text,
    passed: boolean,
    reason: optional(text),
  }),
  /** Of one engine, for an algorithm and the size of the input of a call. */
  speed: object({
    type: literal('speed'),
    engine: text,
    algorithm: text,
    /** 'no' if its timing may depend on the key. */
    constantTime: literal('by-construction', 'platform', 'no'),
    bytes: count,
    bytesPerSecond: number,
  }),
  /** The time of one call of a fixed size; 0 bytes where it has no message. */
  call: object({
    type: literal('call'),
    engine: text,
    name: text,
    bytes: count,
    seconds: number,
    operation: literal('decrypt', 'encrypt', 'derive', 'power'),
  }),
  progress: object({ type: literal('progress'), done: count, total: count }),
});

/** The rows of the self-test. */
export const SELF_TEST_ROWS = Object.freeze({
  'selfTest.run': row(none, object({ cards: boolean }), object({ thresholds }), {
    progress: selfTestEvent,
  }),
  /** What each engine could do, in the order of preference; nothing is tested for it. */
  'selfTest.engines': row(
    none,
    object({ cards: boolean }),
    object({
      absent: array(absent, 100),
      engines: array(text, 100),
      rows: array(object({ algorithm: text, engines: array(text, 100) }), 1000),
    }),
  ),
});

/** An engine that is not available in this browser or this build. */
export type AbsentEngine = Infer<typeof absent>;
