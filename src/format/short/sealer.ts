import { concat, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { contextFor, headerFor, isPadded } from '../plans/seal-plan.ts';
import type { BeginSealOptions, StreamSealPlan } from '../plans/seal-plan.ts';
import {
  chunkKeyBytes,
  chunkKeyLabel,
  cutChunkKeys,
  wipeChunkKeys,
  chunkNonce,
  type ChunkKeys,
} from '../keys/chunk-keys.ts';
import type { ChunkSuite } from '../wire/suites.ts';
import type { ThreadCrypto } from '../format-crypto.ts';
import { KEY_BYTES, inputKeyInfo } from '../keys/input-key.ts';
import { chunkSuite, suiteFor } from '../wire/header.ts';
import { paddedSlice } from '../wire/padding.ts';
import {
  PREFIX_BYTES,
  SALT_BYTES,
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
> & {
  /** 2 for messages of more than 1 MiB and for streams; default 1. */
  readonly suite?: 1 | 2;
};

/** What a message is bound to, and the parts of its key's derivation that follow from it. */
interface Bound {
  readonly hash: Uint8Array;
  /** prefix ‖ aead ‖ 00 ‖ salt ‖ context. Each message overwrites the salt. */
  readonly info: Uint8Array;
}

/**
 * Seals messages without recipients under one named key, synchronously. Computes the common parts once. Each message
 * has its own salt, keys and commitment, and equals the output of sealMessage.
 */
export class MessageSealer {
  readonly #crypto: ThreadCrypto;
  readonly #salts: HashedSaltSource;
  readonly #isPadded: boolean;
  readonly #suiteNumber: 1 | 2;
  readonly #suite: ChunkSuite;
  readonly #header: Uint8Array;
  readonly #origin: string | undefined;
  readonly #label: Uint8Array;
  readonly #bound: Bound;
  /** Undefined after `wipe`. */
  #inputKey: Uint8Array | undefined;

  /** @throws TypeError, RangeError, EnvelopeError for options as `sealMessage` does */
  constructor(options: MessageSealerOptions, crypto: ThreadCrypto, salts: HashedSaltSource) {
    const { key, purpose, suite = 1 } = options;
    checkBytes('key', key, KEY_BYTES);
    this.#crypto = crypto;
    this.#salts = salts;
    this.#isPadded = isPadded(options);
    this.#suiteNumber = suite;
    this.#suite = chunkSuite(suite);
    this.#header = headerFor(options, suite);
    this.#origin = options.origin;
    this.#label = chunkKeyLabel(this.#suite);
    this.#bound = this.#boundTo(options.associatedData);
    this.#inputKey = crypto.expand(key, inputKeyInfo(purpose, suite), KEY_BYTES);
  }

  #boundTo(associatedData: Uint8Array | undefined): Bound {
    const parts = { origin: this.#origin, associatedData };
    const context = contextFor(parts, this.#header, new Uint8Array(0));
    const info = concat(this.#label, new Uint8Array(SALT_BYTES), context);
    return { hash: this.#crypto.sha256(context), info };
  }

  /**
   * Seals one message. Blocks the thread meanwhile.
   *
   * @param message of the suite's lengths, padding included: of suite 01, up to 1 MiB
   * @param associatedData of this message, at most 64 KiB, in place of that of the options
   * @returns the sealed message
   * @throws RangeError for one of another suite
   */
  seal(message: Uint8Array, associatedData?: Uint8Array): Uint8Array {
    checkBytes('message', message);
    const bodyBytes = this.#isPadded ? paddedLength(message.length) : message.length;
    if (suiteFor(bodyBytes) !== this.#suiteNumber) {
      throw new RangeError(
        `message: ${bodyBytes} bytes, padded, are not of suite ${this.#suiteNumber}`,
      );
    }
    const bound = associatedData === undefined ? this.#bound : this.#boundTo(associatedData);
    const { prefix, keys } = this.#begin(this.#crypto.sha256(message), bound);
    try {
      const sealed = new Uint8Array(
        PREFIX_BYTES + chunkedLength(bodyBytes, this.#suite.chunkBytes),
      );
      sealed.set(prefix);
      this.#sealChunks(keys, message, bodyBytes, sealed.subarray(PREFIX_BYTES));
      return sealed;
    } finally {
      wipeChunkKeys(keys);
    }
  }

  /**
   * Begins a message whose chunks other code seals: as beginSeal and beginSealStream do.
   *
   * @param messageHash SHA-256(message), or 32 random bytes that were drawn for this message alone
   */
  begin(messageHash: Uint8Array): StreamSealPlan {
    return this.#begin(messageHash, this.#bound);
  }

  #begin(messageHash: Uint8Array, { hash, info }: Bound): StreamSealPlan {
    const salt = this.#salts.saltForHashes(hash, messageHash);
    const keys = this.#keysFor(salt, info);
    const prefix = concat(this.#header, salt, keys.commitment);
    return { prefix, suite: this.#suite, keys, padded: this.#isPadded };
  }

  #keysFor(salt: Uint8Array, info: Uint8Array): ChunkKeys {
    checkBytes('salt', salt, SALT_BYTES);
    if (!this.#inputKey) throw new Error('the key has been wiped');
    info.set(salt, this.#label.length);
    const lengthBytes = chunkKeyBytes(this.#suite);
    return cutChunkKeys(this.#suite, this.#crypto.expand(this.#inputKey, info, lengthBytes));
  }

  #sealChunks(keys: ChunkKeys, message: Uint8Array, bodyBytes: number, into: Uint8Array): void {
    const { chunkBytes } = this.#suite;
    const aead = this.#crypto.aesGcm(keys.key);
    try {
      for (let i = 0; i < chunkCount(bodyBytes, chunkBytes); i++) {
        const from = i * chunkBytes;
        const chunk = paddedSlice(message, from, Math.min(from + chunkBytes, bodyBytes));
        into.set(aead.seal(chunkNonce(keys.baseNonce, i), chunk), i * (chunkBytes + TAG_BYTES));
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
