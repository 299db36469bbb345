import type { VaultDraft } from '../../keys/vault/vault.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';
import type { Grant } from './grant-rules.ts';

/** A grant's last use is recorded to the hour, which is enough to find unused grants. */
export const LAST_USED_STEP_MS = 60 * 60 * 1000;

/** When grants without a limit of uses were last used. No call waits until that is written. */
export class LastUses implements PiggybackedWrite {
  #unsaved: ReadonlyMap<string, number> = new Map();

  /** The grant as it is: with the use that has not been saved yet. */
  latest(grant: Grant): Grant {
    const at = this.#unsaved.get(grant.id);
    return at === undefined ? grant : { ...grant, lastUsed: at };
  }

  /** @param grant as `latest` gave it */
  note({ id, lastUsed }: Grant, now: number): void {
    if (lastUsed !== null && Math.abs(now - lastUsed) < LAST_USED_STEP_MS) return;
    this.#unsaved = new Map([...this.#unsaved, [id, now]]);
  }

  take(): Taken {
    const taken = this.#unsaved;
    const isNewer = ([id, at]: [string, number]): boolean => taken.get(id) !== at;
    return {
      write: (draft) => writeLastUses(draft, taken),
      settle: (saved) => {
        if (saved) this.#unsaved = new Map([...this.#unsaved].filter(isNewer));
      },
    };
  }
}

/** A grant that has gone meanwhile stays gone. */
async function writeLastUses(draft: VaultDraft, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, lastUsed] of uses) {
    const record = await draft.get(id);
    if (record) draft.put({ ...record, value: { ...(record.value as object), lastUsed } });
  }
}
