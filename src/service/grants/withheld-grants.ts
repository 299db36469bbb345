import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/** The note with the ids of grants whose removal is not saved. They are random and say nothing. */
const NOTE = 'withheld-grants';

/**
 * Grants that no call gets any more although the vault still holds them: while their removal is
 * written, and where that failed, until a later commit removes them. The latter are noted outside
 * of the vault, so that a worker which starts anew withholds them too.
 */
export class WithheldGrants implements PiggybackedWrite {
  readonly #notes: SessionStore;
  readonly #removing = new Set<string>();
  readonly #unsaved = new Set<string>();
  #isRecalled = false;

  /** @param notes like a session store, but durable */
  constructor(notes: SessionStore) {
    this.#notes = notes;
  }

  /** Reads the note once. Call before `has`. */
  async recall(): Promise<void> {
    if (this.#isRecalled) return;
    let stored: unknown;
    try {
      stored = await this.#notes.get(NOTE);
    } catch {
      return; // it is read again before the next look
    }
    const ids: readonly unknown[] = Array.isArray(stored) ? stored : [];
    for (const id of ids) if (typeof id === 'string') this.#unsaved.add(id);
    this.#isRecalled = true;
  }

  /** Whether a grant counts no longer. */
  has(id: string): boolean {
    return this.#removing.has(id) || this.#unsaved.has(id);
  }

  /** How many removals could not be saved yet. */
  get unsaved(): number {
    return this.#unsaved.size;
  }

  /** Whether the removal of this grant could not be saved. */
  isUnsaved(id: string): boolean {
    return this.#unsaved.has(id);
  }

  /** Withholds grants while their removal is written. */
  begin(ids: readonly string[]): void {
    for (const id of ids) this.#removing.add(id);
  }

  /**
   * Ends what `begin` began.
   *
   * @param unsaved whether the removal failed: then they stay withheld until one succeeds
   */
  async end(ids: readonly string[], unsaved: boolean): Promise<void> {
    const before = [...this.#unsaved];
    for (const id of ids) {
      if (unsaved) this.#unsaved.add(id);
      else this.#unsaved.delete(id);
      this.#removing.delete(id);
    }
    const isSame = before.length === this.#unsaved.size && before.every((id) => this.isUnsaved(id));
    if (!isSame) await this.#note();
  }

  /** The next commit of the audit log removes them. */
  take(): Taken {
    const ids = [...this.#unsaved];
    return {
      write: (draft) => removeAll(draft, ids),
      settle: (saved) => {
        if (saved && ids.length > 0) void this.end(ids, false);
      },
    };
  }

  /** Without a note they are withheld as long as this worker lives. */
  async #note(): Promise<void> {
    const ids = [...this.#unsaved];
    const writing = ids.length > 0 ? this.#notes.set(NOTE, ids) : this.#notes.remove(NOTE);
    await writing.catch(() => undefined);
  }
}

function removeAll(draft: VaultDraft, ids: readonly string[]): Promise<void> {
  for (const id of ids) draft.remove(id);
  return Promise.resolve();
}
