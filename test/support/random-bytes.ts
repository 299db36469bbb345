import { randomFillSync } from 'node:crypto';

/** Random bytes in an array of their own (Node's randomBytes gives views of a shared pool). */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return randomFillSync(new Uint8Array(length));
}
