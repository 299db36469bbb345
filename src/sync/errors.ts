/*
 * What a record can be refused for. Whatever depends on a secret is the one AuthenticationError of
 * src/crypto/errors.ts: the IV of a v5 record is not authenticated, so that whoever could tell a
 * wrong padding from wrong JSON or from a wrong id could read by changing IVs.
 */

/**
 * Decided by public text alone; the message names what is wrong and quotes nothing. BAD_RECORD: these
 * are no records of this format. BAD_CLEARTEXT: this cannot be made one.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly code: SyncErrorCode;

  constructor(code: SyncErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type SyncErrorCode = 'BAD_RECORD' | 'BAD_CLEARTEXT';

/** The record says itself that it is sealed with another key. */
export class OtherKeyError extends Error {
  override readonly name = 'OtherKeyError';
  readonly keyId: string;

  /** @param keyId as the record has it */
  constructor(keyId: string) {
    super('the record is sealed with another key');
    this.keyId = keyId;
  }
}
