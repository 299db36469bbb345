/**
 * Selects, by length alone, the implementation that seals, opens or authenticates one message in the
 * background, without a registry: a new worker loads two modules for a short message, and
 * none for a long one.
 */
import { SHA256 } from '../crypto/hash/sha256.ts';
import { SHA512 } from '../crypto/hash/sha512.ts';
import { hkdfExpand } from '../crypto/kdf/hkdf.ts';
import { hmac } from '../crypto/mac/hmac.ts';
import type { Awaitable, EngineName } from './contract.ts';
import { THREAD_BYTES_MAX, THREAD_MAC_BYTES_MAX } from './message-primitives.ts';
import type { MessagePrimitives } from './message-primitives.ts';
import { nativeSha256 } from './native/digests.ts';
import { NATIVE_CRYPTO, nativeHmacSha256, type InTurn } from './native/native-crypto.ts';

/**
 * Without WebAssembly, the platform does AES, because the tables of the portable AES are not side-channel
 * safe. The portable hashes have no tables, and save five calls to WebCrypto.
 */
const WITHOUT_WASM: MessagePrimitives = {
  expand: (key, info, lengthBytes) => Promise.resolve(hkdfExpand(SHA512, key, info, lengthBytes)),
  aesGcm: (key) => NATIVE_CRYPTO.aesGcm(key),
};

/** The platform's engine, each chunk and each digest in a turn of its own. */
function nativeInTurns(inTurn: InTurn): MessagePrimitives {
  return {
    ...NATIVE_CRYPTO,
    sha256: (data) => inTurn(data.length, () => nativeSha256(data)),
    async aesGcm(key) {
      const aead = await NATIVE_CRYPTO.aesGcm(key);
      return {
        seal: (nonce, data) => inTurn(data.length, () => aead.seal(nonce, data)),
        open: (nonce, data) => inTurn(data.length, () => aead.open(nonce, data)),
      };
    },
  };
}

/** Selects the engine of each message by its length. */
export class MessageCrypto {
  readonly #load: () => Promise<MessagePrimitives>;
  /** The engine for short messages after it has been loaded; before that, its promise. */
  #small: Awaitable<MessagePrimitives> | undefined;

  /** @param load loads the engine for short messages; if it rejects, others are used */
  constructor(load: () => Promise<MessagePrimitives>) {
    this.#load = load;
  }

  /**
   * Loads the engine at the first short message; long messages load none.
   *
   * @param inTurn begins each of the platform's works; absent: at once
   */
  forBytes(bytes: number, inTurn?: InTurn): Awaitable<MessagePrimitives> {
    if (bytes > THREAD_BYTES_MAX) return inTurn ? nativeInTurns(inTurn) : NATIVE_CRYPTO;
    this.#small ??= this.#loadSmall();
    return this.#small;
  }

  /** The engines that work here, in the order of preference. Loads the one for short messages. */
  async engines(): Promise<EngineName[]> {
    const { onThread } = await this.forBytes(0);
    return onThread ? ['native', 'wasm-simd', 'js'] : ['native', 'js'];
  }

  /**
   * HMAC-SHA-256 (FIPS 198-1), on this thread for short data.
   *
   * @param key the caller may wipe it once the promise has settled
   * @param inTurn as for `forBytes`
   * @returns 32 bytes
   */
  async hmacSha256(key: Uint8Array, data: Uint8Array, inTurn?: InTurn): Promise<Uint8Array> {
    return data.length <= THREAD_MAC_BYTES_MAX
      ? hmac(SHA256, key, data)
      : nativeHmacSha256(key, data, inTurn);
  }

  async #loadSmall(): Promise<MessagePrimitives> {
    const crypto = await this.#load().catch(() => WITHOUT_WASM);
    this.#small = crypto;
    return crypto;
  }
}
