/** ES2024, section 25.1.6.8. */
interface TransferableBuffer {
  transfer?(newLength: number): ArrayBuffer;
}

/**
 * Chromium, which alone has a save picker, holds the memory of buffers that were transferred until it collects them, and
 * collects later then, because it does not count them any more.
 */
const IS_FREED_BY_TRANSFER = !('showSaveFilePicker' in globalThis);

/**
 * Gives the memory of bytes back now instead of when the browser collects it: a long file would else fill the memory with
 * what was read. They are empty afterwards, so that only their one owner may call it. A view of a part of a buffer is left
 * alone: the rest may be in use.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (!IS_FREED_BY_TRANSFER || byteLength !== buffer.byteLength) return;
  (buffer as TransferableBuffer).transfer?.(0);
}
