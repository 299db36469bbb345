/**
 * Observes every exported function of a module: what secrets reach, which branches are taken, and that the observed
 * module computes what the shipped one does.
 */
import { MODULES } from '../../scripts/make-wasm.ts';
import { assembleCached } from '../support/wasm.ts';
import { subjectOf } from './calls.ts';
import type { Subject } from './calls.ts';
import { instrument } from './instrument.ts';
import type { Branch } from './instrument.ts';
import type { LeakKind } from './opcodes.ts';
import { ShadowModule } from './shadow.ts';
import { EXCEPTIONS, UNTAKEN } from './tables.ts';

export interface FunctionReport {
  readonly name: string;
  /** Undefined for functions that only the module itself calls. */
  readonly calls: number | undefined;
  readonly entered: boolean;
  /** Sides of branches that were taken, and all. */
  readonly sides: number;
  readonly sidesOf: number;
}

export interface Leak {
  readonly func: string;
  readonly kind: LeakKind;
  /** Number of instructions. */
  readonly places: number;
  readonly first: string;
}

export interface UntakenSides {
  readonly func: string;
  readonly branch: 'if' | 'br_if' | 'loop';
  readonly side: boolean;
  readonly count: number;
}

export interface ModuleReport {
  readonly module: string;
  readonly bytes: number;
  readonly functions: readonly FunctionReport[];
  /** Instructions that were checked. */
  readonly places: number;
  readonly leaks: readonly Leak[];
  readonly untaken: readonly UntakenSides[];
  /** Calls after which the memory was not that of the shipped module. */
  readonly different: readonly string[];
  /** Exported functions without calls, and calls of none. */
  readonly unmatched: readonly string[];
}

/** The names of the functions that a module of the generator defines, in order. */
export function functionNames(text: string): string[] {
  return [...text.matchAll(/^\(func \$(\w+)/gm)].map((match) => match[1]!);
}

export async function proveModule(module: string): Promise<ModuleReport> {
  const subject = subjectOf(module);
  const text = MODULES[module]!();
  const bytes = await assembleCached(module, text);
  const instrumented = instrument(bytes, functionNames(text), subject);
  const { secrets, words } = subject;
  const shadow = await ShadowModule.load(instrumented, { secrets, open: words });
  const different = observe(shadow, subject, await shippedModule(bytes, subject));
  const { branches, names } = instrumented;
  const { taken, entered, reached } = shadow;
  const functions = names.map((name, i): FunctionReport => {
    const sides = branches.flatMap(({ func }, j) => (func === name ? taken[j]! : []));
    const calls = shadow.exports.includes(name)
      ? (subject.functions[name]?.args.length ?? 0) * subject.states.length
      : undefined;
    const isTaken = sides.filter(Boolean).length;
    return { name, calls, entered: entered[i]!, sides: isTaken, sidesOf: sides.length };
  });
  return {
    module,
    bytes: bytes.length,
    functions,
    places: instrumented.sites.length,
    leaks: leaksOf([
      ...reached.map(({ func, kind, instruction, offset }) => {
        return { func, kind, place: `${instruction} at ${offset}` };
      }),
      ...shadow.secretResults.map((func) => ({ func, kind: 'result' as const, place: 'end' })),
    ]),
    untaken: untakenOf(branches, taken),
    different,
    unmatched: [
      ...shadow.exports.filter((name) => !(name in subject.functions)),
      ...Object.keys(subject.functions).filter((name) => !shadow.exports.includes(name)),
    ],
  };
}

interface Shipped {
  readonly functions: Readonly<Record<string, (...args: readonly number[]) => unknown>>;
  readonly bytes: Uint8Array;
}

async function shippedModule(bytes: Uint8Array<ArrayBuffer>, { pages }: Subject): Promise<Shipped> {
  const { instance } = await WebAssembly.instantiate(bytes);
  const { memory, ...functions } = instance.exports as Shipped['functions'] & {
    memory: WebAssembly.Memory;
  };
  if (pages !== undefined) memory.grow(pages - memory.buffer.byteLength / 65536);
  return { functions, bytes: new Uint8Array(memory.buffer) };
}

/** @returns the calls whose result or memory differs from that of the shipped module */
function observe(shadow: ShadowModule, subject: Subject, shipped: Shipped): string[] {
  const { secrets, fill, states, functions } = subject;
  // Constants stay; no value above them is special.
  const initial = shipped.bytes.slice();
  for (let i = secrets; i < initial.length; i++) initial[i] = (i * 37) ^ (i >> 5) ^ (i >> 13);
  fill?.(new DataView(initial.buffer));
  const views = [shadow.memory, shipped.bytes].map(({ buffer }) => new DataView(buffer));
  const different: string[] = [];
  for (const [name, { args: calls, secret }] of Object.entries(functions)) {
    for (const state of states) {
      for (const args of calls) {
        shadow.bytes.set(initial);
        shipped.bytes.set(initial);
        for (const view of views) state(view);
        const result = shadow.call(name, args, secret);
        const expected = shipped.functions[name]?.(...args);
        const isSame = result === expected && Buffer.compare(shadow.bytes, shipped.bytes) === 0;
        if (!isSame) different.push(`${name}(${args.join(', ')})`);
      }
    }
  }
  return different;
}

/** Places by function and kind. */
function leaksOf(places: readonly { func: string; kind: LeakKind; place: string }[]): Leak[] {
  const leaks = new Map<string, Leak>();
  for (const { func, kind, place } of places) {
    const before = leaks.get(`${func} ${kind}`);
    const first = before?.first ?? place;
    leaks.set(`${func} ${kind}`, { func, kind, places: (before?.places ?? 0) + 1, first });
  }
  return [...leaks.values()];
}

function untakenOf(
  branches: readonly Branch[],
  taken: readonly (readonly [boolean, boolean])[],
): UntakenSides[] {
  const counts = new Map<string, UntakenSides>();
  branches.forEach(({ func, instruction, isLoop }, i) => {
    for (const side of [false, true]) {
      if (taken[i]![side ? 1 : 0]) continue;
      const branch = isLoop ? 'loop' : instruction;
      const key = `${func} ${branch} ${side}`;
      counts.set(key, { func, branch, side, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  });
  return [...counts.values()];
}

/** What differs from the tables of exceptions: leaks and sides that are not in them, and entries without a cause. */
export function problemsOf(report: ModuleReport): string[] {
  const { module, functions, leaks, untaken, different, unmatched } = report;
  const family = module.split('.')[0]!;
  const leak = (func: string, kind: LeakKind): string =>
    `${module}: a secret reaches ${kind} in ${func}`;
  const sides = ({ func, branch, side, count }: UntakenSides): string =>
    `${module}: ${count} ${branch} of ${func} never ${side ? 'with' : 'without'} its condition`;
  const found = [...leaks.map(({ func, kind }) => leak(func, kind)), ...untaken.map(sides)];
  const allowed = [
    ...EXCEPTIONS.filter((one) => one.module === module).map(({ func, kind }) => leak(func, kind)),
    ...UNTAKEN.filter((one) => one.module === module || one.module === family).map(sides),
  ];
  return [
    ...found.filter((line) => !allowed.includes(line)),
    ...allowed.filter((line) => !found.includes(line)).map((line) => `not so any more: ${line}`),
    ...different.map((call) => `${module}: ${call} differs from the shipped module`),
    ...unmatched.map((name) => `${module}: no calls of ${name}, or no such function`),
    ...functions
      .filter(({ entered }) => !entered)
      .map(({ name }) => `${module}: ${name} is unused`),
  ];
}
