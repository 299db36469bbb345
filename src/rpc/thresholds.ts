import { array, integer, object, string, type Infer } from './validate.ts';

const text = string(4096);

/** From this many bytes on, an engine is faster on this machine than those listed after it. */
export const thresholds = array(
  object({ algorithm: text, engine: text, fromBytes: integer(0) }),
  1000,
);

/** The threshold of an engine that is slower at every measured size, as src/engine/thresholds.ts writes it. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** One row of them. */
export type ThresholdRow = Infer<typeof thresholds>[number];
