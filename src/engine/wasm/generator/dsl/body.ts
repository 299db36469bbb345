/**
 * The body of one WebAssembly function, statement by statement.
 *
 *     const body = new Body();
 *     const sum = body.local('i32', 0);
 *     body.loop(count, () => body.set(sum, i32.add(sum, 1)));
 *
 * Two kinds of locals: `let` binds a value once, for use until the end of the innermost block, and shares its
 * local with others; `local` is a variable that `set` may change.
 */
import { codeOf, i32, op } from './expression.ts';
import type { Expr, I32, Operand, ValueType } from './expression.ts';
import { assignLocals } from './locals.ts';
import type { Declared, Statement } from './locals.ts';

/** A variable, used as an expression to read it. */
export interface Local<T extends ValueType = ValueType> extends Expr<T> {
  readonly name: string;
}

/** @returns an expression that reads the local variable */
export function local<T extends ValueType>(type: T, name: string): Local<T> {
  return { type, name, code: `(local.get ${name})` };
}

/** The statements of one WebAssembly function, written in order. */
export class Body {
  private statements: Statement[] = [];
  private readonly variables: Declared = new Map();
  private temporaries = 0;
  private labels = 0;

  /** Binds a value once. @returns the expression that reads it */
  let<T extends ValueType>(value: Expr<T>): Expr<T> {
    const name = `$t${this.temporaries++}`;
    this.statements.push({
      text: `(local.set ${name} ${value.code})`,
      defines: { name, type: value.type },
    });
    return { type: value.type, code: `(local.get ${name})` };
  }

  /** A variable with an initial value; WebAssembly initialises it with 0. */
  local<T extends ValueType>(type: T, initial?: Expr<T> | number | bigint): Local<T> {
    const variable = local(type, `$v${this.variables.size}`);
    this.variables.set(variable.name, type);
    if (initial !== undefined) this.set(variable, initial);
    return variable;
  }

  set<T extends ValueType>(variable: Local<T>, value: Expr<T> | number | bigint): void {
    this.push(`(local.set ${variable.name} ${codeOf(value)})`);
  }

  /** A store of the width of the value's type. */
  store(address: I32, value: Expr, offset = 0): void {
    this.emit(`${value.type}.store offset=${offset}`, address, value);
  }

  /** An instruction without a result: `emit('i32.store8 offset=3', address, value)`. */
  emit(instruction: string, ...operands: readonly Operand[]): void {
    this.push(`(${[instruction, ...operands.map(codeOf)].join(' ')})`);
  }

  /** A call of a function without a result. */
  call(name: string, ...operands: readonly Operand[]): void {
    this.emit(`call $${name}`, ...operands);
  }

  /** `count` iterations, none if it is 0. @param count changed: it counts down */
  loop(count: Local<'i32'>, turn: () => void): void {
    this.while(count, () => {
      turn();
      this.set(count, i32.sub(count, 1));
    });
  }

  /** Iterates as long as the condition, which is evaluated before each iteration, is not 0. */
  while(condition: I32, turn: () => void): void {
    const label = `$l${this.labels++}`;
    const inner = this.block(() => {
      turn();
      this.push(`(br_if ${label} ${codeOf(condition)})`);
    });
    this.statements.push({
      text: `(if ${codeOf(condition)} (then (loop ${label} {0})))`,
      blocks: [inner],
    });
  }

  /** Executes `then` if the condition is not 0. Conditions must never depend on a secret. */
  if(condition: I32, then: () => void, otherwise?: () => void): void {
    const blocks = [this.block(then)];
    if (otherwise) blocks.push(this.block(otherwise));
    const rest = otherwise ? ' (else {1})' : '';
    this.statements.push({ text: `(if ${codeOf(condition)} (then {0})${rest})`, blocks });
  }

  /** The value is the function's result if this is the last statement. */
  result(value: Expr): void {
    this.push(value.code);
  }

  /** Declarations and statements, with locals assigned. */
  toString(): string {
    const declared: Declared = new Map(this.variables);
    const names = assignLocals(this.statements, declared);
    const renamed = (text: string): string =>
      text.replaceAll(/\$t\d+\b/g, (name) => names.get(name) ?? name);
    const lines = [...declared].map(([name, type]) => `(local ${name} ${type})`);
    return [...lines, renamed(textOf(this.statements))].join('\n');
  }

  private push(text: string): void {
    this.statements.push({ text });
  }

  private block(content: () => void): readonly Statement[] {
    const outer = this.statements;
    const inner: Statement[] = [];
    this.statements = inner;
    content();
    this.statements = outer;
    return inner;
  }
}

/** A call of a function with a result, as an expression. */
export function call<T extends ValueType>(
  type: T,
  name: string,
  ...operands: readonly Operand[]
): Expr<T> {
  return op(type, `call $${name}`, ...operands);
}

function textOf(statements: readonly Statement[]): string {
  return statements
    .map(({ text, blocks }) =>
      text.replaceAll(/\{(\d)\}/g, (_, index) => `\n${textOf(blocks?.[Number(index)] ?? [])}\n`),
    )
    .join('\n');
}
