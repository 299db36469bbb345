/*
 * What the records of a vault say, as facts and registers of entries. An entry holds all that is known of one thing: a
 * user key with its details and its uses by sites, the app key of a site, a contact.
 */
import { fromBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { ANNOTATION_TYPES } from '../annotations/annotations.ts';
import type { ContactValue } from '../annotations/contact.ts';
import { contactName } from '../annotations/deletions.ts';
import { NO_DETAILS } from '../annotations/key-details.ts';
import type { KeyDetails } from '../annotations/key-details.ts';
import { SITE_FIELDS } from '../annotations/site-fields.ts';
import type { KnownField, SiteFields } from '../annotations/site-fields.ts';
import { backedUpOf } from '../backup/backup-contents.ts';
import {
  APP,
  APP_LABEL,
  digestOf,
  KEY_ROOT,
  KEY_USE,
  rootIdOf,
  rootsOf,
} from '../ring/key-records.ts';
import type { KeyUse } from '../ring/key-records.ts';
import { USER_KEY_TYPES, USER_KEYS } from '../ring/kinds.ts';
import { PERSISTENT_KEY } from '../ring/persistent-key.ts';
import type { StoredCollectionKeys, UserKeyGeneration, UserKeyValue } from '../ring/user-key.ts';
import { canonicalText } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import { MARK } from './registers.ts';
import { FACT, siteName } from './sites.ts';
import type { NamedInSite } from './sites.ts';

/** The types of records of which a shared state is made. */
export const SHARED_TYPES = [
  KEY_ROOT,
  KEY_USE,
  ...USER_KEY_TYPES,
  PERSISTENT_KEY,
  ...ANNOTATION_TYPES,
] as const;

/** What an entry says now: its facts, and of its registers those that differ from their initial value. */
export interface Content {
  readonly facts: Record<string, Json>;
  readonly values: Record<string, Json>;
}

/** What a header key id of a user key names: a generation of the key, or a key that was restored from elsewhere. */
export type NamedInKey =
  | { readonly generation: number; readonly digest: string }
  | { readonly generation: number; readonly secret: string };

/** A generation of a user key. Those that were restored from a diverged vault are kept, and never seal. */
export type SharedGeneration = Omit<UserKeyGeneration, 'generation'> & { readonly kept?: true };

/** What these records say, by the name of the entry. Records of other types are ignored. */
export function contentsOf(records: readonly VaultRecord[]): ReadonlyMap<string, Content> {
  const { keys, annotations, persistentKeys } = backedUpOf(records);
  const contents = new Map<string, Content>();
  const nameOfKey = new Map<string, string>();
  for (const [ref, key] of keys.userKeys) {
    const name = `${USER_KEYS[key.kind].recordType} ${ref}`;
    nameOfKey.set(ref, name);
    contents.set(name, userKeyContent(key.value, annotations.details.get(ref)));
  }
  if (keys.root) {
    const { label } = keys.root;
    const roots = [...rootsOf(keys.root)].map(([id, root]) => [`${FACT.root} ${id}`, root]);
    const values: Record<string, Json> = label === APP_LABEL ? {} : { label };
    contents.set(KEY_ROOT, { facts: Object.fromEntries(roots) as Content['facts'], values });
  }
  const first = keys.root && rootIdOf(keys.root);
  for (const use of keys.uses.values()) {
    const key = contents.get(nameOfKey.get(use.ref) ?? '');
    if (key) Object.assign(key.facts, useFacts(use, keys.userKeys.get(use.ref)!.value));
    else if (use.ref === APP && first !== undefined) {
      contents.set(siteName(use.origin), { facts: siteFacts(use, first), values: {} });
    }
  }
  for (const contact of annotations.contacts.values()) {
    contents.set(contactName(contact), contactContent(contact));
  }
  for (const [origin, site] of annotations.siteFields) {
    contents.set(`${SITE_FIELDS} ${origin}`, { facts: {}, values: fieldValues(site) });
  }
  for (const [id, { archived: _, ...key }] of persistentKeys) {
    contents.set(id, { facts: { key: key as unknown as Json }, values: {} });
  }
  return contents;
}

function userKeyContent(value: UserKeyValue, details: KeyDetails = NO_DETAILS): Content {
  const { label, created, guest = false, algorithm, origin, foreignId } = value;
  const { generations, kept = [], collectionKeys = [] } = value;
  const facts: Record<string, Json> = {
    ...(algorithm !== undefined && { algorithm }),
    ...(origin !== undefined && { origin }),
    ...(foreignId !== undefined && { foreignId }),
  };
  const add = (all: readonly UserKeyGeneration[], more: { readonly kept?: true }) => {
    for (const { generation, ...rest } of all) {
      const name = `generation ${generation} ${digestOfKey(rest.key)}`;
      facts[name] ??= { ...rest, ...more };
    }
  };
  add(generations, {});
  add(kept, { kept: true });
  for (const set of collectionKeys) facts[`set ${digestOfSet(set)}`] = set as unknown as Json;
  const [newest] = collectionKeys;
  const { note, tone, archived } = details;
  const values: Record<string, Json> = {
    label,
    standing: { created, guest },
    ...(newest && { newestSet: digestOfSet(newest) }),
    ...(note !== NO_DETAILS.note && { note }),
    ...(tone !== NO_DETAILS.tone && { tone }),
    // A guest is always archived, and what is offered once it is taken over is not for its file to say.
    ...(archived !== null && !guest && { archived }),
  };
  return { facts, values };
}

/** The digest that names a generation, of the bytes of its key: 16 bytes, base64url. @param key base64url */
export function digestOfKey(key: string): string {
  const bytes = fromBase64url(key);
  const digest = digestOf(bytes);
  wipe(bytes);
  return digest;
}

/** Of a set of collection keys, whatever their order: 16 bytes, base64url. */
export function digestOfSet({ default: fallback, collections }: StoredCollectionKeys): string {
  const named = collections.map(({ name, bundle }) => canonicalText([name, bundle])).sort();
  return digestOf(utf8(canonicalText([fallback, named])));
}

/** The facts of a user key's use by a site. */
function useFacts({ origin, salt, headerKeyIds, kept = [] }: KeyUse, key: UserKeyValue) {
  const named = (generation: number): NamedInKey => {
    const found = key.generations.find((each) => each.generation === generation)!;
    return { generation, digest: digestOfKey(found.key) };
  };
  const known = new Set(
    [...key.generations, ...(key.kept ?? [])].map(
      (each) => `${each.generation} ${digestOfKey(each.key)}`,
    ),
  );
  const namedOrSecret = (generation: number, secret: string): NamedInKey => {
    const digest = digestOfKey(secret);
    return known.has(`${generation} ${digest}`) ? { generation, digest } : { generation, secret };
  };
  return {
    [`use ${origin}`]: salt,
    ...Object.fromEntries([
      ...headerKeyIds.map(({ id, generation }) => [
        `${FACT.id} ${origin} ${id}`,
        named(generation),
      ]),
      ...kept.map(({ id, generation, key: secret }) => [
        `${FACT.id} ${origin} ${id}`,
        namedOrSecret(generation, secret),
      ]),
    ]),
  } as Record<string, Json>;
}

/** The facts of a site's app key. @param first the id of the vault's own root */
function siteFacts(use: KeyUse, first: string): Record<string, Json> {
  const { root = first, salt, generation, headerKeyIds, kept = [] } = use;
  const ids: (readonly [string, NamedInSite])[] = [
    ...headerKeyIds.map((it) => [it.id, { generation: it.generation, root, salt }] as const),
    ...kept.map((it) => [it.id, { generation: it.generation, secret: it.key }] as const),
  ];
  const facts = Object.fromEntries(ids.map(([id, named]) => [`${FACT.id} ${id}`, named as Json]));
  return { ...facts, [`${FACT.derivation} ${root} ${salt} ${generation}`]: true };
}

function contactContent({ name, publicKey, created, verified }: ContactValue): Content {
  const values: Record<string, Json> = verified === null ? { name } : { name, verified };
  return { facts: { publicKey, created }, values };
}

function fieldValues({ ref, alwaysSealed }: SiteFields): Record<string, Json> {
  const marks = alwaysSealed.map((field) => [markName(field), true]);
  return { ...Object.fromEntries(marks), ...(ref !== null && { ref }) } as Record<string, Json>;
}

/** The register of a marked field. */
export const markName = ({ tag, by, value }: KnownField): string => `${MARK} ${tag} ${by} ${value}`;
