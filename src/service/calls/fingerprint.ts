import { toBase64url, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { nativeSha256 } from '../../engine/native/digests.ts';

/** Longer bytes are hashed by the platform, which Firefox does off this thread. */
const THREAD_BYTES_MAX = 64 * 1024;

/**
 * SHA-256 of what a call asks for: who asks, its method and its parameters. Bytes count by their own
 * SHA-256, so that no long message is copied. Session keys count by their handles, which stand for one key
 * each and never for another (src/service/subtle/session-keys.ts).
 *
 * @param params as the table of methods validated them
 * @returns base64url
 */
export async function fingerprintOf(
  origin: string,
  method: string,
  params: unknown,
): Promise<string> {
  return toBase64url(sha256(utf8(`${origin} ${method} ${await canonical(params)}`)));
}

/** JSON with sorted names, and `#` with a digest for bytes: no two values have one text. */
async function canonical(value: unknown): Promise<string> {
  if (value instanceof Uint8Array) return `#${toBase64url(await digestOf(value))}`;
  if (Array.isArray(value)) return `[${(await Promise.all(value.map(canonical))).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value as Readonly<Record<string, unknown>>)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, field]) => `${JSON.stringify(name)}:${await canonical(field)}`);
  return `{${(await Promise.all(fields)).join()}}`;
}

function digestOf(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  return bytes.length <= THREAD_BYTES_MAX ? sha256(bytes) : nativeSha256(bytes);
}
