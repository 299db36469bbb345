import {
  aesJsContender,
  asmCrypto,
  browserify,
  cryptoJs,
  nodeForge,
} from './contenders/other-js.ts';
import { noble } from './contenders/noble.ts';
import { ours } from './contenders/ours.ts';
import { type Sjcl, sjclContender } from './contenders/sjcl.ts';
import { webcrypto } from './contenders/webcrypto.ts';
import type { Contender, Prepared, Task } from './contender.ts';
import { measure, type MeasureOptions, type Timing } from './measure.ts';

/*
 * The table of the 2009 paper on today's machines: AES-128 and AES-256 in five modes, and the key
 * schedule, in our engine and in every peer. Every answer is checked against every other before
 * anything is timed.
 */
export const SIZES = [16, 1 << 10, 1 << 16, 1 << 20, 1 << 24] as const;
const ALGORITHMS = ['AES-ECB', 'AES-CTR', 'AES-CBC', 'AES-GCM', 'AES-CCM', 'AES-OCB'] as const;
const KEY_BYTES = [16, 32] as const;

export interface Row {
  readonly algorithm: Task['algorithm'];
  readonly keyBits: number;
  /** Of the plaintext; 0 for the key schedule. */
  readonly bytes: number;
  readonly results: readonly Result[];
}

export interface Result extends Timing {
  readonly kind: Contender['kind'];
}

export interface SuiteOptions extends MeasureOptions {
  /** Leaves out sizes above this many bytes. */
  readonly largest: number;
  /** Peers of this platform alone. */
  readonly alsoBeside?: readonly Contender[];
  readonly report: (row: Row, progress: number) => void;
}

export function contenders(sjcl: Sjcl): readonly Contender[] {
  return [
    ours,
    webcrypto,
    noble,
    sjclContender(sjcl),
    cryptoJs,
    nodeForge,
    aesJsContender,
    asmCrypto,
    browserify,
  ];
}

export async function runAesSuite(sjcl: Sjcl, options: SuiteOptions): Promise<Row[]> {
  const tasks = [...allTasks(options.largest)];
  const rows: Row[] = [];
  for (const task of tasks) {
    const all = [...contenders(sjcl), ...(options.alsoBeside ?? [])];
    const row = await runRow(task, all, options);
    rows.push(row);
    options.report(row, rows.length / tasks.length);
  }
  return rows;
}

function* allTasks(largest: number): Generator<Task> {
  for (const keyBytes of KEY_BYTES) {
    const key = pattern(keyBytes, 7);
    yield { algorithm: 'key schedule', key, nonce: pattern(16, 5), plaintext: new Uint8Array() };
    for (const algorithm of ALGORITHMS) {
      const isAead = algorithm === 'AES-GCM' || algorithm === 'AES-CCM' || algorithm === 'AES-OCB';
      for (const size of SIZES.filter((bytes) => bytes <= largest)) {
        const nonce = pattern(isAead ? 12 : 16, 5);
        yield { algorithm, key, nonce, plaintext: pattern(size, 3) };
      }
    }
  }
}

/** Bytes without a short period, the same in every run. */
function pattern(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 16;
  });
}

async function runRow(task: Task, all: readonly Contender[], options: SuiteOptions): Promise<Row> {
  const prepared: { contender: Contender; prepared: Prepared }[] = [];
  for (const contender of all) {
    const ready = await contender.prepare(task);
    if (ready) prepared.push({ contender, prepared: ready });
  }
  if (task.algorithm !== 'key schedule') await crossValidate(task, prepared);
  const timings = await measure(
    prepared.map(({ contender, prepared: { run } }) => ({ name: contender.name, run })),
    { ...options, rounds: roundsFor(task, options.rounds) },
  );
  const results = timings.map((timing, i) => ({ ...timing, kind: prepared[i]!.contender.kind }));
  const { algorithm, key, plaintext } = task;
  return { algorithm, keyBits: 8 * key.length, bytes: plaintext.length, results };
}

/** One call of the slowest peers takes seconds at 16 MiB, and few rounds tell as much there. */
function roundsFor({ plaintext }: Task, rounds: number): number {
  return plaintext.length > 1 << 20 ? Math.min(3, rounds) : rounds;
}

/** Every contender's bytes against ours: a peer that computes something else is not timed. */
async function crossValidate(
  task: Task,
  all: readonly { contender: Contender; prepared: Prepared }[],
): Promise<void> {
  let expected: Uint8Array | undefined;
  for (const { contender, prepared } of all) {
    const actual = prepared.bytes(await prepared.run());
    expected ??= actual;
    const same =
      actual.length === expected.length && actual.every((byte, i) => byte === expected![i]);
    if (same) continue;
    const { algorithm, key, plaintext } = task;
    const what = `${algorithm}, ${8 * key.length}-bit key, ${plaintext.length} bytes`;
    throw new Error(`${contender.name} disagrees with ${all[0]!.contender.name} on ${what}`);
  }
}
