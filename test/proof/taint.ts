/**
 * Whether taint is right, by experiment: two executions that differ in tainted bytes only may differ in tainted bytes
 * only. It knows nothing of the rules, so that a wrong rule shows.
 */
import { OPERATIONS, ACCESSES } from './opcodes.ts';
import type { Operation, ValueType } from './opcodes.ts';
import { instrument } from './instrument.ts';
import { assembleCached } from '../support/wasm.ts';
import { ShadowModule } from './shadow.ts';

/** Places in the memory of the experiments. */
const OPERAND_BYTES = 16;
const TARGET = 64;
const TARGET_BYTES = 16;
const MAX_OPERANDS = 3;

/** A repeatable source of bytes (xorshift). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** One function for each instruction: from operands at 0, 16, 32 to TARGET. */
export interface Experiment {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly code: number;
  readonly operation: Operation | undefined;
}

export const EXPERIMENTS: readonly Experiment[] = [
  ...[...OPERATIONS].map(([code, operation]): Experiment => {
    return { name: operation.name, params: operation.params, code, operation };
  }),
  ...[...ACCESSES].map(([code, { name, type, stores }]): Experiment => {
    return { name, params: [stores ? type : 'v128'], code, operation: undefined };
  }),
];

/** The lanes of shuffles, from both operands, and the lane of others. */
const SHUFFLED = [0, 17, 3, 31, 4, 4, 20, 9, 16, 30, 2, 1, 8, 25, 7, 15];

function experimentText({ name, params, operation, code }: Experiment): string {
  const load = (type: ValueType, i: number) => `(${type}.load (i32.const ${OPERAND_BYTES * i}))`;
  const operands = params.map(load).join(' ');
  const access = ACCESSES.get(code);
  if (access?.stores === true) return `(${name} (i32.const ${TARGET}) ${operands})`;
  if (access !== undefined) {
    return `(${access.type}.store (i32.const ${TARGET}) (${name} (i32.const 0)))`;
  }
  const { immediateBytes, result } = operation!;
  const immediates = immediateBytes === 16 ? SHUFFLED.join(' ') : immediateBytes === 1 ? '1' : '';
  return `(${result}.store (i32.const ${TARGET}) (${name} ${immediates} ${operands}))`;
}

/** @param rules as they are, or wrong ones */
export async function experimentModule(
  rules: ReadonlyMap<number, Operation> = OPERATIONS,
): Promise<ShadowModule> {
  const functions = EXPERIMENTS.map(
    (one, i) => `(func $f${i} (export "f${i}") ${experimentText(one)})`,
  );
  const text = `(module (memory (export "memory") 1)\n${functions.join('\n')})`;
  const names = EXPERIMENTS.map((_, i) => `f${i}`);
  const bytes = await assembleCached('experiments', text);
  return ShadowModule.load(instrument(bytes, names, { operations: rules }), { secrets: 0 });
}

export interface Observed {
  /** Bytes of the result that changed without being tainted. */
  readonly missed: number;
  /** Bytes of the result that changed at all. */
  readonly changed: ReadonlySet<number>;
  /** Operands by which alone the result changed. */
  readonly changedBy: ReadonlySet<number>;
}

/** @param index of EXPERIMENTS */
export function observeTaint(module: ShadowModule, index: number, trials = 120): Observed {
  const { params } = EXPERIMENTS[index]!;
  const random = randomNumbers(index * 7919 + 12345);
  const changed = new Set<number>();
  const changedBy = new Set<number>();
  let missed = 0;
  for (let trial = 0; trial < trials; trial++) {
    const values = operandsOf(random);
    // One operand, or all: all bytes of it, some bytes, or some words of 32 bits.
    const only = trial % (params.length + 1);
    const part = random(3);
    const words = random(1 << 12);
    const mask = values.map((_, at) => {
      const isOperand = only === params.length || Math.floor(at / OPERAND_BYTES) === only;
      const isTainted =
        part === 0 || (part === 1 ? random(3) === 0 : ((words >> (at >> 2)) & 1) === 1);
      return isOperand && isTainted ? 255 : 0;
    });
    const first = run(module, index, values, mask);
    if (first === undefined) continue;
    for (let turn = 0; turn < 8; turn++) {
      const others = operandsOf(random);
      const second = run(
        module,
        index,
        values.map((byte, at) => (mask[at] === 0 ? byte : others[at]!)),
        mask,
      );
      if (second === undefined) continue;
      for (let at = 0; at < TARGET_BYTES; at++) {
        if (first.bytes[at] === second.bytes[at]) continue;
        changed.add(at);
        if (only < params.length) changedBy.add(only);
        if (first.taint[at] === 0 || second.taint[at] === 0) missed++;
      }
    }
  }
  return { missed, changed, changedBy };
}

/** Random bytes, small integers, small doubles, equal operands, and zeros. */
function operandsOf(random: (below: number) => number): Uint8Array {
  const bytes = new Uint8Array(OPERAND_BYTES * MAX_OPERANDS).map(() => random(256));
  const view = new DataView(bytes.buffer);
  const kind = random(5);
  if (kind === 4) bytes.fill(0);
  for (let at = 0; at < bytes.length; at += 8) {
    if (kind === 1) view.setBigUint64(at, BigInt(random(20)), true);
    if (kind === 2) view.setFloat64(at, random(2000), true);
    if (kind === 3) bytes.copyWithin(OPERAND_BYTES, 0, OPERAND_BYTES);
  }
  return bytes;
}

/** @returns the target and its taint, or undefined if the instruction traps */
export function run(
  module: ShadowModule,
  index: number,
  values: Uint8Array,
  mask: Uint8Array,
): { bytes: Uint8Array; taint: Uint8Array } | undefined {
  const [bytes, taint] = [module.bytes, module.shadow];
  for (const memory of [bytes, taint]) memory.fill(0, 0, TARGET + TARGET_BYTES);
  bytes.set(values);
  taint.set(mask);
  try {
    module.callAsIs(`f${index}`, []);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return undefined;
    throw error;
  }
  const end = TARGET + TARGET_BYTES;
  return { bytes: bytes.slice(TARGET, end), taint: taint.slice(TARGET, end) };
}
