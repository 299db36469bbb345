/** The messages by code. They are for logs and hold no data. */
const MESSAGES = {
  ABSENT: 'there is no vault yet',
  EXISTS: 'a vault exists already',
  LOST: 'a vault existed here, and what is left of it cannot be opened',
  LOCKED: 'the vault is locked',
  WRONG_PASSPHRASE: 'the passphrase does not open the vault',
  LAST_SLOT: 'the last passphrase of the vault cannot be removed',
  BAD_BACKUP: 'this is not a backup, or it is damaged',
  BAD_REQUEST: 'this is not a request to friends or an answer of one, or it is damaged',
  TOO_COSTLY: 'the passphrase of this backup asks for more work than is accepted',
  CORRUPT: 'both copies of a stored value are damaged',
  NEWER: 'the vault was written by a newer version',
  QUOTA: 'there is no space to save; nothing was changed',
  UNAVAILABLE: 'a store of the vault does not work; nothing was saved',
} as const;

/** Why the vault refused. Codes are stable. */
export type VaultErrorCode = keyof typeof MESSAGES;

/**
 * The error of src/keys for everything that is not a caller's mistake. Its message depends on the code
 * alone, so that it cannot contain a passphrase, key, label or origin. `cause`, where given, is the
 * error of the platform's store.
 */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, options?: ErrorOptions) {
    super(MESSAGES[code], options);
    this.code = code;
  }
}

/** The VaultError of a failed write: QUOTA where there is no space, else UNAVAILABLE. */
export function storeFailure(cause: unknown): VaultError {
  if (cause instanceof VaultError) return cause;
  return new VaultError(isQuota(cause) ? 'QUOTA' : 'UNAVAILABLE', { cause });
}

// IndexedDB and Firefox name the error; Chromium's storage.local only says "QUOTA_BYTES quota
// exceeded" in the message.
function isQuota(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return cause.name === 'QuotaExceededError' || /quota/i.test(cause.message);
}
