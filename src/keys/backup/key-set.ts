import { fromBase64url, wipe } from '../../crypto/bytes.ts';
import { keyOf } from '../ring/key-material.ts';
import {
  APP,
  KEY_ROOT,
  KEY_USE,
  keyRootOf,
  keyRootRecord,
  keyUseOf,
  keyUseRecord,
  useId,
} from '../ring/key-records.ts';
import type { KeyRoot, KeyUse } from '../ring/key-records.ts';
import { USER_KEY_TYPES } from '../ring/kinds.ts';
import { userKeyOf, userKeyRecord, userKeyKindOf } from '../ring/user-key.ts';
import type { UserKey } from '../ring/user-key.ts';
import type { VaultRecord } from '../values/record.ts';

/** All keys of one vault or backup. */
export interface KeySet {
  readonly root: KeyRoot | undefined;
  /** By ref. */
  readonly userKeys: ReadonlyMap<string, UserKey>;
  /** By `useId`. */
  readonly uses: ReadonlyMap<string, KeyUse>;
}

/** The types of records that hold keys. */
export const KEY_TYPES = [KEY_ROOT, ...USER_KEY_TYPES, KEY_USE] as const;

/** The keys among these records; records of other types are ignored. */
export function keySetOf(records: readonly VaultRecord[]): KeySet {
  const ofType = (type: string) => records.filter((record) => record.type === type);
  const root = ofType(KEY_ROOT)[0];
  const userKeys = records.flatMap((record) => {
    const kind = userKeyKindOf(record);
    return kind ? [[record.id, { kind, value: userKeyOf(record) }] as const] : [];
  });
  const uses = ofType(KEY_USE).map((it) => [it.id, keyUseOf(it)] as const);
  return {
    root: root && keyRootOf(root),
    userKeys: new Map(userKeys),
    uses: new Map(uses),
  };
}

/** The inverse of `keySetOf`. */
export function recordsOf({ root, userKeys, uses }: KeySet): VaultRecord[] {
  return [
    ...(root ? [keyRootRecord(root)] : []),
    ...[...userKeys].map(([ref, { kind, value }]) => userKeyRecord(kind, ref, value)),
    ...[...uses.values()].map(keyUseRecord),
  ];
}

/** A header key id, with the generation that it was drawn for. */
export interface HeaderKeyId {
  readonly id: string;
  readonly generation: number;
}

/** All header key ids of a use. */
export function headerKeyIdsOf({ headerKeyIds, kept = [] }: KeyUse): HeaderKeyId[] {
  return [...headerKeyIds, ...kept].map(({ id, generation }) => ({ id, generation }));
}

/** The key of one header key id, which the caller wipes; undefined where the set lacks it. */
export function messageKey(
  set: KeySet,
  use: KeyUse,
  { id, generation }: HeaderKeyId,
): Uint8Array | undefined {
  const kept = use.kept?.find((entry) => entry.id === id);
  if (kept !== undefined) return fromBase64url(kept.key);
  const userKey = use.ref === APP ? undefined : set.userKeys.get(use.ref)?.value;
  return keyOf({ root: set.root, userKey, use }, use.ref, generation);
}

/** The label of a key; empty where the set lacks the key. */
export function labelOf({ root, userKeys }: KeySet, ref: string): string {
  return (ref === APP ? root?.label : userKeys.get(ref)?.value.label) ?? '';
}

function isRootKnown({ root }: KeySet, use: KeyUse): boolean {
  if (use.root === undefined) return true;
  return use.ref === APP && Object.hasOwn(root?.others ?? {}, use.root);
}

/**
 * Whether a set from outside is consistent: every header key id has its key, and every use its own
 * id.
 */
export function isWhole(set: KeySet): boolean {
  for (const [id, use] of set.uses) {
    if (id !== useId(use.ref, use.origin) || !isRootKnown(set, use)) return false;
    for (const entry of headerKeyIdsOf(use)) {
      const key = messageKey(set, use, entry);
      if (key === undefined) return false;
      wipe(key);
    }
  }
  return true;
}
