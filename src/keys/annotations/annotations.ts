import { CONTACT, contactOf, contactRecord } from './contact.ts';
import type { ContactValue } from './contact.ts';
import { detailsOf, detailsRecord, KEY_DETAILS } from './key-details.ts';
import type { KeyDetails } from './key-details.ts';
import { sameJson } from '../json.ts';
import type { Json } from '../json.ts';
import type { VaultRecord } from '../vault/record.ts';
import { mergeSiteFields, SITE_FIELDS, siteFieldsOf, siteFieldsRecord } from './site-fields.ts';
import type { SiteFields } from './site-fields.ts';

/** What a person settled about keys, people and sites: it opens nothing, and nobody could make it again. */
export interface Noted {
  /** By the ref of their key. */
  readonly details: ReadonlyMap<string, KeyDetails>;
  /** By the id of their record. */
  readonly contacts: ReadonlyMap<string, ContactValue>;
  /** By origin. */
  readonly siteFields: ReadonlyMap<string, SiteFields>;
}

/** What one has noted that another has not. */
export interface NotedDifference {
  readonly contacts: number;
  /** Keys with a note or a colour that is missing on the other side. */
  readonly notes: number;
  /** Sites with a key or marked fields that are missing on the other side. */
  readonly siteSettings: number;
}

export const NOTED_TYPES = [KEY_DETAILS, CONTACT, SITE_FIELDS] as const;

export function notedOf(records: readonly VaultRecord[]): Noted {
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

export function recordsOfNoted({ details, contacts, siteFields }: Noted): VaultRecord[] {
  return [
    ...[...details].map(([ref, value]) => detailsRecord(ref, value)),
    ...[...contacts].map(([id, value]) => contactRecord(id, value)),
    ...[...siteFields.values()].map(siteFieldsRecord),
  ];
}

/**
 * Brings what another has noted into one's own. What `mine` says stands; only what it leaves empty is
 * filled. A contact is known by its public key: two names for one key are one contact.
 *
 * @param isMine whether one has this key oneself: then it is as archived, or not, as it is here
 */
export function mergeNoted(
  mine: Noted,
  theirs: Noted,
  isMine: (ref: string) => boolean,
): { readonly noted: Noted; readonly added: NotedDifference } {
  const details = new Map(mine.details);
  for (const [ref, other] of theirs.details) {
    const own = details.get(ref) ?? (isMine(ref) ? undefined : other);
    details.set(ref, mergeDetails(own, other));
  }
  const contacts = mergeContacts(mine.contacts, theirs.contacts);
  const notes = [...details].filter(([ref, merged]) => isRicher(merged, mine.details.get(ref)));
  const siteFields = new Map(mine.siteFields);
  for (const [origin, other] of theirs.siteFields) {
    siteFields.set(origin, mergeSiteFields(mine.siteFields.get(origin), other));
  }
  const added = {
    contacts: contacts.size - mine.contacts.size,
    notes: notes.length,
    siteSettings: settledOtherwise(siteFields, mine.siteFields),
  };
  return { noted: { details, contacts, siteFields }, added };
}

/** What `more` says and `less` does not, or says otherwise: what a backup is behind by. */
export function lackOf(less: Noted, more: Noted): NotedDifference {
  const names = new Map([...less.contacts.values()].map((it) => [it.publicKey, it.name]));
  const contacts = [...more.contacts.values()].filter((it) => names.get(it.publicKey) !== it.name);
  const notes = [...more.details].filter(([ref, own]) => isRicher(own, less.details.get(ref)));
  const siteSettings = settledOtherwise(more.siteFields, less.siteFields);
  return { contacts: contacts.length, notes: notes.length, siteSettings };
}

function settledOtherwise(one: Noted['siteFields'], other: Noted['siteFields']): number {
  const asJson = (site: SiteFields | undefined): Json => (site ?? null) as unknown as Json;
  return [...one].filter(([origin, site]) => !sameJson(asJson(site), asJson(other.get(origin))))
    .length;
}

function mergeDetails(own: KeyDetails | undefined, other: KeyDetails): KeyDetails {
  const { note = '', tone = '', archived = null } = own ?? {};
  return { note: note || other.note, tone: tone || other.tone, archived };
}

function isRicher(merged: KeyDetails, own: KeyDetails | undefined): boolean {
  return merged.note !== (own?.note ?? '') || merged.tone !== (own?.tone ?? '');
}

function mergeContacts(
  mine: Noted['contacts'],
  theirs: Noted['contacts'],
): ReadonlyMap<string, ContactValue> {
  const contacts = new Map(mine);
  const idOf = new Map([...mine].map(([id, { publicKey }]) => [publicKey, id]));
  for (const [id, other] of theirs) {
    const known = idOf.get(other.publicKey);
    const own = known === undefined ? undefined : contacts.get(known);
    if (own) contacts.set(known!, { ...own, verified: own.verified ?? other.verified });
    else if (!contacts.has(id)) {
      contacts.set(id, other);
      idOf.set(other.publicKey, id);
    }
  }
  return contacts;
}
