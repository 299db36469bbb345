import { concat, copyOf, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes } from '../../crypto/errors.ts';
import { boundTo, checkOpenOptions, isMeantFor, requireCommitment } from '../plans/open-plan.ts';
import type { BeginOpenOptions, StreamOpenPlan } from '../plans/open-plan.ts';
import {
  chunkKeyBytes,
  chunkKeyLabel,
  cutChunkKeys,
  wipeChunkKeys,
  chunkNonce,
  type ChunkKeys,
} from '../keys/chunk-keys.ts';
import { parseEnvelope, parsePrefix } from '../wire/envelope.ts';
import type { Envelope, Prefix } from '../wire/envelope.ts';
import type { ThreadCrypto } from '../format-crypto.ts';
import { chunkSuite } from '../wire/header.ts';
import { KEY_BYTES, inputKeyInfo } from '../keys/input-key.ts';
import { TAG_BYTES, chunkCount } from '../wire/sealed-length.ts';
import { withoutPadding } from '../chunks/body.ts';

/** Options of all messages of one opener. */
export interface MessageOpenerOptions extends Pick<
  BeginOpenOptions,
  'keyId' | 'purpose' | 'origin' | 'associatedData'
> {
  /** The named key of one generation, 32 bytes; copied. */
  readonly key: Uint8Array;
}

/**
 * Opens messages without recipients under one named key, synchronously: both suites. Results and errors are those of
 * openMessage.
 */
export class MessageOpener {
  readonly #crypto: ThreadCrypto;
  readonly #options: Omit<MessageOpenerOptions, 'key'>;
  /** Undefined after `wipe`. */
  #key: Uint8Array | undefined;
  /** By suite, derived at first use. */
  readonly #inputKeys = new Map<1 | 2, Uint8Array>();

  /** @throws TypeError, RangeError, EnvelopeError for options as `openMessage` does */
  constructor(options: MessageOpenerOptions, crypto: ThreadCrypto) {
    checkOpenOptions(options);
    const { key, ...others } = options;
    this.#crypto = crypto;
    this.#options = others;
    this.#key = copyOf(key);
  }

  /**
   * Opens one message. Blocks the thread meanwhile.
   *
   * @param sealed any length
   * @param associatedData of this message, at most 64 KiB, in place of that of the options
   * @returns the message, after its last chunk has verified
   * @throws EnvelopeError when these bytes are not a sealed message of a cached version
   * @throws AuthenticationError for everything else, recipients included
   */
  open(sealed: Uint8Array, associatedData = this.#options.associatedData): Uint8Array {
    checkBytes('sealed', sealed);
    const envelope = parseEnvelope(sealed, sealed.length);
    const { keys, padded } = this.#begin(envelope, sealed, associatedData);
    try {
      const body = this.#body(keys, envelope, sealed);
      return padded ? withoutPadding(body) : body;
    } finally {
      wipeChunkKeys(keys);
    }
  }

  /**
   * Begins a message whose chunks other code opens: as beginOpen and beginOpenStream do.
   *
   * @param head the message, or its first bytes with everything before its chunks
   * @param totalBytes of the message; undefined where its end is not known
   * @throws EnvelopeError, AuthenticationError as `open`
   */
  begin(head: Uint8Array, totalBytes: number | undefined): StreamOpenPlan {
    checkBytes('head', head);
    const isWhole = totalBytes !== undefined;
    const prefix = isWhole ? parseEnvelope(head, totalBytes) : parsePrefix(head);
    return this.#begin(prefix, head, this.#options.associatedData);
  }

  #begin(prefix: Prefix, head: Uint8Array, associatedData: Uint8Array | undefined): StreamOpenPlan {
    const { header, chunksOffset } = prefix;
    if (header.flags.recipients || !isMeantFor(this.#options, prefix)) {
      throw new AuthenticationError();
    }
    const { suite, salt, context, commitment } = boundTo(
      { ...this.#options, associatedData },
      prefix,
      head,
    );
    const info = concat(chunkKeyLabel(suite), salt, context);
    const inputKey = this.#inputKey(header.suite);
    const keys = cutChunkKeys(suite, this.#crypto.expand(inputKey, info, chunkKeyBytes(suite)));
    requireCommitment(keys, commitment);
    return { suite, keys, chunksOffset, padded: header.flags.padded };
  }

  #inputKey(suite: 1 | 2): Uint8Array {
    const cached = this.#inputKeys.get(suite);
    if (cached) return cached;
    if (!this.#key) throw new Error('the key has been wiped');
    const info = inputKeyInfo(this.#options.purpose, suite);
    const inputKey = this.#crypto.expand(this.#key, info, KEY_BYTES);
    this.#inputKeys.set(suite, inputKey);
    return inputKey;
  }

  /** Opens all chunks. If one fails, those before it are wiped. */
  #body(keys: ChunkKeys, { header, bodyBytes, chunksOffset }: Envelope, sealed: Uint8Array) {
    const { chunkBytes } = chunkSuite(header.suite);
    const body = new Uint8Array(bodyBytes);
    const aead = this.#crypto.aesGcm(keys.key);
    try {
      for (let i = 0; i < chunkCount(bodyBytes, chunkBytes); i++) {
        const from = chunksOffset + i * (chunkBytes + TAG_BYTES);
        const chunk = sealed.subarray(from, from + chunkBytes + TAG_BYTES);
        const opened = aead.open(chunkNonce(keys.baseNonce, i), chunk);
        body.set(opened, i * chunkBytes);
        wipe(opened);
      }
      return body;
    } catch (error) {
      wipe(body);
      throw error;
    } finally {
      aead.wipe();
    }
  }

  /** Wipes the keys. Call it after the last message; `open` then throws. */
  wipe(): void {
    if (this.#key) wipe(this.#key, ...this.#inputKeys.values());
    this.#inputKeys.clear();
    this.#key = undefined;
  }
}
