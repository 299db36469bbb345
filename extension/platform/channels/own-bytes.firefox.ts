const { structuredClone } = globalThis;

/**
 * The same bytes as a value of this script's own realm. In Firefox what WebCrypto and Blobs give a
 * content script is a buffer of the page's realm behind an Xray, which refuses or slows down what
 * one does with it. A clone that transfers is one's own, and copies nothing.
 */
export function ownBytes(bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(structuredClone(bytes, { transfer: [bytes] }));
}
