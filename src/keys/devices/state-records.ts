/* A shared state as records of a vault, in the form that the key ring reads: the inverse of contents.ts. */
import { fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
import { CONTACT, contactRecord } from '../annotations/contact.ts';
import type { ContactValue } from '../annotations/contact.ts';
import { detailsRecord, NO_DETAILS } from '../annotations/key-details.ts';
import { SITE_FIELDS, SITE_FIELDS_MAX, siteFieldsRecord } from '../annotations/site-fields.ts';
import type { KnownField } from '../annotations/site-fields.ts';
import { backedUpOf } from '../backup/backup-contents.ts';
import type { BackedUp } from '../backup/backup-contents.ts';
import { deriveAppKey } from '../ring/key-derivation.ts';
import {
  APP,
  APP_LABEL,
  KEY_ROOT,
  KEY_USE,
  keyRootRecord,
  keyUseRecord,
} from '../ring/key-records.ts';
import type { KeyUse, Roots } from '../ring/key-records.ts';
import type { KeyAlgorithm } from '../ring/kinds.ts';
import { PERSISTENT_KEY, persistentKeyRecord } from '../ring/persistent-key.ts';
import type { PersistentKeyValue } from '../ring/persistent-key.ts';
import { userKeyKindOf, userKeyRecord } from '../ring/user-key.ts';
import type { StoredCollectionKeys, UserKeyValue } from '../ring/user-key.ts';
import { canonicalText } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import { digestOfKey, markName } from './contents.ts';
import type { NamedInKey, SharedGeneration } from './contents.ts';
import { MARK, valuesOf } from './registers.ts';
import type { Standing } from './registers.ts';
import { isDeleted } from './shared-state.ts';
import type { LiveEntry, SharedState } from './shared-state.ts';
import { FACT, idsIn, derivationsIn, rootsIn } from './sites.ts';
import type { NamedInSite } from './sites.ts';

/**
 * The records that hold a state, and of every key what opens its messages: the inverse of `contentsOf`, where more than
 * one derivation or generation is there in the form that the key ring reads.
 *
 * @param own the records of this device: what they alone say stays, such as the archive of keys that sites keep
 */
export function recordsOfState(
  state: SharedState,
  own: readonly VaultRecord[] = [],
): VaultRecord[] {
  const roots = rootsIn(state);
  const local = backedUpOf(own);
  return Object.entries(state.entries).flatMap(([name, entry]) => {
    if (isDeleted(entry)) return [];
    const values = valuesOf(name, entry);
    const type = name.split(' ', 1)[0]!;
    const id = name.slice(type.length + 1);
    if (type === KEY_ROOT) return rootRecord(roots, values);
    if (type === KEY_USE) return siteRecord(id, entry, roots);
    if (type === CONTACT) return contactOfEntry(id, entry, values, local);
    if (type === SITE_FIELDS) return fieldsOfEntry(id, values, local);
    if (type === PERSISTENT_KEY) return persistentKeyOfEntry(name, entry, local);
    return userKeyRecords(type, id, entry, values, local);
  });
}

function rootRecord(roots: Roots, { label = APP_LABEL }: Record<string, Json>): VaultRecord[] {
  const [first, ...others] = roots;
  if (first === undefined) return [];
  const more = others.length > 0 ? { others: Object.fromEntries(others) } : {};
  return [keyRootRecord({ ...first[1], label: label as string, ...more })];
}

/** The first derivation seals; what the others have sealed opens under keys that are kept. */
function siteRecord(origin: string, entry: LiveEntry, roots: Roots): VaultRecord[] {
  const [derivation] = derivationsIn(entry, roots);
  if (derivation === undefined) return [];
  const isOfFirst = (named: NamedInSite): boolean =>
    'root' in named && named.root === derivation.root && named.salt === derivation.salt;
  const ids = idsIn(entry);
  const headerKeyIds = ids.flatMap(([id, named]) =>
    isOfFirst(named) ? [{ generation: named.generation, id }] : [],
  );
  const kept = ids.flatMap(([id, named]) => {
    const key = isOfFirst(named) ? undefined : derivedKey(origin, named, roots);
    return key === undefined ? [] : [{ generation: named.generation, id, key }];
  });
  const use = {
    ref: APP,
    origin,
    generation: derivation.generation,
    salt: derivation.salt,
    headerKeyIds,
  };
  const isFirst = roots.keys().next().value === derivation.root;
  return [
    keyUseRecord({
      ...use,
      ...(!isFirst && { root: derivation.root }),
      ...(kept.length > 0 && { kept }),
    }),
  ];
}

function derivedKey(origin: string, named: NamedInSite, roots: Roots): string | undefined {
  if (!('root' in named)) return named.secret;
  const root = roots.get(named.root);
  if (root === undefined) return undefined;
  const [appRoot, salt] = [fromBase64url(root.appRoot), fromBase64url(named.salt)];
  const key = deriveAppKey(appRoot, origin, named.generation, salt);
  const text = toBase64url(key);
  wipe(appRoot, salt, key);
  return text;
}

function contactOfEntry(
  id: string,
  { facts }: LiveEntry,
  { name, verified = null }: Record<string, Json>,
  { annotations }: BackedUp,
): VaultRecord[] {
  const publicKey = facts['publicKey'];
  const known = [...annotations.contacts].find(([, contact]) => contact.publicKey === publicKey);
  const value = { name, publicKey, created: facts['created'], verified };
  return [contactRecord(known?.[0] ?? id, value as unknown as ContactValue)];
}

/**
 * What fields are called is for lists on one device, and the order of the record is that of this device. Of more fields
 * than a record holds all devices leave out the same. A site of which nothing is settled has no record.
 */
function fieldsOfEntry(
  origin: string,
  { ref = null, ...marks }: Record<string, Json>,
  { annotations }: BackedUp,
): VaultRecord[] {
  const on = Object.keys(marks).filter((register) => marks[register] === true);
  if (ref === null && on.length === 0) return [];
  const own = (annotations.siteFields.get(origin)?.alwaysSealed ?? []).map(
    (field) => [markName(field), field] as const,
  );
  const shown = new Map(
    on
      .sort()
      .slice(0, SITE_FIELDS_MAX)
      .map((register) => [register, fieldOf(register)]),
  );
  const alwaysSealed = new Map(own.filter(([register]) => shown.has(register)));
  for (const [register, field] of shown) {
    if (!alwaysSealed.has(register)) alwaysSealed.set(register, field);
  }
  const settings = { origin, ref: ref as string | null, alwaysSealed: [...alwaysSealed.values()] };
  return [siteFieldsRecord(settings)];
}

function fieldOf(register: string): KnownField {
  const [, tag, by] = register.split(' ', 3) as [string, KnownField['tag'], KnownField['by']];
  return { tag, by, value: register.slice(`${MARK} ${tag} ${by} `.length) };
}

/** Those that come wait until their site is allowed here, as those of a backup do. */
function persistentKeyOfEntry(
  id: string,
  { facts }: LiveEntry,
  { persistentKeys }: BackedUp,
): VaultRecord[] {
  const archived = persistentKeys.get(id)?.archived;
  const value = facts['key'] as unknown as PersistentKeyValue;
  return [persistentKeyRecord(id, archived === undefined ? value : { ...value, archived })];
}

/** The record of a user key, of its details and of its uses. */
function userKeyRecords(
  type: string,
  ref: string,
  entry: LiveEntry,
  values: Record<string, Json>,
  local: BackedUp,
): VaultRecord[] {
  const kind = userKeyKindOf({ type })!;
  const { label, standing, note, tone, archived, newestSet } = values;
  const { created, guest } = standing as unknown as Standing;
  const { generations, kept } = generationsIn(entry);
  const collectionKeys = setsIn(entry, newestSet as string | undefined);
  const { algorithm, origin, foreignId } = entry.facts;
  const value: UserKeyValue = {
    label: label as string,
    created,
    ...(algorithm !== undefined && { algorithm: algorithm as KeyAlgorithm }),
    ...(origin !== undefined && { origin: origin as string }),
    generations,
    ...(kept.length > 0 && { kept }),
    ...(foreignId !== undefined && { foreignId: foreignId as string }),
    ...(collectionKeys.length > 0 && { collectionKeys }),
    ...(guest && { guest }),
  };
  const details = {
    note: (note ?? NO_DETAILS.note) as string,
    tone: (tone ?? NO_DETAILS.tone) as string,
    archived: guest
      ? (local.annotations.details.get(ref)?.archived ?? created)
      : ((archived ?? NO_DETAILS.archived) as number | null),
  };
  const hasDetails = canonicalText(details) !== canonicalText(NO_DETAILS);
  const hasRecord = hasDetails || local.annotations.details.has(ref);
  return [
    userKeyRecord(kind, ref, value),
    ...(hasRecord ? [detailsRecord(ref, details)] : []),
    ...usesIn(ref, entry, value),
  ];
}

/** One generation of each number seals and verifies; the others of that number are kept. */
function generationsIn({ facts }: LiveEntry) {
  const all = Object.entries(facts).flatMap(([name, value]) => {
    const [fact, number, digest] = name.split(' ') as [string, string, string];
    if (fact !== 'generation') return [];
    const { kept = false, ...rest } = value as unknown as SharedGeneration;
    return [{ isKept: kept, digest, value: { generation: Number(number), ...rest } }];
  });
  all.sort(
    (a, b) =>
      a.value.generation - b.value.generation ||
      Number(a.isKept) - Number(b.isKept) ||
      (a.digest < b.digest ? -1 : 1),
  );
  const isFirst = (at: number): boolean =>
    !all[at]!.isKept && all[at - 1]?.value.generation !== all[at]!.value.generation;
  return {
    generations: all.filter((_, at) => isFirst(at)).map(({ value }) => value),
    kept: all.filter((_, at) => !isFirst(at)).map(({ value }) => value),
  };
}

/** The set that new records use first, then the newest of the others. */
function setsIn({ facts }: LiveEntry, newest: string | undefined): StoredCollectionKeys[] {
  const sets = Object.entries(facts).flatMap(([name, value]) => {
    const [fact, digest] = name.split(' ') as [string, string];
    return fact === 'set' ? [{ digest, set: value as unknown as StoredCollectionKeys }] : [];
  });
  const isNewest = ({ digest }: { readonly digest: string }): number => Number(digest === newest);
  sets.sort(
    (a, b) =>
      isNewest(b) - isNewest(a) || b.set.created - a.set.created || (a.digest < b.digest ? -1 : 1),
  );
  return sets.map(({ set }) => set);
}

/** The uses of a user key. A header key id of a generation that does not seal has its key beside it. */
function usesIn(ref: string, { facts }: LiveEntry, value: UserKeyValue): VaultRecord[] {
  const placeOf = ({ generation, key }: { readonly generation: number; readonly key: string }) =>
    `${generation} ${digestOfKey(key)}`;
  const sealing = new Set(value.generations.map(placeOf));
  const all = [...value.generations, ...(value.kept ?? [])];
  const keys = new Map(all.map((each) => [placeOf(each), each.key]));
  const ids = idsByOrigin(facts);
  return Object.keys(facts).flatMap((name) => {
    const [fact, origin] = name.split(' ') as [string, string];
    if (fact !== 'use') return [];
    const headerKeyIds: { readonly generation: number; readonly id: string }[] = [];
    const kept: NonNullable<KeyUse['kept']>[number][] = [];
    for (const [id, named] of ids.get(origin) ?? []) {
      const { generation } = named;
      const place = 'digest' in named ? `${generation} ${named.digest}` : undefined;
      const key = 'digest' in named ? keys.get(place!) : named.secret;
      if (place !== undefined && sealing.has(place)) headerKeyIds.push({ generation, id });
      else if (key !== undefined) kept.push({ generation, id, key });
    }
    const use = { ref, origin, generation: 1, salt: facts[name] as string, headerKeyIds };
    return [keyUseRecord(kept.length > 0 ? { ...use, kept } : use)];
  });
}

type NamedId = readonly [id: string, named: NamedInKey];

/** By origin, in the order of generation and id, so that all devices seal under the same. */
function idsByOrigin(facts: LiveEntry['facts']): ReadonlyMap<string, readonly NamedId[]> {
  const ids = new Map<string, NamedId[]>();
  for (const [name, value] of Object.entries(facts)) {
    const [fact, origin, id] = name.split(' ') as [string, string, string];
    if (fact !== FACT.id) continue;
    const named = [id, value as unknown as NamedInKey] as const;
    const known = ids.get(origin);
    if (known) known.push(named);
    else ids.set(origin, [named]);
  }
  for (const each of ids.values()) {
    each.sort(([a, x], [b, y]) => x.generation - y.generation || (a < b ? -1 : 1));
  }
  return ids;
}
