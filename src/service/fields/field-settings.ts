import {
  isSameField,
  SITE_FIELDS,
  siteFieldsId,
  siteFieldsOf,
  siteFieldsRecord,
  type SiteFields,
} from '../../keys/annotations/site-fields.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { MAX_FIELD_NAMES, type FieldName } from '../../rpc/methods/guard.ts';
import { patternOf, type Sites } from '../ports/sites.ts';

/**
 * One vault record for each site, encrypted at rest: which fields a person uses, and
 * where, is private. Every method rejects with VaultError LOCKED while the vault is locked.
 */
export class FieldSettings {
  readonly #vault: Vault;

  constructor({ vault }: { readonly vault: Vault }) {
    this.#vault = vault;
  }

  /** In the order of their origins. */
  async all(): Promise<readonly SiteFields[]> {
    const all = (await this.#vault.list(SITE_FIELDS)).map(siteFieldsOf);
    return all.sort((a, b) => (a.origin < b.origin ? -1 : 1));
  }

  async of(origin: string): Promise<SiteFields> {
    const record = await this.#vault.read(siteFieldsId(origin));
    return record ? siteFieldsOf(record) : nothingOf(origin);
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

const nothingOf = (origin: string): SiteFields => ({ origin, ref: null, alwaysSealed: [] });

async function fieldsIn(draft: VaultDraft, origin: string): Promise<SiteFields> {
  const record = await draft.get(siteFieldsId(origin));
  return record ? siteFieldsOf(record) : nothingOf(origin);
}

/** A site of which nothing is settled leaves no record. */
function put(draft: VaultDraft, settings: SiteFields): void {
  const isEmpty = settings.ref === null && settings.alwaysSealed.length === 0;
  if (isEmpty) draft.remove(siteFieldsId(settings.origin));
  else draft.put(siteFieldsRecord(settings));
}

/** What the guarding of forms on sites needs. */
export interface GuardedSitesDeps {
  readonly fieldSettings: FieldSettings;
  readonly sites: Pick<Sites, 'guard'>;
}

/** A pattern has no port: it is guarded as long as one of its origins has a field that is always sealed. */
export async function followFields(pattern: string, deps: GuardedSitesDeps): Promise<void> {
  await deps.sites.guard(pattern, (await guardedPatterns(deps)).has(pattern));
}

/**
 * After a restore, which may have brought such fields: of sites too that are enabled only later.
 *
 * @param before patterns that were guarded, where the restore may have removed fields
 */
export async function guardAll(
  deps: GuardedSitesDeps,
  before: ReadonlySet<string> = new Set(),
): Promise<void> {
  const guarded = await guardedPatterns(deps);
  for (const pattern of new Set([...before, ...guarded])) {
    await deps.sites.guard(pattern, guarded.has(pattern));
  }
}

/** The patterns of the sites that have a field which is always sealed. */
export async function guardedPatterns({
  fieldSettings,
}: GuardedSitesDeps): Promise<ReadonlySet<string>> {
  const marked = (await fieldSettings.all()).filter(({ alwaysSealed }) => alwaysSealed.length > 0);
  return new Set(marked.map(({ origin }) => patternOf(origin)));
}
