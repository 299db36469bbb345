/**
 * The same bytes in this script's own realm. In Chromium, WebCrypto and Blobs give a content script
 * buffers of its own realm; see own-bytes.firefox.ts.
 */
export function ownBytes(bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Frees the memory of bytes that were read. In Chromium, what WebCrypto has allocated is only collected. */
export const freeBytes: (bytes: Uint8Array<ArrayBuffer>) => void = () => undefined;
