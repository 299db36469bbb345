const { structuredClone } = globalThis;

/**
 * The same bytes in this script's own realm. In Firefox, WebCrypto and Blobs give a content script
 * buffers of the page's realm behind an Xray, on which operations are slow or refused. A clone with
 * transfer moves them and copies nothing.
 */
export function ownBytes(bytes: ArrayBuffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(structuredClone(bytes, { transfer: [bytes] }));
}
