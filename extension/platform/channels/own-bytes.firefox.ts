const { structuredClone } = globalThis;

/**
 * The same bytes in this script's own realm. In Firefox, WebCrypto and Blobs give a content script
 * buffers of the page's realm behind an Xray, on which operations are slow or refused. A clone with
 * transfer moves them and copies nothing.
 */
export function ownBytes(bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(structuredClone(bytes, { transfer: [bytes] }));
}

/**
 * Frees the memory of bytes that were read, for the next ones: memory that is new has to be cleared by the system
 * first, which costs as much as the cipher.
 */
export function freeBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  (buffer as Transferable).transfer(0);
}

/** The method that TypeScript's library of this year does not know yet. */
interface Transferable extends ArrayBuffer {
  transfer(byteLength: number): ArrayBuffer;
}
