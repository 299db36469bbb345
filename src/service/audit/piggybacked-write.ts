import type { VaultDraft } from '../../keys/vault/vault.ts';

/**
 * Values that are not worth a commit of their own: they are written in the commit that saves the audit
 * log. Until then they are in memory only.
 */
export interface PiggybackedWrite {
  /** Takes the unsaved values out of memory. */
  take(): Taken;
}

/** Values that a commit under way writes. */
export interface Taken {
  /** Within the commit. */
  write(draft: VaultDraft): Promise<void>;
  /** Ends the write. Values that were not saved are added to those that have come since. */
  settle(saved: boolean): void;
}
