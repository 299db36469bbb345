import { expect } from 'chai';
import type { Prepared } from '../../bench/contender.ts';
import { rowName, sizeName, type Entry, type RowPlan } from '../../bench/row.ts';
import { runRow } from '../../bench/run-rows.ts';

const OPTIONS = { rounds: 1, minimumMs: 0 };
const bytes = (result: unknown) => result as Uint8Array;

const entry = (name: string, answer: readonly number[], label?: string): Entry => ({
  name,
  kind: 'ours',
  prepare: (): Prepared => ({
    run: () => Uint8Array.from(answer),
    bytes,
    ...(label !== undefined && { answer: label }),
  }),
});

const plan = (...entries: Entry[]): RowPlan => ({
  algorithm: 'X',
  size: 2,
  unit: 'B',
  bytes: 2,
  entries,
});

async function failure(row: RowPlan): Promise<string> {
  return runRow(row, OPTIONS).then(
    () => 'nothing failed',
    (error: unknown) => (error as Error).message,
  );
}

describe('bench: rows', () => {
  it('times those whose answers agree, and leaves out contenders that lack the task', async () => {
    const absent: Entry = { name: 'absent', kind: 'native', prepare: () => undefined };
    const row = await runRow(plan(entry('a', [1, 2]), absent, entry('b', [1, 2])), OPTIONS);
    expect(row!.results.map(({ name }) => name)).to.deep.equal(['a', 'b']);
    expect(row!.results.every(({ median }) => median >= 0)).to.equal(true);
  });

  it('stops at an answer that disagrees, in a byte or in length', async () => {
    const wanted = 'X, 2 B: b disagrees with a';
    expect(await failure(plan(entry('a', [1, 2]), entry('b', [1, 3])))).to.equal(wanted);
    expect(await failure(plan(entry('a', [1, 2]), entry('b', [1])))).to.equal(wanted);
  });

  it('stops at an answer that no other contender confirms', async () => {
    expect(await failure(plan(entry('a', [1])))).to.include(
      'no other contender confirms what a answers',
    );
    const two = plan(entry('a', [1], 'one'), entry('b', [1], 'one'), entry('c', [2], 'other'));
    expect(await failure(two)).to.include('no other contender confirms what c answers');
  });

  it('compares the answers of contenders that write into one array', async () => {
    const shared = new Uint8Array(1);
    const writing = (name: string, value: number): Entry => ({
      name,
      kind: 'ours',
      prepare: () => ({ run: () => shared.fill(value), bytes }),
    });
    expect(await failure(plan(writing('a', 1), writing('b', 2)))).to.include('b disagrees with a');
  });

  it('is undefined where no contender can', async () => {
    expect(await runRow(plan(), OPTIONS)).to.equal(undefined);
  });

  it('names sizes by their round names', () => {
    const sizes = [0, 16, 1000, 1024, 65536, 1 << 20, 10_000_000, 1 << 24];
    expect(sizes.map(sizeName)).to.deep.equal([
      '0 B',
      '16 B',
      '1 kB',
      '1 KiB',
      '64 KiB',
      '1 MiB',
      '10 MB',
      '16 MiB',
    ]);
    const iterations = { algorithm: 'PBKDF2', size: 100_000, unit: 'iterations' } as const;
    expect(rowName(iterations)).to.equal('PBKDF2, 100,000 iterations');
  });
});
