import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import { NATIVE_CRYPTO } from '../../format/native-crypto.ts';

/**
 * Up to here the cipher on this thread is through before WebCrypto's threads have begun: 64 KiB
 * take it 0.1 to 0.2 ms. What is longer gains from them, and would keep others waiting here.
 */
const SMALL_BYTES = 64 * 1024;

/**
 * Without WebAssembly: AES stays with the platform, because floor 0's tables are not side-channel
 * safe; the hashes of floor 0 have no tables, and spare five calls into WebCrypto.
 */
const PARTLY_NATIVE: FormatCrypto = {
  expand: (key, info, lengthBytes) => Promise.resolve(hkdfExpand(SHA512, key, info, lengthBytes)),
  aesGcm: (key) => NATIVE_CRYPTO.aesGcm(key),
};

/** Chooses what seals or opens a message in the background, by its length. */
export class MessageCrypto {
  readonly #load: () => Promise<FormatCrypto>;
  /** The engine for small messages, once it is loaded; before that, the promise of it. */
  #small: Awaitable<FormatCrypto> | undefined;

  /** @param load brings the engine for small messages; where it fails, others do its work */
  constructor(load: () => Promise<FormatCrypto>) {
    this.#load = load;
  }

  /** Loads nothing for large messages, and never again for small ones. */
  forBytes(bytes: number): Awaitable<FormatCrypto> {
    if (bytes > SMALL_BYTES) return NATIVE_CRYPTO;
    this.#small ??= this.#loadSmall();
    return this.#small;
  }

  async #loadSmall(): Promise<FormatCrypto> {
    const crypto = await this.#load().catch(() => PARTLY_NATIVE);
    this.#small = crypto;
    return crypto;
  }
}
