/*
 * Hedged salts (docs/format.md section 4.3). A salt that repeats under one key and context would
 * repeat AES-GCM nonces, so salts here depend on more than randomness:
 *
 *   salt = first 24 bytes of HMAC-SHA-256(K_hedge,
 *     platform(32) ‖ Fortuna(32) ‖ boot id(16) ‖ counter u64 ‖ SHA-256(context) ‖ SHA-256(message))
 *
 * Should every generator fail, equal salts result only from the same message in the same context after
 * the same number of calls. That reveals their equality and nothing else.
 */
import { concat, u64be, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { SHA256, sha256 } from '../../crypto/hash/sha256.ts';
import { Hmac, hmac } from '../../crypto/mac/hmac.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SALT_BYTES } from '../wire/sealed-length.ts';

const DRAW_BYTES = 32;
/** Bytes of `bootId`. */
export const BOOT_ID_BYTES = 16;
/** Bytes of `streamId`. */
export const STREAM_ID_BYTES = 32;

/** The sources that a salt depends on. */
export interface HedgedSaltDeps {
  /** The project's generator (Fortuna). */
  readonly random: RandomSource;
  /** The platform's generator alone. */
  readonly platform: RandomSource;
  /** 16 random bytes, drawn when the background starts. */
  readonly bootId: Uint8Array;
  /** HKDF(vault key, "SWM1 hedge"), 32 bytes, while the vault is unlocked. */
  readonly vaultKey?: Uint8Array | undefined;
}

/** Makes hedged salts. Each start of the background and each unlock creates a new one. */
export class HedgedSalt {
  readonly #random: RandomSource;
  readonly #platform: RandomSource;
  readonly #bootId: Uint8Array;
  /** HMAC-SHA-256 under K_hedge. */
  readonly #hedge: Hmac;
  #counter = 0n;

  constructor({ random, platform, bootId, vaultKey }: HedgedSaltDeps) {
    checkBytes('bootId', bootId, BOOT_ID_BYTES);
    this.#random = random;
    this.#platform = platform;
    this.#bootId = new Uint8Array(bootId);
    // K_hedge = HMAC-SHA-256(platform(32) ‖ Fortuna(32), vault key, if there is one)
    const fresh = concat(platform.bytes(DRAW_BYTES), random.bytes(DRAW_BYTES));
    const hedgeKey = hmac(SHA256, fresh, vaultKey ?? new Uint8Array(0));
    this.#hedge = new Hmac(SHA256, hedgeKey);
    wipe(fresh, hedgeKey);
  }

  /**
   * @param context of the message, any length
   * @param message the whole message
   * @returns 24 bytes
   */
  salt(context: Uint8Array, message: Uint8Array): Uint8Array {
    return this.saltForHashes(sha256(context), sha256(message));
  }

  /**
   * For bulk calls and streams, whose bytes are not available: an id replaces the message hash.
   *
   * @param streamId 32 random bytes, drawn for this message alone
   * @returns 24 bytes
   */
  saltForStream(context: Uint8Array, streamId: Uint8Array): Uint8Array {
    checkBytes('streamId', streamId, STREAM_ID_BYTES);
    return this.saltForHashes(sha256(context), streamId);
  }

  /**
   * For callers that compute the hashes with an engine.
   *
   * @param contextHash SHA-256(context)
   * @param messageHash SHA-256(message), or the id that replaces it
   * @returns 24 bytes
   */
  saltForHashes(contextHash: Uint8Array, messageHash: Uint8Array): Uint8Array {
    checkBytes('contextHash', contextHash, SHA256.digestBytes);
    checkBytes('messageHash', messageHash, SHA256.digestBytes);
    const draws = concat(this.#platform.bytes(DRAW_BYTES), this.#random.bytes(DRAW_BYTES));
    const counter = u64be(this.#counter++);
    const hashed = concat(draws, this.#bootId, counter, contextHash, messageHash);
    const tag = this.#hedge.reset().update(hashed).digest();
    wipe(draws, hashed);
    return tag.slice(0, SALT_BYTES);
  }
}
