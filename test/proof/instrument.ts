/**
 * Rewrites a module so that it computes, beside each value, its taint: which bytes depend on a secret.
 *
 * - Every scalar has a taint of type i32, 0 or -1; every vector a vector of bytes 0 or 255. The taint of a value
 *   on the stack is in a local that belongs to its height there; that of a local is in another local.
 * - Byte a of the memory has its taint at `shadowAt` + a of the same memory.
 * - Functions have one more parameter for each parameter, and one more result for each result.
 * - Where a tainted value is used in a way that takes time or leaves the module, `report(site)` is called.
 * - Every condition of `if` and `br_if` leaves a mark at `coverAt`, one byte for each side.
 *
 * No branch depends on taint except the one around `report`. As branches by secrets are reported, there are no
 * implicit flows in a module without reports.
 */
import { CODE, decode } from './binary.ts';
import type { FunctionBody, FunctionType, Instruction, Module } from './binary.ts';
import { ACCESSES, OPERATIONS, VECTOR } from './opcodes.ts';
import type { Access, LeakKind, Operation, ValueType } from './opcodes.ts';

/** A place in the original module where a secret must not arrive. */
export interface Site {
  readonly func: string;
  readonly kind: LeakKind;
  readonly instruction: string;
  /** In the file. */
  readonly offset: number;
}

/** A condition in the original module. */
export interface Branch {
  readonly func: string;
  readonly instruction: 'if' | 'br_if';
  readonly offset: number;
  /** An `if` around a loop and nothing else: without the condition there is nothing to execute. */
  readonly isLoop: boolean;
}

export interface Instrumented {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly names: readonly string[];
  readonly memoryBytes: number;
  readonly shadowAt: number;
  /** Two bytes for each branch. */
  readonly coverAt: number;
  /** One byte for each function that the module defines. */
  readonly enteredAt: number;
  readonly sites: readonly Site[];
  readonly branches: readonly Branch[];
  /** Of exported functions. */
  readonly signatures: ReadonlyMap<string, FunctionType>;
}

const PAGE_BYTES = 65536;
const COVER_PAGES = 1;
/** After the bytes of branches. */
const ENTERED = PAGE_BYTES / 2;
const EMPTY_BLOCK = 0x40;
const CODES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b };
const I32 = { store8: 0x3a, eqz: 0x45, sub: 0x6b, or: 0x72 } as const;
const I64_NE = 0x52;
const I64_EXTEND_S = 0xac;
const LOCAL = { get: CODE.localGet, set: CODE.localSet, tee: CODE.localTee } as const;

const V = {
  const: 12,
  swizzle: 14,
  splat: 15,
  extractByte: 21,
  extractWord: 27,
  replaceWord: 28,
  replaceLong: 30,
  and: 78,
  or: 80,
  anyTrue: 83,
} as const;
/** `ne` of lanes, by their bytes: all ones for each lane that is not 0. */
const NOT_EQUAL: Readonly<Record<number, number>> = { 2: 46, 4: 56, 8: 215 };

export interface InstrumentOptions {
  /** Pages of memory; default: as many as the module has at first. */
  readonly pages?: number | undefined;
  /** For tests of the tests: other rules. */
  readonly operations?: ReadonlyMap<number, Operation>;
}

/** @param names of all functions that the module defines, in order */
export function instrument(
  bytes: Uint8Array,
  names: readonly string[],
  { pages, operations = OPERATIONS }: InstrumentOptions = {},
): Instrumented {
  const module = decode(bytes);
  const { imports, types, functions } = module;
  if (names.length !== functions.length) throw new Error('a name for each function was expected');
  const memoryPages = pages ?? module.memoryPages;
  const memoryBytes = memoryPages * PAGE_BYTES;
  const output: Output = {
    module,
    operations,
    shadowAt: memoryBytes,
    coverAt: 2 * memoryBytes,
    sites: [],
    branches: [],
  };
  const bodies = functions.map((func, i) => new Rewriter(output, func, names[i]!).rewritten(i));
  if (2 * output.branches.length > ENTERED) throw new Error('too many branches');

  // Types: those of functions with taints, then those of imports without, then that of `report`.
  const tainted = types.map(({ params, results }) => ({
    params: [...params, ...params.map(taintType)],
    results: [...results, ...results.map(taintType)],
  }));
  const plain = imports.map(({ type }) => types[type]!);
  const report: FunctionType = { params: ['i32'], results: [] };
  const reportImport = { module: 'proof', name: 'report', type: types.length + imports.length };
  const allImports = [
    ...imports.map((one, i) => ({ ...one, type: types.length + i })),
    reportImport,
  ];
  const file = [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      vector(
        [...tainted, ...plain, report].map(({ params, results }) => [
          0x60,
          ...vector(params.map((type) => [CODES[type]])),
          ...vector(results.map((type) => [CODES[type]])),
        ]),
      ),
    ),
    ...section(
      2,
      vector(
        allImports.map(({ module: from, name, type }) => [
          ...text(from),
          ...text(name),
          0,
          ...leb(type),
        ]),
      ),
    ),
    ...section(3, vector(functions.map(({ type }) => leb(type)))),
    ...section(5, vector([[0, ...leb(2 * memoryPages + COVER_PAGES)]])),
    ...section(
      7,
      vector(
        module.exports.map(({ name, kind, index }) => [
          ...text(name),
          kind,
          ...leb(kind === 0 ? shifted(module, index) : index),
        ]),
      ),
    ),
    ...section(10, vector(bodies.map((body) => [...leb(body.length), ...body]))),
    ...(module.data === undefined ? [] : section(11, module.data)),
  ];
  const signatures = new Map(
    module.exports
      .filter(({ kind }) => kind === 0)
      .map(({ name, index }) => [name, types[functions[index - imports.length]!.type]!]),
  );
  const { shadowAt, coverAt, sites, branches } = output;
  return {
    bytes: Uint8Array.from(file),
    names,
    memoryBytes,
    shadowAt,
    coverAt,
    enteredAt: coverAt + ENTERED,
    sites,
    branches,
    signatures,
  };
}

interface Output {
  readonly module: Module;
  readonly operations: ReadonlyMap<number, Operation>;
  readonly shadowAt: number;
  readonly coverAt: number;
  readonly sites: Site[];
  readonly branches: Branch[];
}

const taintType = (type: ValueType): ValueType => (type === 'v128' ? 'v128' : 'i32');

/** `report` is the last import: the functions of the module come one later. */
function shifted({ imports }: Module, index: number): number {
  return index < imports.length ? index : index + 1;
}

function leb(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}

/** The operand of i32.const: LEB128 with sign, of a number that is not negative. */
function positive(number: number): number[] {
  const bytes = leb(number);
  return bytes.at(-1)! < 64 ? bytes : [...bytes.slice(0, -1), bytes.at(-1)! + 128, 0];
}

const section = (id: number, content: readonly number[]): number[] =>
  [id, ...leb(content.length)].concat(content);
const vector = (items: readonly (readonly number[])[]): number[] => [
  ...leb(items.length),
  ...items.flat(),
];
const text = (name: string): number[] => vector(Array.from(name, (char) => [char.charCodeAt(0)]));

/** One function. */
class Rewriter {
  readonly #output: Output;
  readonly #func: FunctionBody;
  readonly #name: string;
  readonly #type: FunctionType;
  /** Types of the original's parameters and locals. */
  readonly #types: readonly ValueType[];
  readonly #code: number[] = [];
  /** Types of the values on the stack. */
  #stack: ValueType[] = [];
  #highest = 0;
  /** The heights of the stack at the beginning of the enclosing blocks. */
  readonly #blocks: number[] = [];
  /** After an unconditional branch only the end of the block can follow. */
  #unreachable = false;
  /** The current instruction: its place, and whether it is an `if` around a loop only. */
  #offset = 0;
  #isLoop = false;

  constructor(output: Output, func: FunctionBody, name: string) {
    this.#output = output;
    this.#func = func;
    this.#name = name;
    this.#type = output.module.types[func.type]!;
    this.#types = [...this.#type.params, ...func.locals];
  }

  /** @param index among the functions that the module defines */
  rewritten(index: number): number[] {
    this.#mark(() => this.#constant(0), this.#output.coverAt + ENTERED + index);
    const { instructions, locals } = this.#func;
    instructions.forEach((instruction, i) => {
      this.#isLoop = isLoop(instructions, i);
      this.#step(instruction);
    });
    const slots = Array.from({ length: this.#highest + 1 }, (): ValueType[] => ['i32', 'v128']);
    const all = [...locals, ...locals.map(taintType), ...TEMPORARY_TYPES, ...slots.flat()];
    const groups: { type: ValueType; count: number }[] = [];
    for (const type of all) {
      const last = groups.at(-1);
      if (last?.type === type) last.count++;
      else groups.push({ type, count: 1 });
    }
    const declared = vector(groups.map(({ type, count }) => [...leb(count), CODES[type]]));
    return declared.concat(this.#code);
  }

  // Locals: parameters, their taints, the original locals, their taints, temporaries, slots of the stack.

  #valueOf(index: number): number {
    const { length } = this.#type.params;
    return index < length ? index : index + length;
  }

  #taintOf(index: number): number {
    const { length } = this.#type.params;
    return index < length ? index + length : index + length + this.#func.locals.length;
  }

  #temporary(type: ValueType | 'address' | 'count'): number {
    return 2 * this.#types.length + TEMPORARIES.indexOf(type);
  }

  /** The local with the taint of the value at a height of the stack. */
  #slot(height: number, type: ValueType): number {
    const isVector = type === 'v128' ? 1 : 0;
    return 2 * this.#types.length + TEMPORARIES.length + 2 * height + isVector;
  }

  #emit(...code: readonly number[]): void {
    for (const byte of code) this.#code.push(byte);
  }

  #local(code: number, index: number): void {
    this.#emit(code, ...leb(index));
  }

  #vector(number: number, ...immediates: readonly number[]): void {
    this.#emit(VECTOR, ...leb(number), ...immediates);
  }

  #constant(number: number): void {
    this.#emit(CODE.i32Const, ...positive(number));
  }

  #push(type: ValueType): number {
    this.#stack.push(type);
    this.#highest = Math.max(this.#highest, this.#stack.length);
    return this.#slot(this.#stack.length - 1, type);
  }

  /** @returns the local with the taint */
  #pop(expected?: ValueType): { type: ValueType; taint: number } {
    const type = this.#stack.pop();
    if (type === undefined || this.#stack.length < (this.#blocks.at(-1) ?? 0)) {
      throw new Error(`${this.#name}: the stack is empty at ${this.#offset}`);
    }
    if (expected !== undefined && type !== expected) {
      throw new Error(`${this.#name}: ${type} instead of ${expected} at ${this.#offset}`);
    }
    return { type, taint: this.#slot(this.#stack.length, type) };
  }

  /** Pops operands. @returns the locals with their taints, from the first operand on */
  #popAll(types: readonly ValueType[]): { type: ValueType; taint: number }[] {
    return types
      .toReversed()
      .map((type) => this.#pop(type))
      .reverse();
  }

  /** Reports if the taint in a local is not 0. */
  #check(taint: { type: ValueType; taint: number }, kind: LeakKind, instruction: string): void {
    const { sites } = this.#output;
    const site = { func: this.#name, kind, instruction, offset: this.#offset };
    this.#local(LOCAL.get, taint.taint);
    if (taint.type === 'v128') this.#vector(V.anyTrue);
    this.#emit(CODE.if, EMPTY_BLOCK);
    this.#constant(sites.push(site) - 1);
    this.#emit(CODE.call, ...leb(this.#output.module.imports.length), CODE.end);
  }

  #step(instruction: Instruction): void {
    const { code, offset, bytes, numbers } = instruction;
    this.#offset = offset;
    if (this.#unreachable && code !== CODE.end && code !== CODE.else) {
      throw new Error(`${this.#name}: unreachable code at ${offset}`);
    }
    const operation = this.#output.operations.get(code);
    if (operation !== undefined) {
      this.#operate(operation, instruction);
      return;
    }
    const access = ACCESSES.get(code);
    if (access !== undefined) {
      this.#access(access, bytes, numbers[1]!);
      return;
    }
    switch (code) {
      case CODE.i32Const: {
        this.#untainted('i32', bytes);
        return;
      }
      case CODE.i64Const: {
        this.#untainted('i64', bytes);
        return;
      }
      case CODE.f64Const: {
        this.#untainted('f64', bytes);
        return;
      }
      case CODE.v128Const: {
        this.#untainted('v128', bytes);
        return;
      }
      case CODE.localGet: {
        this.#getLocal(numbers[0]!);
        return;
      }
      case CODE.localSet: {
        this.#setLocal(numbers[0]!, LOCAL.set);
        return;
      }
      case CODE.localTee: {
        this.#setLocal(numbers[0]!, LOCAL.tee);
        return;
      }
      case CODE.call: {
        this.#call(numbers[0]!);
        return;
      }
      case CODE.select: {
        this.#select();
        return;
      }
      case CODE.drop:
        this.#pop();
        {
          this.#emit(...bytes);
          return;
        }
      case CODE.nop:
        return;
      case CODE.memoryFill:
      case CODE.memoryCopy:
      case CODE.memoryGrow: {
        this.#bulk(code, bytes);
        return;
      }
      default: {
        this.#control(instruction);
        return;
      }
    }
  }

  #control({ code, bytes, numbers }: Instruction): void {
    switch (code) {
      case CODE.block:
      case CODE.loop:
        this.#emit(...bytes);
        this.#blocks.push(this.#stack.length);
        return;
      case CODE.if:
        this.#condition('if');
        this.#emit(...bytes);
        this.#blocks.push(this.#stack.length);
        return;
      case CODE.brIf:
        this.#condition('br_if');
        {
          this.#emit(...bytes);
          return;
        }
      case CODE.brTable:
        this.#check(this.#pop('i32'), 'table', 'br_table');
        this.#emit(...bytes);
        this.#unreachable = true;
        return;
      case CODE.br:
        this.#emit(...bytes);
        this.#unreachable = true;
        return;
      case CODE.return:
        this.#results();
        this.#emit(...bytes);
        this.#unreachable = true;
        return;
      case CODE.else:
        this.#emit(code);
        this.#leave(this.#blocks.at(-1)!);
        return;
      case CODE.end:
        if (this.#blocks.length === 0) this.#results();
        this.#emit(code);
        this.#leave(this.#blocks.pop() ?? this.#type.results.length);
        return;
      default:
        throw new Error(`instruction 0x${code.toString(16)} at ${this.#offset} for ${numbers[0]}`);
    }
  }

  /** At the end of a block the stack is as at its beginning. */
  #leave(height: number): void {
    if (!this.#unreachable && this.#stack.length !== height) {
      throw new Error(`${this.#name}: a block changes the stack at ${this.#offset}`);
    }
    this.#stack = this.#stack.slice(0, height);
    this.#unreachable = false;
  }

  /** Puts the taints of the results behind the results. */
  #results(): void {
    if (this.#unreachable) return;
    const { results } = this.#type;
    if (results.length > 1) throw new Error(`${this.#name} has two results`);
    const height = this.#stack.length - results.length;
    results.forEach((type, i) => this.#local(LOCAL.get, this.#slot(height + i, type)));
  }

  #condition(instruction: 'if' | 'br_if'): void {
    const condition = this.#pop('i32');
    const { branches, coverAt } = this.#output;
    const place = coverAt + 2 * branches.length;
    const [func, offset, isLoop] = [this.#name, this.#offset, this.#isLoop];
    branches.push({ func, instruction, offset, isLoop });
    const value = this.#temporary('i32');
    this.#check(condition, 'branch', instruction);
    this.#local(LOCAL.set, value);
    this.#mark(() => {
      this.#local(LOCAL.get, value);
      this.#emit(I32.eqz, I32.eqz);
    }, place);
    this.#local(LOCAL.get, value);
  }

  /** Sets the byte at `place` + an index to 1. */
  #mark(index: () => void, place: number): void {
    index();
    this.#constant(1);
    this.#emit(I32.store8, 0, ...leb(place));
  }

  #untainted(type: ValueType, bytes: readonly number[]): void {
    this.#emit(...bytes);
    const slot = this.#push(type);
    if (type === 'v128') this.#vector(V.const, ...new Uint8Array(16));
    else this.#constant(0);
    this.#local(LOCAL.set, slot);
  }

  #getLocal(index: number): void {
    this.#local(LOCAL.get, this.#valueOf(index));
    const slot = this.#push(this.#types[index]!);
    this.#local(LOCAL.get, this.#taintOf(index));
    this.#local(LOCAL.set, slot);
  }

  #setLocal(index: number, code: number): void {
    const { type, taint } = this.#pop(this.#types[index]);
    this.#local(code, this.#valueOf(index));
    this.#local(LOCAL.get, taint);
    this.#local(LOCAL.set, this.#taintOf(index));
    if (code === LOCAL.tee) this.#push(type);
  }

  #call(index: number): void {
    const { imports, functions, types } = this.#output.module;
    const imported = imports[index];
    const { params, results } = types[imported?.type ?? functions[index - imports.length]!.type]!;
    const taints = this.#popAll(params);
    if (imported === undefined) {
      for (const { taint } of taints) this.#local(LOCAL.get, taint);
    } else {
      for (const taint of taints) this.#check(taint, 'call', imported.name);
    }
    this.#emit(CODE.call, ...leb(shifted(this.#output.module, index)));
    for (const type of results) {
      const slot = this.#push(type);
      if (imported !== undefined) this.#constant(0);
      this.#local(LOCAL.set, slot);
    }
  }

  /** Compilers may make a branch of it. */
  #select(): void {
    this.#check(this.#pop('i32'), 'select', 'select');
    const second = this.#pop();
    const first = this.#pop(second.type);
    this.#emit(CODE.select);
    const slot = this.#push(second.type);
    this.#local(LOCAL.get, first.taint);
    this.#local(LOCAL.get, second.taint);
    if (second.type === 'v128') this.#vector(V.or);
    else this.#emit(I32.or);
    this.#local(LOCAL.set, slot);
  }

  #bulk(code: number, bytes: readonly number[]): void {
    const { shadowAt } = this.#output;
    if (code === CODE.memoryGrow) {
      this.#check(this.#pop('i32'), 'length', 'memory.grow');
      // The shadow is behind the memory, which therefore does not grow: a possible result.
      this.#emit(CODE.drop, CODE.i32Const, 0x7f);
      const slot = this.#push('i32');
      this.#constant(0);
      this.#local(LOCAL.set, slot);
      return;
    }
    const name = code === CODE.memoryFill ? 'memory.fill' : 'memory.copy';
    const [target, source, length] = this.#popAll(['i32', 'i32', 'i32']);
    this.#check(target!, 'address', name);
    if (code === CODE.memoryCopy) this.#check(source!, 'address', name);
    this.#check(length!, 'length', name);
    const [to, from, count] = (['address', 'i32', 'count'] as const).map((one) => {
      return this.#temporary(one);
    });
    this.#local(LOCAL.set, count!);
    this.#local(LOCAL.set, from!);
    this.#local(LOCAL.set, to!);
    for (const shadow of [0, shadowAt]) {
      this.#local(LOCAL.get, to!);
      this.#constant(shadow);
      this.#emit(I32_ADD);
      if (shadow > 0 && code === CODE.memoryFill) {
        this.#local(LOCAL.get, source!.taint);
      } else {
        this.#local(LOCAL.get, from!);
        if (code === CODE.memoryCopy) {
          this.#constant(shadow);
          this.#emit(I32_ADD);
        }
      }
      this.#local(LOCAL.get, count!);
      this.#emit(...bytes);
    }
  }

  #access({ name, type, stores, shadow }: Access, bytes: readonly number[], offset: number): void {
    const shadowCode = [...shadow.slice(0, 1), ...shadow.slice(1).flatMap(leb)];
    // Alignment is a hint only.
    const shadowAccess = [...shadowCode, 0, ...leb(offset + this.#output.shadowAt)];
    const at = this.#temporary('address');
    if (!stores) {
      this.#check(this.#pop('i32'), 'address', name);
      this.#local(LOCAL.tee, at);
      this.#emit(...bytes);
      const slot = this.#push(type);
      this.#local(LOCAL.get, at);
      this.#emit(...shadowAccess);
      if (type === 'i32') this.#emit(...isNotZero);
      if (type === 'i64' || type === 'f64') this.#emit(...isNotZero64);
      this.#local(LOCAL.set, slot);
      return;
    }
    const value = this.#pop(type);
    this.#check(this.#pop('i32'), 'address', name);
    this.#local(LOCAL.set, this.#temporary(type));
    this.#local(LOCAL.tee, at);
    this.#local(LOCAL.get, this.#temporary(type));
    this.#emit(...bytes);
    this.#local(LOCAL.get, at);
    this.#local(LOCAL.get, value.taint);
    if (type === 'i64' || type === 'f64') this.#emit(I64_EXTEND_S);
    this.#emit(...shadowAccess);
  }

  #operate(operation: Operation, { bytes, numbers }: Instruction): void {
    const { params, result, leak, name } = operation;
    const taints = this.#popAll(params);
    if (leak !== undefined) for (const taint of taints) this.#check(taint, leak, name);
    const [first, second] = taints.map(({ taint }) => taint);
    // A swizzle moves the taint of its table by the untainted lanes of its second operand, which are needed twice.
    const lanes = this.#temporary('v128');
    if (operation.rule === 'swizzle') this.#local(LOCAL.tee, lanes);
    this.#emit(...bytes);
    const slot = this.#push(result);
    switch (operation.rule) {
      case 'any':
        if (result !== 'v128') {
          taints.forEach(({ taint }, i) => {
            this.#local(LOCAL.get, taint);
            if (i > 0) this.#emit(I32.or);
          });
          break;
        }
        taints.forEach(({ type, taint }, i) => {
          this.#local(LOCAL.get, taint);
          if (type !== 'v128') this.#vector(V.splat);
          if (i > 0) this.#vector(V.or);
        });
        this.#spread(operation.laneBytes);
        break;
      case 'shuffle':
        this.#local(LOCAL.get, first!);
        this.#local(LOCAL.get, second!);
        this.#emit(...bytes);
        break;
      case 'swizzle':
        // Lanes 16 … 127 give 0 or, where relaxed, byte lane mod 16 of the table.
        this.#local(LOCAL.get, first!);
        this.#local(LOCAL.get, lanes);
        this.#vector(V.const, ...new Uint8Array(16).fill(0x8f));
        this.#vector(V.and);
        this.#vector(V.swizzle);
        this.#local(LOCAL.get, second!);
        this.#vector(V.or);
        break;
      case 'splat':
        this.#local(LOCAL.get, first!);
        this.#vector(V.splat);
        break;
      case 'extract': {
        const [lane] = numbers as [number];
        this.#local(LOCAL.get, first!);
        this.#spread(operation.laneBytes);
        if (operation.laneBytes === 1) this.#vector(V.extractByte, lane);
        else this.#vector(V.extractWord, (lane * operation.laneBytes) / 4);
        break;
      }
      case 'replace':
        this.#local(LOCAL.get, first!);
        this.#local(LOCAL.get, second!);
        if (operation.laneBytes === 8) this.#emit(I64_EXTEND_S);
        this.#vector(operation.laneBytes === 8 ? V.replaceLong : V.replaceWord, ...numbers);
        break;
      case 'reduce':
        this.#local(LOCAL.get, first!);
        this.#vector(V.anyTrue);
        this.#emit(...isNotZero);
    }
    this.#local(LOCAL.set, slot);
  }

  /** A lane with one tainted byte is tainted. */
  #spread(laneBytes: number): void {
    if (laneBytes === 1) return;
    if (laneBytes === 16) {
      this.#vector(V.anyTrue);
      this.#emit(...isNotZero);
      this.#vector(V.splat);
      return;
    }
    this.#vector(V.const, ...new Uint8Array(16));
    this.#vector(NOT_EQUAL[laneBytes]!);
  }
}

/** Whether the instruction is an `if` whose only content is a loop. */
function isLoop(instructions: readonly Instruction[], index: number): boolean {
  const at = (i: number): number | undefined => instructions[i]?.code;
  if (at(index) !== CODE.if || at(index + 1) !== CODE.loop) return false;
  let depth = 0;
  for (let i = index + 1; ; i++) {
    if (at(i) === CODE.block || at(i) === CODE.loop || at(i) === CODE.if) depth++;
    if (at(i) === CODE.end && --depth === 0) return at(i + 1) === CODE.end;
  }
}

const I32_ADD = 0x6a;
const TEMPORARIES = ['i32', 'i64', 'f64', 'v128', 'address', 'count'] as const;
const TEMPORARY_TYPES = TEMPORARIES.map((name): ValueType => {
  return name === 'address' || name === 'count' ? 'i32' : name;
});
/** The condition x ≠ 0 as a taint: (x = 0) - 1. */
const isNotZero = [I32.eqz, CODE.i32Const, 1, I32.sub];
const isNotZero64 = [CODE.i64Const, 0, I64_NE, I32.eqz, CODE.i32Const, 1, I32.sub];
