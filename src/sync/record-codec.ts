/*
 * One sync key at work on the records of one collection: what is the same for all formats. A codec
 * holds keys; `wipe` it after use.
 */

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
  /** @returns the payload's text in UTF-8 @throws SyncError BAD_CLEARTEXT */
  encrypt(record: PlainRecord): Promise<Uint8Array>;
  /** @throws SyncError BAD_RECORD; OtherKeyError, AuthenticationError */
  decrypt(record: EncryptedRecord): Promise<OpenedRecord>;
  wipe(): void;
}
