/** Reads the binary format of WebAssembly, as far as the generator uses it. Anything else is an error. */
import { ACCESSES, codeOf, MISC, OPERATIONS, VECTOR } from './opcodes.ts';
import type { ValueType } from './opcodes.ts';

export interface FunctionType {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** One instruction, as it is in the file. */
export interface Instruction {
  /** See `codeOf` of opcodes.ts. */
  readonly code: number;
  /** Its place in the file. */
  readonly offset: number;
  /** All its bytes. */
  readonly bytes: readonly number[];
  /** Its immediate numbers: an index, the labels of br_table, alignment and offset of a memory access, a lane. */
  readonly numbers: readonly number[];
}

export interface FunctionBody {
  readonly type: number;
  readonly locals: readonly ValueType[];
  readonly instructions: readonly Instruction[];
}

export interface Module {
  readonly types: readonly FunctionType[];
  readonly imports: readonly { readonly module: string; readonly name: string; type: number }[];
  readonly functions: readonly FunctionBody[];
  readonly exports: readonly { readonly name: string; readonly kind: number; index: number }[];
  readonly memoryPages: number;
  /** The content of the data section, unchanged. */
  readonly data: readonly number[] | undefined;
}

/** Instructions of control and of variables. */
export const CODE = {
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f64Const: 0x44,
  v128Const: codeOf(VECTOR, 12),
  memoryCopy: codeOf(MISC, 10),
  memoryFill: codeOf(MISC, 11),
} as const;

const TYPES: Readonly<Record<number, ValueType>> = {
  0x7f: 'i32',
  0x7e: 'i64',
  0x7c: 'f64',
  0x7b: 'v128',
};
const EMPTY_BLOCK = 0x40;

class Reader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new Error('the module ends too early');
    return byte;
  }

  /** LEB128 without sign. */
  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skipNumber(): void {
    while (this.byte() >= 128);
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.byte();
  }

  from(start: number): number[] {
    return [...this.#bytes.subarray(start, this.at)];
  }

  list<T>(item: () => T): T[] {
    return Array.from({ length: this.number() }, item);
  }

  type(): ValueType {
    const code = this.byte();
    const type = TYPES[code];
    if (type === undefined) throw new Error(`unknown type ${code}`);
    return type;
  }

  name(): string {
    return String.fromCharCode(...this.list(() => this.byte()));
  }
}

/** @throws Error for everything that the generator does not emit and planted leaks do not need */
export function decode(bytes: Uint8Array): Module {
  const reader = new Reader(bytes);
  const module = {
    types: [] as FunctionType[],
    imports: [] as { module: string; name: string; type: number }[],
    functions: [] as FunctionBody[],
    exports: [] as { name: string; kind: number; index: number }[],
    memoryPages: 0,
    data: undefined as readonly number[] | undefined,
  };
  let types: readonly number[] = [];
  reader.skip(8);
  while (reader.at < bytes.length) {
    const section = reader.byte();
    const end = reader.number() + reader.at;
    if (section === 1) {
      module.types = reader.list(() => {
        expectByte(reader, 0x60, 'a function type');
        const params = reader.list(() => reader.type());
        return { params, results: reader.list(() => reader.type()) };
      });
    } else if (section === 2) {
      module.imports = reader.list(() => {
        const [from, name] = [reader.name(), reader.name()];
        expectByte(reader, 0, 'an imported function');
        return { module: from, name, type: reader.number() };
      });
    } else if (section === 3) {
      types = reader.list(() => reader.number());
    } else if (section === 5) {
      expectByte(reader, 1, 'one memory');
      const hasMaximum = reader.byte() === 1;
      module.memoryPages = reader.number();
      if (hasMaximum) reader.number();
    } else if (section === 7) {
      module.exports = reader.list(() => {
        return { name: reader.name(), kind: reader.byte(), index: reader.number() };
      });
    } else if (section === 10) {
      let index = 0;
      module.functions = reader.list(() => body(reader, types[index++]!));
    } else if (section === 11) {
      const start = reader.at;
      reader.skip(end - start);
      module.data = reader.from(start);
    } else {
      throw new Error(`unknown section ${section}`);
    }
    if (reader.at !== end) throw new Error(`section ${section} has another length`);
  }
  return module;
}

function expectByte(reader: Reader, byte: number, what: string): void {
  if (reader.byte() !== byte) throw new Error(`${what} was expected`);
}

function body(reader: Reader, type: number): FunctionBody {
  const end = reader.number() + reader.at;
  const locals = reader
    .list(() => {
      const count = reader.number();
      const local = reader.type();
      return Array.from({ length: count }, () => local);
    })
    .flat();
  const instructions: Instruction[] = [];
  while (reader.at < end) instructions.push(instruction(reader));
  if (reader.at !== end) throw new Error('a function has another length');
  return { type, locals, instructions };
}

function instruction(reader: Reader): Instruction {
  const offset = reader.at;
  const first = reader.byte();
  const code = first === VECTOR || first === MISC ? codeOf(first, reader.number()) : first;
  const numbers = immediates(reader, code, offset);
  return { code, offset, bytes: reader.from(offset), numbers };
}

function immediates(reader: Reader, code: number, offset: number): number[] {
  const operation = OPERATIONS.get(code);
  if (operation !== undefined) {
    return Array.from({ length: operation.immediateBytes }, () => reader.byte());
  }
  if (ACCESSES.has(code)) return [reader.number(), reader.number()];
  switch (code) {
    case CODE.block:
    case CODE.loop:
    case CODE.if:
      // Branches then carry no values, and the heights of the stack on both sides are the same.
      expectByte(reader, EMPTY_BLOCK, 'a block without a result');
      return [];
    case CODE.br:
    case CODE.brIf:
    case CODE.call:
    case CODE.localGet:
    case CODE.localSet:
    case CODE.localTee:
    case CODE.memoryGrow:
    case CODE.memoryFill:
      return [reader.number()];
    case CODE.memoryCopy:
      return [reader.number(), reader.number()];
    case CODE.brTable:
      return [...reader.list(() => reader.number()), reader.number()];
    case CODE.i32Const:
    case CODE.i64Const:
      reader.skipNumber();
      return [];
    case CODE.f64Const:
      reader.skip(8);
      return [];
    case CODE.v128Const:
      reader.skip(16);
      return [];
    case CODE.nop:
    case CODE.else:
    case CODE.end:
    case CODE.return:
    case CODE.drop:
    case CODE.select:
      return [];
    default:
      throw new Error(`unknown instruction 0x${code.toString(16)} at ${offset}`);
  }
}
