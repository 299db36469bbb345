/** The most bytes that one call of `getRandomValues` gives. */
const QUOTA = 65_536;

/** Random bytes in an array of their own (Node's randomBytes gives views of a shared pool), also in a page. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += QUOTA) {
    crypto.getRandomValues(bytes.subarray(at, at + QUOTA));
  }
  return bytes;
}
