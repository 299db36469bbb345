import { source } from './platform.ts';

/**
 * SHA-256 of the platform, for content scripts, which have no registry.
 *
 * @returns 32 bytes
 */
export async function nativeSha256(data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', source(data)));
}
