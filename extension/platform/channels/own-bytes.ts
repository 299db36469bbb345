/**
 * The same bytes as a value of this script's own realm. In Chromium what WebCrypto and Blobs give
 * a content script is one already; see own-bytes.firefox.ts.
 */
export function ownBytes(bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
