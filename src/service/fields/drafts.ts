import type { Json } from '../../keys/values/json.ts';
import type { VaultRecord } from '../../keys/values/record.ts';
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
 * What is being written, until it is sealed and handed on: one record for each site, and one for each
 * sealed text that is being edited, sealed under the vault's key like all others. Rejects with
 * VaultError LOCKED while the vault is locked.
 */
export class Drafts {
  readonly #vault: Vault;
  readonly #now: () => number;

  constructor({ vault, now }: { readonly vault: Vault; readonly now: () => number }) {
    this.#vault = vault;
    this.#now = now;
  }

  /**
   * @param origin null for pages without one, which are one site
   * @param edited hash of the sealed text that is being edited; without it, the new text of the site
   */
  async of(origin: string | null, edited?: string): Promise<string> {
    const record = await this.#vault.read(idOf(origin, edited));
    return record ? draftOf(record).text : '';
  }

  /** In the place of an earlier one; an empty text removes it. */
  async keep(origin: string | null, text: string, edited?: string): Promise<void> {
    await this.#vault.commit(async (draft) => {
      const id = idOf(origin, edited);
      if (text === '') draft.remove(id);
      else {
        draft.put(this.#record(id, text));
        await dropOldest(draft);
      }
    });
  }

  /**
   * Makes the draft of an edit, whose field is gone or has another text by now, a new text of the
   * site, above the one that is being written.
   */
  async detach(origin: string | null, text: string, edited: string): Promise<void> {
    await this.#vault.commit(async (draft) => {
      const id = idOf(origin);
      const record = await draft.get(id);
      const both = [text, record ? draftOf(record).text : ''].filter((one) => one !== '');
      draft.remove(idOf(origin, edited));
      draft.put(this.#record(id, both.join('\n')));
      await dropOldest(draft);
    });
  }

  #record(id: string, text: string): VaultRecord {
    const value: Draft = { text, at: Math.trunc(this.#now()) };
    return { id, type: TYPE, value: value as unknown as Json };
  }
}

const idOf = (origin: string | null, edited?: string): string =>
  [TYPE, origin ?? 'null', ...(edited === undefined ? [] : [edited])].join(' ');
const draftOf = ({ value }: VaultRecord): Draft => value as unknown as Draft;

async function dropOldest(draft: VaultDraft): Promise<void> {
  const all = [...(await draft.list(TYPE))].sort((a, b) => draftOf(b).at - draftOf(a).at);
  for (const { id } of all.slice(DRAFTS_MAX)) draft.remove(id);
}
