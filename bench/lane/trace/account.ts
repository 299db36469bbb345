import { PARTS, STAGES } from './spans.ts';
import type { Recorded, Trace } from './recorder.ts';

/** Of one operation at one length: microseconds of a call, in all and by stage. */
export interface Account {
  readonly operation: 'seal' | 'open';
  readonly bytes: number;
  readonly calls: number;
  readonly totalUs: number;
  /** In the order of `STAGES`; they add up to `totalUs`. */
  readonly stagesUs: readonly number[];
  /** In the order of `PARTS`. */
  readonly partsUs: readonly number[];
  /** Of each part: how many spans a call has. */
  readonly partsCounts: readonly number[];
}

/**
 * Means over the middle half of the calls, by their time: the slowest waited for a collection of garbage
 * or for the machine. The background's clock is another one; its spans belong to calls by their order.
 */
export function accountOf(operation: 'seal' | 'open', bytes: number, trace: Trace): Account {
  const all = trace.calls.map((call, index) => ({ call, index }));
  const sorted = all.toSorted((a, b) => lengthOf(a.call) - lengthOf(b.call));
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  const inBackground = byServedRequest(trace.background);
  const perCall = middle.map(({ call, index }) => {
    const page = within(spansOf(trace.page), call);
    const content = within(spansOf(trace.content), call);
    const background = inBackground[index] ?? [];
    return {
      total: lengthOf(call),
      stages: stagesOf(call, { page, content }),
      parts: PARTS.map(({ of: [world, name] }) => {
        const spans = (world === 'background' ? background : content).filter(
          (span) => span.name === name,
        );
        return { count: spans.length, time: sum(spans.map(({ begin, end }) => end - begin)) };
      }),
    };
  });
  const mean = (values: readonly number[]): number => sum(values) / values.length;
  return {
    operation,
    bytes,
    calls: middle.length,
    totalUs: 1e3 * mean(perCall.map(({ total }) => total)),
    stagesUs: STAGES.map((_, i) => 1e3 * mean(perCall.map(({ stages }) => stages[i]!))),
    partsUs: PARTS.map((_, i) => 1e3 * mean(perCall.map(({ parts }) => parts[i]!.time))),
    partsCounts: PARTS.map((_, i) => mean(perCall.map(({ parts }) => parts[i]!.count))),
  };
}

interface Span {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

/** Spans that have ended. */
function spansOf({ names, begins, ends }: Recorded): Span[] {
  return names
    .map((name, i) => ({ name, begin: begins[i]!, end: ends[i]! }))
    .filter(({ end }) => Number.isFinite(end));
}

const within = (spans: readonly Span[], [from, to]: readonly [number, number]): Span[] =>
  spans.filter(({ begin }) => begin >= from && begin <= to);

/** The spans of the background by the request that they belong to; pings are none. */
function byServedRequest(recorded: Recorded): Span[][] {
  const spans = spansOf(recorded);
  return spans
    .filter(({ name }) => name === 'answered')
    .map((served) => within(spans, [served.begin, served.end]))
    .filter((group) => group.some(({ name }) => name === 'method'));
}

/** Durations between one mark and the next, in ms. A stage whose mark is not there has none. */
function stagesOf(
  [from, to]: readonly [number, number],
  worlds: Readonly<Record<'page' | 'content', readonly Span[]>>,
): number[] {
  let at = from;
  return STAGES.map(({ until }) => {
    const next = until === undefined ? to : nextMark(worlds[until[0]], until[1], until[2], at);
    if (next === undefined) return 0;
    const duration = next - at;
    at = next;
    return duration;
  });
}

function nextMark(
  spans: readonly Span[],
  name: string,
  edge: 'begin' | 'end',
  after: number,
): number | undefined {
  const marks = spans.filter((span) => span.name === name).map((span) => span[edge]);
  const later = marks.filter((mark) => mark >= after);
  return later.length === 0 ? undefined : Math.min(...later);
}

const lengthOf = ([begin, end]: readonly [number, number]): number => end - begin;
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
