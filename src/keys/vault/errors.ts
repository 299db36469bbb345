/** Why the vault refused. The codes are stable; the messages are for logs and hold no data. */
const MESSAGES = {
  ABSENT: 'there is no vault yet',
  EXISTS: 'a vault exists already',
  LOST: 'a vault existed here, and what is left of it cannot be opened',
  LOCKED: 'the vault is locked',
  WRONG_PASSPHRASE: 'the passphrase does not open the vault',
  LAST_SLOT: 'the last passphrase of the vault cannot be taken away',
  BAD_BACKUP: 'this is no backup, or it is damaged',
  CORRUPT: 'both copies of a stored value are damaged',
  NEWER: 'the vault was written by a newer version',
  QUOTA: 'there is no room to save; nothing was changed',
  UNAVAILABLE: 'a store of the vault does not work; nothing was saved',
} as const;

export type VaultErrorCode = keyof typeof MESSAGES;

/**
 * The one error of src/keys for everything that is not a caller's mistake. Its message depends on
 * the code alone, so that no passphrase, key, label or origin can be in it; `cause`, where given,
 * is the platform store's own error.
 */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, options?: ErrorOptions) {
    super(MESSAGES[code], options);
    this.code = code;
  }
}

/** A failed write, in the vault's words: QUOTA where there is no room, else UNAVAILABLE. */
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
