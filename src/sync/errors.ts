/*
 * Why a record is refused. Every failure that depends on a secret is the same AuthenticationError of
 * src/crypto/errors.ts. The IV of a version 5 record is not authenticated: an attacker who could
 * distinguish wrong padding from wrong JSON or a wrong id could decrypt by changing IVs.
 */

/**
 * A failure that public text alone decides. The message names the fault and quotes nothing.
 * BAD_RECORD: the text is not a record of this format. BAD_CLEARTEXT: the payload cannot be encoded, or an argument is wrong.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly code: SyncErrorCode;

  constructor(code: SyncErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** See SyncError. */
export type SyncErrorCode = 'BAD_RECORD' | 'BAD_CLEARTEXT';

/** More devices, or more records of one device, than heads have room for. The message says how many. */
export class TooManyError extends Error {
  override readonly name = 'TooManyError';
}

/** The record names another key than the one in use. */
export class OtherKeyError extends Error {
  override readonly name = 'OtherKeyError';
  readonly keyId: string;

  /** @param keyId as the record has it */
  constructor(keyId: string) {
    super('the record is sealed with another key');
    this.keyId = keyId;
  }
}
