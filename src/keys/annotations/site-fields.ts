import type { Json } from '../json.ts';
import type { VaultRecord } from '../vault/record.ts';

/** What a form field is known by at every visit: an attribute that the site gave it. */
export interface KnownField {
  readonly tag: 'input' | 'textarea';
  readonly by: 'name' | 'id' | 'aria-label' | 'placeholder';
  readonly value: string;
}

/** What a person settled about the fields of one site. */
export interface SiteFields {
  readonly origin: string;
  /** The key that is offered first there, and that seals what is always sealed. */
  readonly ref: string | null;
  readonly alwaysSealed: readonly KnownField[];
}

export const SITE_FIELDS = 'site-fields';

/** The most fields of one site, and the most characters of what a field is known by. */
export const SITE_FIELDS_MAX = 100;
export const KNOWN_BY_MAX_CHARACTERS = 200;

export const siteFieldsId = (origin: string): string => `${SITE_FIELDS} ${origin}`;

export const siteFieldsOf = ({ value }: VaultRecord): SiteFields => value as unknown as SiteFields;

export function siteFieldsRecord(value: SiteFields): VaultRecord {
  return { id: siteFieldsId(value.origin), type: SITE_FIELDS, value: value as unknown as Json };
}

export function isSameField(a: KnownField, b: KnownField): boolean {
  return a.tag === b.tag && a.by === b.by && a.value === b.value;
}

/**
 * What both say: a key of one's own stands, and every field that either marked is marked, as far as
 * one site may have them.
 */
export function mergeSiteFields(own: SiteFields | undefined, other: SiteFields): SiteFields {
  if (!own) return other;
  const isNew = (field: KnownField): boolean =>
    !own.alwaysSealed.some((mine) => isSameField(mine, field));
  const alwaysSealed = [...own.alwaysSealed, ...other.alwaysSealed.filter(isNew)];
  return {
    origin: own.origin,
    ref: own.ref ?? other.ref,
    alwaysSealed: alwaysSealed.slice(0, SITE_FIELDS_MAX),
  };
}
