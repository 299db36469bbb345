import { VaultError } from '../../keys/values/errors.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Timers } from '../../rpc/timers.ts';
import { withActivity, withinQuotas, type ActivityEntry } from './activity-entry.ts';
import { appendActivity, clearActivity, readActivity } from './activity-ring.ts';
import type { PiggybackedWrite } from './piggybacked-write.ts';

/** How long entries stay in memory, in ms, and how many. */
export const ACTIVITY = {
  /** How long entries wait in memory for others to be saved with: what a worker that ends may lose. */
  saveAfterMs: 3_000,
  /** Where nothing can be saved, the newest of each site are kept. */
  maxUnsaved: 500,
} as const;

/** In the session store: what could not be saved because the vault was locked. */
const UNSAVED = 'activity';

/** What the audit log is built from. */
export interface ActivityDeps {
  readonly vault: Vault;
  readonly session: SessionStore;
  readonly timers: Timers;
  readonly now: () => number;
  /** Saved with the log. */
  readonly piggybackedWrites?: readonly PiggybackedWrite[];
}

/** What an entry says, where it differs from the usual. */
export type NewEntry = Pick<ActivityEntry, 'operation'> & Partial<ActivityEntry>;

/**
 * The audit log. Noting costs a call nothing but memory: entries are saved together, in one commit
 * of the vault, some seconds later. A lock does not wait for that: what is not saved by then, and
 * what the user does while locked, waits for the next unlock in the session store, which never
 * touches the disk. No failure of the log is a failure of the call.
 */
export class Activity {
  readonly #deps: ActivityDeps;
  #unsaved: readonly ActivityEntry[] = [];
  #timer: unknown;
  #saving: Promise<void> = Promise.resolve();

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
  }

  record(recorded: NewEntry): void {
    const now = this.#deps.now();
    const usual = { from: now, until: now, origin: null, container: null, ref: null };
    this.#keep({ ...usual, result: 'ok', uses: 1, bytes: 0, ...recorded });
    this.#timer ??= this.#deps.timers.start(() => void this.save(), ACTIVITY.saveAfterMs);
  }

  /** Saves what waits. Never rejects: what cannot be saved waits on. */
  save(): Promise<void> {
    this.#deps.timers.stop(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  /** Oldest first. @throws VaultError LOCKED */
  async all(): Promise<readonly ActivityEntry[]> {
    await this.save();
    return [...(await readActivity(this.#deps.vault)), ...this.#unsaved];
  }

  /** All is forgotten but that it was cleared. @throws VaultError LOCKED, QUOTA, UNAVAILABLE */
  async clear(): Promise<void> {
    await this.save();
    await this.#deps.vault.commit((draft) => clearActivity(draft));
    this.#unsaved = [];
    this.record({ operation: 'clearActivity' });
  }

  async #save(): Promise<void> {
    const { session } = this.#deps;
    const taken = this.#unsaved;
    this.#unsaved = [];
    try {
      const waiting = ((await session.get(UNSAVED)) ?? []) as readonly ActivityEntry[];
      const entries = [...waiting, ...taken];
      if (entries.length === 0) return;
      const saved = await isDone(this.#commit(entries));
      if (!saved) await session.set(UNSAVED, withinQuotas(entries, ACTIVITY.maxUnsaved));
      else if (waiting.length > 0) await session.remove(UNSAVED);
    } catch {
      // No room, or a store that fails: with the next note it is tried again.
      const since = this.#unsaved;
      this.#unsaved = taken;
      for (const entry of since) this.#keep(entry);
    }
  }

  async #commit(entries: readonly ActivityEntry[]): Promise<void> {
    const { vault, piggybackedWrites = [] } = this.#deps;
    const others = piggybackedWrites.map((piggybackedWrite) => piggybackedWrite.take());
    try {
      await vault.commit(async (draft) => {
        await appendActivity(draft, entries);
        for (const other of others) await other.write(draft);
      });
      for (const other of others) other.settle(true);
    } catch (error) {
      for (const other of others) other.settle(false);
      throw error;
    }
  }

  #keep(entry: ActivityEntry): void {
    this.#unsaved = withinQuotas(withActivity(this.#unsaved, entry), ACTIVITY.maxUnsaved);
  }
}

/** False while locked. */
async function isDone(commit: Promise<void>): Promise<boolean> {
  try {
    await commit;
    return true;
  } catch (error) {
    if (error instanceof VaultError && error.code === 'LOCKED') return false;
    throw error;
  }
}
