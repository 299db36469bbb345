/**
 * One WebAssembly module as text: a memory, constants in it, functions. It imports nothing but a memory that threads
 * share, so a module can only compute on its memory.
 */
import { Body, local } from './body.ts';
import type { Local } from './body.ts';
import { i32 } from './expression.ts';
import type { ValueType } from './expression.ts';

/** Parameters by name, in order. */
type Parameters = Readonly<Record<string, ValueType>>;
type Arguments<P extends Parameters> = { readonly [N in keyof P]: Local<P[N]> };

interface Signature<P extends Parameters> {
  readonly params?: P;
  readonly result?: ValueType;
  /** False for functions that only the module itself calls. */
  readonly exported?: boolean;
}

const PAGE_BYTES = 65536;

/** A module in the WebAssembly text format: memory, constants and functions. */
export class ModuleText {
  private readonly parts: string[] = [];

  /**
   * @param memoryBytes rounded up to whole pages of 64 KiB
   * @param mostBytes the maximum of the memory, rounded up too; it cannot grow if absent
   * @param isShared whether the memory is imported, as `env.memory`, and shared with other threads
   */
  constructor(memoryBytes: number, mostBytes = memoryBytes, isShared = false) {
    const [pages, most] = [memoryBytes, mostBytes].map((bytes) => Math.ceil(bytes / PAGE_BYTES));
    this.parts.push(
      isShared
        ? `(import "env" "memory" (memory ${pages} ${most} shared))`
        : `(memory (export "memory") ${pages} ${most})`,
    );
    this.wipe();
  }

  /** Initial constants of the memory. Never secrets. */
  data(offset: number, bytes: ArrayLike<number>): void {
    const text = Array.from(bytes, (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
    this.parts.push(`(data (i32.const ${offset}) "${text}")`);
  }

  /** Adds a function, exported under its name by default. */
  func<const P extends Parameters = Readonly<Record<string, never>>>(
    name: string,
    signature: Signature<P>,
    write: (body: Body, args: Arguments<P>) => void,
  ): void {
    const { params = {} as P, result, exported = true } = signature;
    const body = new Body();
    const entries = Object.entries(params);
    write(
      body,
      Object.fromEntries(entries.map(([n, t]) => [n, local(t, `$${n}`)])) as Arguments<P>,
    );
    const head = [
      `func $${name}`,
      ...(exported ? [`(export "${name}")`] : []),
      ...entries.map(([n, type]) => `(param $${n} ${type})`),
      ...(result ? [`(result ${result})`] : []),
    ];
    this.parts.push(`(${head.join(' ')}\n${body.toString()})`);
  }

  toString(): string {
    return `(module\n${this.parts.join('\n')})\n`;
  }

  /** Every module can overwrite its memory: `wipe(offset, length)`. */
  private wipe(): void {
    this.func('wipe', { params: { offset: 'i32', length: 'i32' } }, (body, { offset, length }) => {
      body.emit('memory.fill', offset, i32.const(0), length);
    });
  }
}
