import { AuthenticationError } from '../../src/crypto/errors.ts';
import { EnvelopeError } from '../../src/format/errors.ts';
import type { EnvelopeErrorCode } from '../../src/format/errors.ts';
import type { ChunkAead, FormatCrypto } from '../../src/format/format-crypto.ts';
import { NATIVE_CRYPTO } from '../../src/format/native-crypto.ts';

export const KEY = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
export const KEY_ID = Uint8Array.from({ length: 16 }, (_, i) => 0xf0 ^ i);
export const ORIGIN = 'https://example.org';

/** Lengths around every edge of the format: tag, padding, chunk, suite. */
export const MESSAGE_EDGES: readonly number[] = [
  ...[0, 1, 2, 15, 16, 17, 30, 31, 32, 33, 63, 64, 255, 256, 257],
  ...[16_368, 16_383, 16_384, 16_385, 16_400, 32_767, 32_768, 32_769],
  ...[1_048_575, 1_048_576, 1_048_577, 2_097_151, 2_097_152, 2_097_153],
];

/** The outcome of a call: the name of its error, or "resolved". */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'resolved';
  } catch (error) {
    return nameOf(error);
  }
}

export type Failure = EnvelopeErrorCode | 'AUTH_FAILED';

/** The code that a page would see; unexpected errors are given in full. */
export function nameOf(error: unknown): string {
  if (error instanceof AuthenticationError) return 'AUTH_FAILED';
  if (error instanceof EnvelopeError) return error.code;
  return String(error);
}

/** The name of the error that a synchronous call throws. */
export function thrown(work: () => unknown): string {
  try {
    work();
    return 'returned';
  } catch (error) {
    return nameOf(error);
  }
}

/** The default engine. Records every key that it gets. */
export function watchedCrypto(): FormatCrypto & { readonly derived: Uint8Array[]; calls: number } {
  const watched = {
    derived: [] as Uint8Array[],
    calls: 0,
    async expand(key: Uint8Array, info: Uint8Array, lengthBytes: number) {
      const output = await NATIVE_CRYPTO.expand(key, info, lengthBytes);
      watched.derived.push(output);
      return output;
    },
    async aesGcm(key: Uint8Array): Promise<ChunkAead> {
      const aead = await NATIVE_CRYPTO.aesGcm(key);
      return {
        seal: (nonce, data) => (watched.calls++, aead.seal(nonce, data)),
        open: (nonce, data) => (watched.calls++, aead.open(nonce, data)),
      };
    },
  };
  return watched;
}
