/*
 * The defaults of the format: WebCrypto and the platform's generator. Content scripts bundle this
 * file, so it must not import an algorithm of src/crypto.
 */
import type { RandomSource } from '../random/contract.ts';

export { NATIVE_CRYPTO } from '../engine/native/native-crypto.ts';

/** The platform's generator; the extension passes its own (src/random/random.ts). */
export const NATIVE_RANDOM: RandomSource = {
  bytes: (lengthBytes) => crypto.getRandomValues(new Uint8Array(lengthBytes)),
};
