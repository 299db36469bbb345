/**
 * Checks of callers' arrays, and copies between them and a module's memory. They are fast for few bytes and
 * for many: a call on 16 bytes takes a fraction of a microsecond.
 */
import { room } from '../../crypto/aead/buffers.ts';
import { checkBytes } from '../../crypto/errors.ts';
import type { Lengths } from '../../crypto/errors.ts';

/** Up to this length a loop is faster than a view and a call. */
const LOOP_BYTES = 64;
/** The same of zeros, which need no view. */
const LOOP_ZEROS = 32;

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
  if (length <= LOOP_ZEROS) {
    for (let i = 0; i < length; i++) memory[at + i] = 0;
  } else {
    memory.fill(0, at, at + length);
  }
}

/** memory[at …] ⊕= mask */
export function addTo(memory: Uint8Array, at: number, mask: Uint8Array): void {
  for (let i = 0; i < mask.length; i++) memory[at + i]! ^= mask[i]!;
}

/** `checkBytes` with a fast path for Uint8Arrays of this realm that are not detached. */
export function checkData(name: string, value: Uint8Array, lengths?: Lengths): void {
  const length = value instanceof Uint8Array ? value.length : 0;
  if (length === 0 || (lengths !== undefined && lengths !== length)) {
    checkBytes(name, value, lengths);
  }
}

/** `room`, without a new view if `into` has exactly that length. */
export function roomFor(into: Uint8Array | undefined, length: number): Uint8Array {
  if (into instanceof Uint8Array && into.length === length && length > 0) return into;
  return room(into, length);
}
