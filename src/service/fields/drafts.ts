import type { Json } from '../../keys/json.ts';
import type { VaultRecord } from '../../keys/vault/record.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';

/** UTF-8, of one text; what is longer stays in the memory of the window. */
export const MAX_DRAFT_BYTES = 64 * 1024;
/** Bounds on what a vault has to carry: the oldest goes when one more site has one. */
export const DRAFTS_MAX = 20;

interface Draft {
  readonly text: string;
  /** ms since the epoch */
  readonly at: number;
}

const TYPE = 'draft';

/**
 * What is being written for a site, until it is sealed and handed on: one record for each site, sealed
 * under the vault's key like all others. Rejects with VaultError LOCKED while the vault is locked.
 */
export class Drafts {
  readonly #vault: Vault;
  readonly #now: () => number;

  constructor({ vault, now }: { readonly vault: Vault; readonly now: () => number }) {
    this.#vault = vault;
    this.#now = now;
  }

  /** @param origin null for pages without one, which are one site */
  async of(origin: string | null): Promise<string> {
    const record = await this.#vault.read(idOf(origin));
    return record ? draftOf(record).text : '';
  }

  /** In the place of an earlier one; an empty text removes it. */
  async keep(origin: string | null, text: string): Promise<void> {
    await this.#vault.commit(async (draft) => {
      const id = idOf(origin);
      if (text === '') draft.remove(id);
      else {
        draft.put(recordOf(id, { text, at: Math.trunc(this.#now()) }));
        await dropOldest(draft);
      }
    });
  }
}

const idOf = (origin: string | null): string => `${TYPE} ${origin ?? 'null'}`;
const draftOf = ({ value }: VaultRecord): Draft => value as unknown as Draft;
const recordOf = (id: string, value: Draft): VaultRecord => ({
  ...{ id, type: TYPE, value: value as unknown as Json },
});

async function dropOldest(draft: VaultDraft): Promise<void> {
  const all = [...(await draft.list(TYPE))].sort((a, b) => draftOf(b).at - draftOf(a).at);
  for (const { id } of all.slice(DRAFTS_MAX)) draft.remove(id);
}
