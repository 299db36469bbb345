/** Copies between callers' arrays and a module's memory, cheap for a few bytes and for many. */

/** Up to here a loop is faster than a view and a call. */
const LOOP_BYTES = 64;

/** memory[at …] := source[from … from + length] */
export function copyIn(
  memory: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  length: number,
): void {
  if (length <= LOOP_BYTES) {
    for (let i = 0; i < length; i++) memory[at + i] = source[from + i]!;
  } else if (length === source.length) {
    memory.set(source, at);
  } else {
    memory.set(source.subarray(from, from + length), at);
  }
}

/** target[to … to + length] := memory[at …] */
export function copyOut(
  memory: Uint8Array,
  at: number,
  target: Uint8Array,
  to: number,
  length: number,
): void {
  if (length <= LOOP_BYTES) {
    for (let i = 0; i < length; i++) target[to + i] = memory[at + i]!;
  } else {
    target.set(memory.subarray(at, at + length), to);
  }
}

/** memory[at … at + length] := 0 */
export function clear(memory: Uint8Array, at: number, length: number): void {
  if (length <= LOOP_BYTES) {
    for (let i = 0; i < length; i++) memory[at + i] = 0;
  } else {
    memory.fill(0, at, at + length);
  }
}
