import { equal, toBase64url, wipe } from '../../crypto/bytes.ts';
import { APP, rootIdOf, rootOfSite, rootsOf } from '../ring/key-records.ts';
import type { KeyRoot, KeyUse } from '../ring/key-records.ts';
import { headerKeyIdsOf, messageKey } from './key-set.ts';
import type { HeaderKeyId, KeySet } from './key-set.ts';
import { USER_KEYS } from '../ring/kinds.ts';
import type { UserKey, UserKeyGeneration, UserKeyValue } from '../ring/user-key.ts';
import { mergedCollectionKeys } from '../ring/sync-key.ts';

/** How many keys one set has that another lacks. */
export interface Difference {
  /** Named keys. */
  readonly keys: number;
  /** Sites that have used a key, counted for each key. */
  readonly sites: number;
  /** Header key ids: each opens its messages. */
  readonly messageKeys: number;
}

/** The result of a merge. */
export interface Merged {
  readonly set: KeySet;
  /** What was added to the own set. */
  readonly added: Difference;
}

/**
 * Merges another key set into the own one. `own` seals and opens as before; afterwards everything
 * that `other` opens can be opened too.
 *
 * Diverged sets differ in values of which there is only one: the root, a site's salt, a rotated key's
 * generation. There the value of `own` stays and seals new messages. The other's keys are kept
 * beside it, each under the header key id of the messages that need it.
 */
export function mergeKeys(own: KeySet, other: KeySet): Merged {
  const root = mergeRoots(own.root, other.root);
  const userKeys = new Map(own.userKeys);
  for (const [ref, key] of other.userKeys) {
    const before = userKeys.get(ref);
    userKeys.set(ref, before ? mergeUserKey(before, key) : key);
  }
  const uses = new Map(own.uses);
  const base = { root, userKeys, uses };
  for (const [id, use] of other.uses) {
    uses.set(id, mergeUse(base, other, uses.get(id), use));
  }
  return { set: base, added: difference(base, own) };
}

/**
 * The own root stays the one of new sites. Those of other devices come beside it, so that a site keeps the root by which
 * it knows the user. Vaults that never shared have no such roots: the root of `own` then serves all sites.
 */
function mergeRoots(own: KeyRoot | undefined, other: KeyRoot | undefined): KeyRoot | undefined {
  if (!own || !other) return own ?? other;
  if (!own.others && !other.others) return own;
  const { [rootIdOf(own)]: _, ...others } = Object.fromEntries([
    ...rootsOf(other),
    ...rootsOf(own),
  ]);
  return { ...own, others };
}

/**
 * What may be taken from the keys of a file that anyone can have made: user keys that the own set lacks, as
 * guests, and for those that both have the header key ids under which both have the same key. The root and the
 * app keys of sites are left out, because the vault would seal with them without asking the user. Own keys stay
 * as they are, and their header key ids open what they opened.
 *
 * @param at when the vault gets the keys, ms since the epoch; when they were made is for their maker to say, and
 *   would put them before the user's own
 */
export function unvouchedKeys(own: KeySet, other: KeySet, at: number): KeySet {
  const lacked = [...other.userKeys].filter(([ref]) => !own.userKeys.has(ref));
  const gotNow = lacked.map(([ref, { kind, value }]) => {
    return [ref, { kind, value: { ...value, created: at, guest: true } }] as const;
  });
  const known = new Set([...own.uses.values()].flatMap(headerKeyIdsOf).map(({ id }) => id));
  const uses = new Map<string, KeyUse>();
  for (const [id, use] of other.uses) {
    if (use.ref === APP) continue;
    const isTaken = (entry: HeaderKeyId): boolean =>
      !known.has(entry.id) &&
      (!own.userKeys.has(use.ref) || isSameKey(own, unused(use), other, use, entry));
    const headerKeyIds = use.headerKeyIds.filter(isTaken);
    const kept = use.kept?.filter(isTaken) ?? [];
    if (headerKeyIds.length + kept.length > 0) uses.set(id, { ...use, headerKeyIds, kept });
  }
  return { root: own.root, userKeys: new Map([...gotNow, ...own.userKeys]), uses };
}

/** Counts what `more` has and `less` lacks, where `more` is a superset of `less`. */
export function difference(more: KeySet, less: KeySet): Difference {
  const ids = ({ uses }: KeySet) => [...uses.values()].flatMap(headerKeyIdsOf).length;
  return {
    keys: more.userKeys.size - less.userKeys.size,
    sites: more.uses.size - less.uses.size,
    messageKeys: ids(more) - ids(less),
  };
}

/**
 * Refs are random, so both are the same key. Where a file says otherwise, the own key stays as it
 * is.
 */
function mergeUserKey(own: UserKey, other: UserKey): UserKey {
  const isSame = own.kind === other.kind && own.value.algorithm === other.value.algorithm;
  if (!isSame || own.value.origin !== other.value.origin) return own;
  const value = withCollectionKeysOf(withGenerations(own.value, other.value), other.value);
  const { namesGenerations } = USER_KEYS[own.kind];
  return { ...own, value: namesGenerations ? value : withKept(value, other.value) };
}

/** Own sets first: new records use them. */
function withCollectionKeysOf(own: UserKeyValue, other: UserKeyValue): UserKeyValue {
  const merged = mergedCollectionKeys(own.collectionKeys, other.collectionKeys);
  return merged ? { ...own, collectionKeys: merged } : own;
}

/** For keys whose messages and signatures name no generation: any generation may be needed. */
function withKept(own: UserKeyValue, other: UserKeyValue): UserKeyValue {
  const all = ({ generations, kept = [] }: UserKeyValue) => [...generations, ...kept];
  const known = new Set(all(own).map(({ key }) => key));
  const missing = all(other).filter(({ key }: UserKeyGeneration) => !known.has(key));
  if (missing.length === 0) return own;
  return { ...own, kept: [...(own.kept ?? []), ...missing] };
}

function withGenerations(own: UserKeyValue, other: UserKeyValue): UserKeyValue {
  const known = new Set(own.generations.map(({ generation }) => generation));
  const missing = other.generations.filter(({ generation }) => !known.has(generation));
  if (missing.length === 0) return own;
  const generations = [...own.generations, ...missing];
  return { ...own, generations: generations.sort((a, b) => a.generation - b.generation) };
}

function mergeUse(base: KeySet, otherSet: KeySet, own: KeyUse | undefined, other: KeyUse): KeyUse {
  let use = own ?? withRoot(unused(other), base.root, otherSet.root, other);
  if (sameDerivation(base.root, otherSet.root, use, other) && other.generation > use.generation) {
    use = { ...use, generation: other.generation };
  }
  const known = new Set(headerKeyIdsOf(use).map(({ id }) => id));
  for (const entry of headerKeyIdsOf(other)) {
    if (!known.has(entry.id)) use = withMessageKey(base, otherSet, use, other, entry);
  }
  return use;
}

/** The use with the root that `other` has in its own set, where the merged roots have it beside the first. */
function withRoot(
  use: KeyUse,
  root: KeyRoot | undefined,
  otherRoot: KeyRoot | undefined,
  other: KeyUse,
): KeyUse {
  if (use.ref !== APP || !otherRoot) return use;
  const id = other.root ?? rootIdOf(otherRoot);
  return Object.hasOwn(root?.others ?? {}, id) ? { ...use, root: id } : use;
}

function sameDerivation(a: KeyRoot | undefined, b: KeyRoot | undefined, x: KeyUse, y: KeyUse) {
  return a && b && rootOfSite(a, x).appRoot === rootOfSite(b, y).appRoot && x.salt === y.salt;
}

/** Adds one header key id: by derivation where that gives the same key, else with the key itself. */
function withMessageKey(
  base: KeySet,
  otherSet: KeySet,
  use: KeyUse,
  other: KeyUse,
  entry: HeaderKeyId,
): KeyUse {
  if (isSameKey(base, use, otherSet, other, entry)) {
    return { ...use, headerKeyIds: [...use.headerKeyIds, entry] };
  }
  const key = messageKey(otherSet, other, entry)!; // isWhole has checked a set from outside
  const kept = [...(use.kept ?? []), { ...entry, key: toBase64url(key) }];
  wipe(key);
  return { ...use, kept };
}

/** Whether `set` has for its use the key that the other set has under this header key id. */
function isSameKey(
  set: KeySet,
  use: KeyUse,
  otherSet: KeySet,
  other: KeyUse,
  entry: HeaderKeyId,
): boolean {
  const key = messageKey(otherSet, other, entry)!;
  const derived = messageKey(set, use, entry);
  try {
    return derived !== undefined && equal(derived, key);
  } finally {
    wipe(key, derived ?? key);
  }
}

function unused({ ref, origin, generation, salt }: KeyUse): KeyUse {
  return { ref, origin, generation, salt, headerKeyIds: [] };
}
