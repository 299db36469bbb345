import { toBase64url, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { nativeSha256 } from '../../engine/native/digests.ts';
import type { InTurn } from '../../engine/native/native-crypto.ts';
import { THREAD_BYTES_MAX } from '../../engine/message-primitives.ts';
import { messageDigest } from '../../format/chunks/message-digest.ts';
import { LARGE_CHUNK_BYTES } from '../../format/wire/sealed-length.ts';

/**
 * SHA-256 of what a call asks for: who asks, its method and its parameters. Bytes count by their length and
 * a hash of their own, so that no long message is copied. Session keys count by their handles, which stand
 * for one key each and never for another (src/service/subtle/session-keys.ts).
 *
 * @param params as the table of methods validated them
 * @param inTurn begins the platform's works; absent: at once
 * @returns base64url
 */
export async function fingerprintOf(
  origin: string,
  method: string,
  params: unknown,
  inTurn: InTurn = (_bytes, begin) => begin(),
): Promise<string> {
  return toBase64url(sha256(utf8(`${origin} ${method} ${await canonical(params, inTurn)}`)));
}

/** JSON with sorted names, and `#` with length and hash for bytes: no two values have one text. */
async function canonical(value: unknown, inTurn: InTurn): Promise<string> {
  if (value instanceof Uint8Array) {
    // Without the length, a short text could be the digests of a long one's chunks.
    return `#${value.length}.${toBase64url(await digestOf(value, inTurn))}`;
  }
  const text = (each: unknown): Promise<string> => canonical(each, inTurn);
  if (Array.isArray(value)) return `[${(await Promise.all(value.map(text))).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value as Readonly<Record<string, unknown>>)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, field]) => `${JSON.stringify(name)}:${await text(field)}`);
  return `{${(await Promise.all(fields)).join()}}`;
}

/** Of long bytes by the platform, in pieces, because it may block the thread. */
function digestOf(bytes: Uint8Array, inTurn: InTurn): Uint8Array | Promise<Uint8Array> {
  if (bytes.length <= THREAD_BYTES_MAX) return sha256(bytes);
  return messageDigest(bytes, LARGE_CHUNK_BYTES, (part) =>
    inTurn(part.length, () => nativeSha256(part)),
  );
}
