/** CTR (SP 800-38A, section 6.5) in the AES module. */
import { checkInteger } from '../../../crypto/errors.ts';
import { ctr } from '../../../crypto/mode/ctr.ts';
import { countBuffer, STANDARD } from './aes.ts';
import type { WasmAesKey } from './block-cipher.ts';
import { checkData, copyIn, copyOut, roomFor } from '../memory.ts';
import { BUFFER, BUFFER_BYTES, COUNTER } from '../generator/aes/layout.ts';

/**
 * @param initialCounter 16 bytes
 * @param counterBits 1 … 128, the number of low bits that count and wrap
 * @param source any length up to 16 · 2^counterBits bytes
 * @param into at least as long; may begin where `source` begins; a new array if absent
 * @returns as many bytes as `source` has, a view of `into` if given
 */
export function wasmCtr(
  key: WasmAesKey,
  initialCounter: Uint8Array,
  counterBits: number,
  source: Uint8Array,
  into?: Uint8Array,
): Uint8Array {
  checkData('initialCounter', initialCounter, 16);
  checkInteger('counterBits', counterBits, 1, 128);
  checkData('source', source);
  const { length } = source;
  const target = roomFor(into, length);
  if (wraps(initialCounter, counterBits, length)) {
    // There are nonce bits to keep, or carries beyond 32 bits. This is rare; src/crypto does it in runs.
    return ctr(key, initialCounter, counterBits, source, target);
  }
  key.use();
  const { bytes } = key.module;
  copyIn(bytes, COUNTER, initialCounter, 0, 16);
  for (let done = 0; done < length;) {
    const at = BUFFER + 16 * (bytes[COUNTER + 15]! & 15);
    const part = Math.min(length - done, BUFFER + BUFFER_BYTES - at);
    copyIn(bytes, at, source, done, part);
    countBuffer(key.module, at, (part + 15) >> 4, STANDARD);
    copyOut(bytes, at, target, done, part);
    done += part;
    key.clear(at, part);
  }
  return target;
}

/** Whether the counting bits (at most 32 of them) wrap within the message. */
function wraps(counter: Uint8Array, counterBits: number, bytes: number): boolean {
  const width = counterBits < 32 ? 2 ** counterBits : 0x1_0000_0000;
  let low = counter[12]! * 0x100_0000;
  low += (counter[13]! << 16) | (counter[14]! << 8) | counter[15]!;
  return (low % width) + bytes / 16 > width;
}
