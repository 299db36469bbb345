import type { Prepared } from './contender.ts';
import { measure, type MeasureOptions } from '../src/engine/self-test/measure.ts';
import { rowName, type Entry, type Row, type RowPlan } from './row.ts';

/** Cross-validates and times one row. Undefined if no contender can do its task. */
export async function runRow(plan: RowPlan, options: MeasureOptions): Promise<Row | undefined> {
  const contenders = await prepareAll(plan.entries);
  if (contenders.length === 0) return undefined;
  const seconds = await crossValidate(rowName(plan), contenders);
  const timings = await measure(
    contenders.map(({ prepared: { run } }, i) => ({ run, first: seconds[i]! })),
    options,
  );
  const results = contenders.map(({ name, kind }, i) => ({ name, kind, ...timings[i]! }));
  const { algorithm, size, unit, bytes } = plan;
  return { algorithm, size, unit, bytes, results };
}

type Ready = Pick<Entry, 'name' | 'kind'> & { readonly prepared: Prepared };

export async function prepareAll(entries: readonly Entry[]): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const entry of entries) {
    const prepared = await entry.prepare();
    if (prepared) ready.push({ name: entry.name, kind: entry.kind, prepared });
  }
  return ready;
}

/**
 * Every contender's bytes against the others': one that computes something else is not timed, and
 * an answer that no second contender confirms does not count.
 *
 * @returns how many seconds each one's call took
 */
export async function crossValidate(row: string, all: readonly Ready[]): Promise<number[]> {
  const answers = new Map<string, { name: string; bytes: Uint8Array; confirmed: boolean }>();
  const seconds: number[] = [];
  for (const { name, prepared } of all) {
    const start = performance.now();
    const result = await prepared.run();
    seconds.push((performance.now() - start) / 1000);
    if (!prepared.bytes) continue;
    const bytes = prepared.bytes(result);
    const known = answers.get(prepared.answer ?? '');
    if (known === undefined) {
      // A copy, because many a contender writes all its answers into one array.
      const answer = { name, bytes: bytes.slice(), confirmed: false };
      answers.set(prepared.answer ?? '', answer);
    } else if (equal(known.bytes, bytes)) {
      known.confirmed = true;
    } else {
      throw new Error(`${row}: ${name} disagrees with ${known.name}`);
    }
  }
  for (const { name, confirmed } of answers.values()) {
    if (!confirmed) throw new Error(`${row}: no other contender confirms what ${name} answers`);
  }
  return seconds;
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
