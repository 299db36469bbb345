/*
 * Annotations: what a user entered about keys, people and sites. They open nothing, but cannot be
 * computed again, so backups carry them and a restore merges them.
 */
import { sameJson } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import { CONTACT, contactOf, contactRecord } from './contact.ts';
import type { ContactValue } from './contact.ts';
import { detailsOf, detailsRecord, KEY_DETAILS, NO_DETAILS } from './key-details.ts';
import type { KeyDetails } from './key-details.ts';
import { mergeSiteFields, SITE_FIELDS, siteFieldsOf, siteFieldsRecord } from './site-fields.ts';
import type { SiteFields } from './site-fields.ts';

/** All annotations of one vault or backup. */
export interface UserAnnotations {
  /** By the ref of their key. */
  readonly details: ReadonlyMap<string, KeyDetails>;
  /** By the id of their record. */
  readonly contacts: ReadonlyMap<string, ContactValue>;
  /** By origin. */
  readonly siteFields: ReadonlyMap<string, SiteFields>;
}

/** How many annotations one side has that the other lacks. */
export interface AnnotationDifference {
  readonly contacts: number;
  /** Keys with a note or a colour that is missing on the other side. */
  readonly notes: number;
  /** Sites with a key or marked fields that are missing on the other side. */
  readonly siteSettings: number;
}

/** The types of records that hold annotations. */
export const ANNOTATION_TYPES = [KEY_DETAILS, CONTACT, SITE_FIELDS] as const;

/** The annotations among these records; records of other types are ignored. */
export function annotationsOf(records: readonly VaultRecord[]): UserAnnotations {
  const ofType = (type: string) => records.filter((record) => record.type === type);
  return {
    details: new Map(ofType(KEY_DETAILS).map(detailsOf)),
    contacts: new Map(ofType(CONTACT).map((record) => [record.id, contactOf(record)])),
    siteFields: new Map(
      ofType(SITE_FIELDS)
        .map(siteFieldsOf)
        .map((site) => [site.origin, site]),
    ),
  };
}

/** The inverse of `annotationsOf`. */
export function recordsOfAnnotations(annotations: UserAnnotations): VaultRecord[] {
  const { details, contacts, siteFields } = annotations;
  return [
    ...[...details].map(([ref, value]) => detailsRecord(ref, value)),
    ...[...contacts].map(([id, value]) => contactRecord(id, value)),
    ...[...siteFields.values()].map(siteFieldsRecord),
  ];
}

/**
 * Merges annotations of another vault into the own ones. What `own` says stays; only what it leaves
 * empty is filled. Two contacts with one public key are one contact, whatever their names.
 *
 * @param isOwn whether the vault has this key itself: then `own` decides whether it is archived
 */
export function mergeAnnotations(
  own: UserAnnotations,
  other: UserAnnotations,
  isOwn: (ref: string) => boolean,
): { readonly annotations: UserAnnotations; readonly added: AnnotationDifference } {
  const details = new Map(own.details);
  for (const [ref, theirs] of other.details) {
    const before = details.get(ref) ?? (isOwn(ref) ? undefined : theirs);
    details.set(ref, mergeDetails(before, theirs));
  }
  const contacts = mergeContacts(own.contacts, other.contacts);
  const siteFields = new Map(own.siteFields);
  for (const [origin, theirs] of other.siteFields) {
    siteFields.set(origin, mergeSiteFields(own.siteFields.get(origin), theirs));
  }
  const added = {
    contacts: contacts.size - own.contacts.size,
    notes: countRicher(details, own.details),
    siteSettings: countDifferentSites(siteFields, own.siteFields),
  };
  return { annotations: { details, contacts, siteFields }, added };
}

/**
 * What may be taken from a file that anyone can have made: that a contact is verified, what a site's fields are
 * sealed with, and that new messages are sealed with a key of the file, is for the user to say.
 *
 * @param refs of the keys that are taken from the file: they come archived
 * @param at ms since the epoch
 */
export function unvouched(
  { details, contacts }: UserAnnotations,
  refs: readonly string[],
  at: number,
): UserAnnotations {
  const archived = refs.map((ref) => {
    return [ref, { ...(details.get(ref) ?? NO_DETAILS), archived: at }] as const;
  });
  const unverified = [...contacts].map(([id, contact]) => {
    return [id, { ...contact, created: at, verified: null }] as const;
  });
  return { details: new Map(archived), contacts: new Map(unverified), siteFields: new Map() };
}

/** What `more` says and `less` does not, or says otherwise: by how much a backup is behind. */
export function missingAnnotations(
  less: UserAnnotations,
  more: UserAnnotations,
): AnnotationDifference {
  const names = new Map([...less.contacts.values()].map((it) => [it.publicKey, it.name]));
  const contacts = [...more.contacts.values()].filter((it) => names.get(it.publicKey) !== it.name);
  return {
    contacts: contacts.length,
    notes: countRicher(more.details, less.details),
    siteSettings: countDifferentSites(more.siteFields, less.siteFields),
  };
}

/** Keys of which `more` has a note or a colour that `less` lacks or has otherwise. */
function countRicher(more: UserAnnotations['details'], less: UserAnnotations['details']): number {
  return [...more].filter(([ref, details]) => isRicher(details, less.get(ref))).length;
}

function countDifferentSites(
  one: UserAnnotations['siteFields'],
  other: UserAnnotations['siteFields'],
): number {
  const asJson = (site: SiteFields | undefined): Json => (site ?? null) as unknown as Json;
  return [...one].filter(([origin, site]) => !sameJson(asJson(site), asJson(other.get(origin))))
    .length;
}

function mergeDetails(own: KeyDetails | undefined, other: KeyDetails): KeyDetails {
  const { note = '', tone = '', archived = null } = own ?? {};
  return { note: note || other.note, tone: tone || other.tone, archived };
}

function isRicher(more: KeyDetails, less: KeyDetails | undefined): boolean {
  return more.note !== (less?.note ?? '') || more.tone !== (less?.tone ?? '');
}

function mergeContacts(
  own: UserAnnotations['contacts'],
  other: UserAnnotations['contacts'],
): ReadonlyMap<string, ContactValue> {
  const contacts = new Map(own);
  const idOf = new Map([...own].map(([id, { publicKey }]) => [publicKey, id]));
  for (const [id, contact] of other) {
    const knownId = idOf.get(contact.publicKey);
    const known = knownId === undefined ? undefined : contacts.get(knownId);
    if (known) contacts.set(knownId!, { ...known, verified: known.verified ?? contact.verified });
    else if (!contacts.has(id)) {
      contacts.set(id, contact);
      idOf.set(contact.publicKey, id);
    }
  }
  return contacts;
}
