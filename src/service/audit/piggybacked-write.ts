import type { VaultDraft } from '../../keys/vault/vault.ts';

/**
 * What is worth remembering but no commit of its own: it is written in the commit that saves the
 * audit log. Until then it is in memory alone.
 */
export interface PiggybackedWrite {
  /** Takes out what waits. */
  take(): Taken;
}

/** Values that a commit under way writes. */
export interface Taken {
  /** Within the commit. */
  write(draft: VaultDraft): Promise<void>;
  /** The commit has ended. What could not be saved waits on, with what has come since. */
  settle(saved: boolean): void;
}
