/*
 * One sync key at work on the records of one collection: what is the same for all formats. A codec
 * holds keys; `wipe` it after use. It takes many records at once, because engines are faster so.
 */

import type { Settled } from './results.ts';

export interface PlainRecord {
  readonly id: string;
  readonly payload: unknown;
  /** Of the record, for the formats that authenticate it; passed over by the others. */
  readonly generation?: unknown;
}

export interface EncryptedRecord {
  readonly id: string;
  readonly payload: string;
  /** The least that is accepted, for the formats that authenticate it. */
  readonly generation?: unknown;
}

export interface OpenedRecord {
  readonly payload: unknown;
  readonly generation?: number;
}

export interface RecordCodec {
  /** The id of the key, where records of this format have it beside their payload. */
  readonly kid?: string;
  /** @returns the payloads' texts in UTF-8, or SyncError BAD_CLEARTEXT, in the records' order */
  encrypt(records: readonly PlainRecord[]): Promise<Settled<Uint8Array>[]>;
  /** Failures are SyncError BAD_RECORD, OtherKeyError and AuthenticationError. */
  decrypt(records: readonly EncryptedRecord[]): Promise<Settled<OpenedRecord>[]>;
  wipe(): void;
}
