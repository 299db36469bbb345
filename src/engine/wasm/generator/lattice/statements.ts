/** Statements that the functions of both lattice modules are made of. */
import type { Body, Local } from '../dsl/body.ts';
import { i32 } from '../dsl/expression.ts';
import type { Expr, I32 } from '../dsl/expression.ts';

/** memory[to …] := memory[from …] */
export function copy(body: Body, to: I32, from: I32, lengthBytes: I32): void {
  body.emit('memory.copy', to, from, lengthBytes);
}

/** One turn for each i = 0 … count − 1. */
export function each(body: Body, count: I32, turn: (i: Expr<'i32'>) => void): void {
  const i = body.local('i32', 0);
  body.while(i32.ltU(i, count), () => {
    turn(i);
    body.set(i, i32.add(i, 1));
  });
}

/** pointer += step, of each */
export function advance(body: Body, pointers: readonly Local<'i32'>[], step: I32): void {
  for (const pointer of pointers) body.set(pointer, i32.add(pointer, step));
}
