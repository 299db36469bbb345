/*
 * The interface of all record formats: encrypts and decrypts the records of one collection under one
 * sync key. It takes many records per call, because engines process batches faster.
 */

import type { Result } from './results.ts';

/** A record to encrypt. */
export interface PlainRecord {
  readonly id: string;
  readonly payload: unknown;
  /** The payload's JSON in UTF-8, where the caller has it: what JSON.parse has made `payload` of. */
  readonly json?: Uint8Array;
  /** The record's generation, for formats that authenticate it; other formats ignore it. */
  readonly generation?: unknown;
}

/** A record to decrypt, as the server stores it. */
export interface EncryptedRecord {
  readonly id: string;
  /** The text, or its UTF-8. */
  readonly payload: string | Uint8Array;
  /** The lowest generation that is accepted, for formats that authenticate it. */
  readonly generation?: unknown;
}

/** The text of a payload. What is not UTF-8 becomes U+FFFD, which no format has in its texts. */
export function textOf(payload: EncryptedRecord['payload']): string {
  return typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
}

/** A decrypted record. `generation` is absent in formats without one, and for 0. */
export interface OpenedRecord {
  readonly payload: unknown;
  /** The JSON in UTF-8 of which JSON.parse has made `payload`. */
  readonly json: Uint8Array;
  readonly generation?: number;
}

/** Encrypts and decrypts records of one collection. It holds keys: call `wipe` after use. */
export interface RecordCodec {
  /** The id of the key, if records of this format store it beside their payload. */
  readonly kid?: string;
  /** @returns the payloads' texts in UTF-8, or SyncError BAD_CLEARTEXT, in the order of the records */
  encrypt(records: readonly PlainRecord[]): Promise<Result<Uint8Array>[]>;
  /** Failures are SyncError BAD_RECORD, OtherKeyError and AuthenticationError. */
  decrypt(records: readonly EncryptedRecord[]): Promise<Result<OpenedRecord>[]>;
  wipe(): void;
}
