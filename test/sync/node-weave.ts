import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/*
 * A second implementation of Weave's and Kinto's payloads, with node:crypto. Each opens the payloads of the
 * other.
 */

export interface NodeBundle {
  readonly encryptionKey: Uint8Array;
  readonly hmacKey: Uint8Array;
}

/** @param bound text that is authenticated before the ciphertext, by the IV's Base64 */
export function nodeSeal(
  { encryptionKey, hmacKey }: NodeBundle,
  iv: Uint8Array,
  cleartext: string | Uint8Array,
  bound: (iv: string) => string = () => '',
): string {
  const cipher = createCipheriv('aes-256-cbc', encryptionKey, iv);
  const ciphertext = Buffer.concat([cipher.update(cleartext), cipher.final()]).toString('base64');
  const IV = Buffer.from(iv).toString('base64');
  const hmac = createHmac('sha256', hmacKey)
    .update(bound(IV) + ciphertext)
    .digest('hex');
  return JSON.stringify({ ciphertext, IV, hmac });
}

/** @throws Error if the HMAC differs */
export function nodeOpen(
  { encryptionKey, hmacKey }: NodeBundle,
  payload: string,
  bound: (iv: string) => string = () => '',
): string {
  const { ciphertext, IV, hmac } = JSON.parse(payload) as Record<string, string>;
  const computed = createHmac('sha256', hmacKey)
    .update(bound(IV!) + ciphertext!)
    .digest('hex');
  if (computed !== hmac) throw new Error('another HMAC');
  const cipher = createDecipheriv('aes-256-cbc', encryptionKey, Buffer.from(IV!, 'base64'));
  return Buffer.concat([cipher.update(ciphertext!, 'base64'), cipher.final()]).toString('utf8');
}
