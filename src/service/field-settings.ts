import type { Json } from '../keys/json.ts';
import type { VaultRecord } from '../keys/record.ts';
import type { Vault, VaultDraft } from '../keys/vault.ts';
import { SealwrightError } from '../rpc/errors.ts';
import { MAX_FIELD_NAMES, type FieldName } from '../rpc/guard-methods.ts';

/** What a person settled about the fields of one site. */
export interface SiteFields {
  readonly origin: string;
  /** The key that is offered first there, and that seals what is always sealed. */
  readonly ref: string | null;
  readonly alwaysSealed: readonly FieldName[];
}

const TYPE = 'site-fields';

/**
 * One vault record for each site, encrypted at rest: which fields a person has, and where, is nobody's
 * business. All of it rejects with VaultError LOCKED while the vault is locked.
 */
export class FieldSettings {
  readonly #vault: Vault;

  constructor({ vault }: { readonly vault: Vault }) {
    this.#vault = vault;
  }

  /** In the order of their origins. */
  async all(): Promise<readonly SiteFields[]> {
    const all = (await this.#vault.list(TYPE)).map(fieldsOf);
    return all.sort((a, b) => (a.origin < b.origin ? -1 : 1));
  }

  async of(origin: string): Promise<SiteFields> {
    const record = await this.#vault.read(idOf(origin));
    return record ? fieldsOf(record) : nothingOf(origin);
  }

  /** @throws SealwrightError TOO_LARGE where a site has too many of them */
  alwaysSeal(origin: string, field: FieldName, on: boolean): Promise<void> {
    return this.#change(origin, (settings) => {
      const others = settings.alwaysSealed.filter((one) => !isSameField(one, field));
      if (on && others.length >= MAX_FIELD_NAMES) {
        throw new SealwrightError('TOO_LARGE', `A site has up to ${MAX_FIELD_NAMES} such fields`);
      }
      return { ...settings, alwaysSealed: on ? [...others, field] : others };
    });
  }

  offerKey(origin: string, ref: string | null): Promise<void> {
    return this.#change(origin, (settings) => ({ ...settings, ref }));
  }

  #change(origin: string, change: (settings: SiteFields) => SiteFields): Promise<void> {
    return this.#vault.commit(async (draft) => put(draft, change(await fieldsIn(draft, origin))));
  }
}

export function isSameField(a: FieldName, b: FieldName): boolean {
  return a.tag === b.tag && a.by === b.by && a.value === b.value;
}

const idOf = (origin: string): string => `${TYPE} ${origin}`;
const nothingOf = (origin: string): SiteFields => ({ origin, ref: null, alwaysSealed: [] });
const fieldsOf = ({ value }: VaultRecord): SiteFields => value as unknown as SiteFields;

async function fieldsIn(draft: VaultDraft, origin: string): Promise<SiteFields> {
  const record = await draft.get(idOf(origin));
  return record ? fieldsOf(record) : nothingOf(origin);
}

/** A site of which nothing is settled leaves no record. */
function put(draft: VaultDraft, settings: SiteFields): void {
  const id = idOf(settings.origin);
  const isEmpty = settings.ref === null && settings.alwaysSealed.length === 0;
  if (isEmpty) draft.remove(id);
  else draft.put({ id, type: TYPE, value: settings as unknown as Json });
}
