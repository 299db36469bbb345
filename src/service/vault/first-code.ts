import { VaultError } from '../../keys/values/errors.ts';

/** The pages ask for the code right after the creation. */
export const FIRST_CODE_MS = 60_000;

/**
 * Whether the first recovery code may be made without the passphrase, which was chosen a moment ago:
 * for the vault that this background has just created, once, for a minute, and until it is locked. It
 * is kept in memory alone, so that it ends with the background.
 */
export class FirstCode {
  readonly #now: () => number;
  #allowedAt: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The vault was created. */
  allow(): void {
    this.#allowedAt = this.#now();
  }

  /** The vault was locked, or opened again. */
  end(): void {
    this.#allowedAt = undefined;
  }

  /** Ends it too. @throws VaultError WRONG_PASSPHRASE unless it is allowed */
  take(): void {
    const at = this.#allowedAt;
    this.end();
    // A clock that was set back does not prolong it.
    const isAllowed = at !== undefined && Math.abs(this.#now() - at) < FIRST_CODE_MS;
    if (!isAllowed) throw new VaultError('WRONG_PASSPHRASE');
  }
}
