/**
 * The same bytes in this script's own realm. In Chromium, WebCrypto and Blobs give a content script
 * buffers of its own realm; see own-bytes.firefox.ts.
 */
export function ownBytes(bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
