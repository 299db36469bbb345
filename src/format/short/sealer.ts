import { concat, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { contextFor, headerFor, isPadded } from '../keys/seal-plan.ts';
import type { BeginSealOptions } from '../keys/seal-plan.ts';
import {
  chunkKeyBytes,
  chunkKeyLabel,
  cutChunkKeys,
  wipeChunkKeys,
  chunkNonce,
  type ChunkKeys,
} from '../keys/chunk-keys.ts';
import { COBBLESTONE_256 } from '../chunks/suites.ts';
import type { ThreadCrypto } from '../format-crypto.ts';
import { KEY_BYTES, inputKeyInfo } from '../keys/input-key.ts';
import { paddedSlice } from '../wire/padding.ts';
import {
  CHUNK_BYTES,
  HEADER_BYTES,
  PREFIX_BYTES,
  SALT_BYTES,
  SMALL_BODY_BYTES_MAX,
  TAG_BYTES,
  chunkCount,
  chunkedLength,
  paddedLength,
} from '../wire/sealed-length.ts';

/** A source of hedged salts (hedged-salt.ts) for callers that compute the hashes with an engine. */
export interface HashedSaltSource {
  /** @returns 24 bytes, never twice the same for one context */
  saltForHashes(contextHash: Uint8Array, messageHash: Uint8Array): Uint8Array;
}

/** Options of all messages of one sealer. */
export type MessageSealerOptions = Omit<
  BeginSealOptions,
  'recipients' | 'recipientTypes' | 'random' | 'crypto'
>;

/**
 * Seals short messages under one named key, synchronously: suite 01, without recipients. Computes the common
 * parts once. Each message has its own salt, keys and commitment, and equals the output of sealMessage.
 */
export class MessageSealer {
  readonly #crypto: ThreadCrypto;
  readonly #salts: HashedSaltSource;
  readonly #isPadded: boolean;
  readonly #header: Uint8Array;
  readonly #contextHash: Uint8Array;
  /** Undefined after `wipe`. */
  #inputKey: Uint8Array | undefined;
  /** prefix ‖ aead ‖ 00 ‖ salt ‖ context. Each message overwrites the salt. */
  readonly #info: Uint8Array;
  readonly #saltAt: number;

  /** @throws TypeError, RangeError, EnvelopeError for options as `sealMessage` does */
  constructor(options: MessageSealerOptions, crypto: ThreadCrypto, salts: HashedSaltSource) {
    const { key, purpose } = options;
    checkBytes('key', key, KEY_BYTES);
    this.#crypto = crypto;
    this.#salts = salts;
    this.#isPadded = isPadded(options);
    this.#header = headerFor(options, 1);
    const context = contextFor(options, this.#header, new Uint8Array(0));
    this.#contextHash = crypto.sha256(context);
    this.#inputKey = crypto.expand(key, inputKeyInfo(purpose, 1), KEY_BYTES);
    const label = chunkKeyLabel(COBBLESTONE_256);
    this.#saltAt = label.length;
    this.#info = concat(label, new Uint8Array(SALT_BYTES), context);
  }

  /**
   * Seals one message. Blocks the thread meanwhile.
   *
   * @param message up to 1 MiB, padding included
   * @returns the sealed message
   * @throws RangeError for a longer one
   */
  seal(message: Uint8Array): Uint8Array {
    checkBytes('message', message);
    const bodyBytes = this.#isPadded ? paddedLength(message.length) : message.length;
    if (bodyBytes > SMALL_BODY_BYTES_MAX) throw new RangeError('message: more than 1 MiB, padded');
    const salt = this.#salts.saltForHashes(this.#contextHash, this.#crypto.sha256(message));
    const keys = this.#keysFor(salt);
    const sealed = new Uint8Array(PREFIX_BYTES + chunkedLength(bodyBytes, CHUNK_BYTES));
    sealed.set(this.#header);
    sealed.set(salt, HEADER_BYTES);
    sealed.set(keys.commitment, HEADER_BYTES + SALT_BYTES);
    try {
      this.#sealChunks(keys, message, bodyBytes, sealed.subarray(PREFIX_BYTES));
      return sealed;
    } finally {
      wipeChunkKeys(keys);
    }
  }

  #keysFor(salt: Uint8Array): ChunkKeys {
    checkBytes('salt', salt, SALT_BYTES);
    if (!this.#inputKey) throw new Error('the key has been wiped');
    this.#info.set(salt, this.#saltAt);
    const lengthBytes = chunkKeyBytes(COBBLESTONE_256);
    const output = this.#crypto.expand(this.#inputKey, this.#info, lengthBytes);
    return cutChunkKeys(COBBLESTONE_256, output);
  }

  #sealChunks(keys: ChunkKeys, message: Uint8Array, bodyBytes: number, into: Uint8Array): void {
    const aead = this.#crypto.aesGcm(keys.key);
    try {
      for (let i = 0; i < chunkCount(bodyBytes, CHUNK_BYTES); i++) {
        const from = i * CHUNK_BYTES;
        const chunk = paddedSlice(message, from, Math.min(from + CHUNK_BYTES, bodyBytes));
        into.set(aead.seal(chunkNonce(keys.baseNonce, i), chunk), i * (CHUNK_BYTES + TAG_BYTES));
      }
    } finally {
      aead.wipe();
    }
  }

  /** Wipes the key. Call it after the last message; `seal` then throws. */
  wipe(): void {
    if (this.#inputKey) wipe(this.#inputKey);
    this.#inputKey = undefined;
  }
}
