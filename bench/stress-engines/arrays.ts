/** Views at odd places in arrays whose other bytes are watched. */
import type { Dice } from './dice.ts';

const GUARD = 0xa5;

/** A view with bytes of its array around it. */
export interface Watched {
  readonly view: Uint8Array<ArrayBuffer>;
  /** Whether a byte around the view has changed. */
  spilled(): boolean;
}

/** @param bytes copied to a view that begins at any of 16 places, with room behind it */
export function unaligned(dice: Dice, bytes: Uint8Array, roomBytes = 0): Watched {
  const at = dice.integer(1, 16);
  const end = at + bytes.length + roomBytes;
  const whole = new Uint8Array(end + 16).fill(GUARD);
  whole.set(bytes, at);
  const isGuard = (byte: number) => byte === GUARD;
  return {
    view: whole.subarray(at, end),
    spilled: () => !whole.subarray(0, at).every(isGuard) || !whole.subarray(end).every(isGuard),
  };
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
