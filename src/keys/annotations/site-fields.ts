import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/** How a form field is recognised at every visit: by an attribute that the site gave it. */
export interface KnownField {
  readonly tag: 'input' | 'textarea';
  readonly by: 'name' | 'id' | 'aria-label' | 'placeholder';
  readonly value: string;
  /** What the site calls it, at most KNOWN_BY_MAX_CHARACTERS; absent where it has no label. */
  readonly label?: string;
}

/** The user's settings for the form fields of one site. */
export interface SiteFields {
  readonly origin: string;
  /** The key that is offered first there, and that seals what is always sealed. */
  readonly ref: string | null;
  readonly alwaysSealed: readonly KnownField[];
}

/** The type of their records. */
export const SITE_FIELDS = 'site-fields';

/** Marked fields of one site, at most. */
export const SITE_FIELDS_MAX = 100;
/** Characters of the attribute by which a field is recognised, and of its label, at most. */
export const KNOWN_BY_MAX_CHARACTERS = 200;

/** The id of an origin's record. */
export const siteFieldsId = (origin: string): string => `${SITE_FIELDS} ${origin}`;

/** The settings in a record of this type. */
export const siteFieldsOf = ({ value }: VaultRecord): SiteFields => value as unknown as SiteFields;

/** The record that holds them. */
export function siteFieldsRecord(value: SiteFields): VaultRecord {
  return { id: siteFieldsId(value.origin), type: SITE_FIELDS, value: value as unknown as Json };
}

/** A record as backups hold it: what fields are called there is for lists on this device, and older readers know none of it. */
export function withoutLabels(record: VaultRecord): VaultRecord {
  if (record.type !== SITE_FIELDS) return record;
  const settings = siteFieldsOf(record);
  const alwaysSealed = settings.alwaysSealed.map(({ tag, by, value }) => ({ tag, by, value }));
  return siteFieldsRecord({ ...settings, alwaysSealed });
}

/** Whether both describe the same field. */
export function isSameField(a: KnownField, b: KnownField): boolean {
  return a.tag === b.tag && a.by === b.by && a.value === b.value;
}

/**
 * Merges the settings of one site. The own key stays; fields that either side marked are marked, up to
 * SITE_FIELDS_MAX.
 */
export function mergeSiteFields(own: SiteFields | undefined, other: SiteFields): SiteFields {
  if (!own) return other;
  const isNew = (field: KnownField): boolean =>
    !own.alwaysSealed.some((marked) => isSameField(marked, field));
  const alwaysSealed = [...own.alwaysSealed, ...other.alwaysSealed.filter(isNew)];
  return {
    origin: own.origin,
    ref: own.ref ?? other.ref,
    alwaysSealed: alwaysSealed.slice(0, SITE_FIELDS_MAX),
  };
}
