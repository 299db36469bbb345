import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/** The note with the ids of grants whose removal is not saved. They are random and say nothing. */
const NOTE = 'withheld-grants';

/** What became of the removal of grants. Refused: they count again. */
export type Removal = 'saved' | 'unsaved' | 'refused';

/**
 * Grants that no call gets any more although the vault still holds them: while their removal is
 * written, and where that failed, until a later commit removes them. The latter are noted outside
 * of the vault, so that a worker which starts anew withholds them too. Those that were removed stay
 * withheld in this worker: a call may have been given one before, and not have begun its work.
 */
export class WithheldGrants implements PiggybackedWrite {
  readonly #notes: SessionStore;
  readonly #removeIn: (draft: VaultDraft) => Promise<unknown>;
  readonly #removing = new Set<string>();
  readonly #unsaved = new Set<string>();
  readonly #removed = new Set<string>();
  #isRecalled = false;

  /**
   * @param notes like a session store, but durable
   * @param removeIn removes the grants whose removal could not be saved, and what goes with them
   */
  constructor(notes: SessionStore, removeIn: (draft: VaultDraft) => Promise<unknown>) {
    this.#notes = notes;
    this.#removeIn = removeIn;
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
    return this.#removing.has(id) || this.#unsaved.has(id) || this.#removed.has(id);
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

  /** Ends what `begin` began. */
  async end(ids: readonly string[], removal: Removal): Promise<void> {
    const before = [...this.#unsaved];
    for (const id of ids) {
      if (removal === 'unsaved') this.#unsaved.add(id);
      else this.#unsaved.delete(id);
      if (removal === 'saved') this.#removed.add(id);
      this.#removing.delete(id);
    }
    const isSame = before.length === this.#unsaved.size && before.every((id) => this.isUnsaved(id));
    if (!isSame) await this.#note();
  }

  /** The next commit of the audit log removes them. */
  take(): Taken {
    const ids = [...this.#unsaved];
    return {
      write: async (draft) => {
        if (ids.length > 0) await this.#removeIn(draft);
      },
      settle: (saved) => {
        if (saved && ids.length > 0) void this.end(ids, 'saved');
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
