import { fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
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
import { PICKED_TYPES, pickedKeyOf, pickedKeyRecord, pickedKindOf } from '../ring/user-key.ts';
import type { PickedKeyValue, PickedKind } from '../ring/user-key.ts';
import type { VaultRecord } from '../vault/record.ts';

/** All of a user's keys, as a backup carries them and a restore brings them together. */
export interface KeySet {
  readonly root: KeyRoot | undefined;
  /** By ref. */
  readonly picked: ReadonlyMap<string, PickedKey>;
  /** By `useId`. */
  readonly uses: ReadonlyMap<string, KeyUse>;
}

/** A key that people pick, out of its record. */
export interface PickedKey {
  readonly kind: PickedKind;
  readonly value: PickedKeyValue;
}

/** The types of records that a key set is made of. */
export const KEY_TYPES = [KEY_ROOT, ...Object.values(PICKED_TYPES), KEY_USE] as const;

export function keySetOf(records: readonly VaultRecord[]): KeySet {
  const ofType = (type: string) => records.filter((record) => record.type === type);
  const root = ofType(KEY_ROOT)[0];
  const picked = records.flatMap((record) => {
    const kind = pickedKindOf(record);
    return kind ? [[record.id, { kind, value: pickedKeyOf(record) }] as const] : [];
  });
  const uses = ofType(KEY_USE).map((it) => [it.id, keyUseOf(it)] as const);
  return {
    root: root && keyRootOf(root),
    picked: new Map(picked),
    uses: new Map(uses),
  };
}

export function recordsOf({ root, picked, uses }: KeySet): VaultRecord[] {
  return [
    ...(root ? [keyRootRecord(root)] : []),
    ...[...picked].map(([ref, { kind, value }]) => pickedKeyRecord(kind, ref, value)),
    ...[...uses.values()].map(keyUseRecord),
  ];
}

/** The header key ids that a use answers to, with the generation that each was drawn for. */
export function headerKeyIdsOf({ headerKeyIds, kept = [] }: KeyUse) {
  return [...headerKeyIds, ...kept].map(({ id, generation }) => ({ id, generation }));
}

/** The key of one header key id; undefined where the set has not got it. The caller wipes it. */
export function messageKey(
  set: KeySet,
  use: KeyUse,
  { id, generation }: { readonly id: string; readonly generation: number },
): Uint8Array | undefined {
  const kept = use.kept?.find((entry) => entry.id === id);
  if (kept !== undefined) return fromBase64url(kept.key);
  const picked = use.ref === APP ? undefined : set.picked.get(use.ref)?.value;
  return keyOf({ root: set.root, picked, use }, use.ref, generation);
}

/** What opens a message, and what a person may be told of it. */
export interface MessageKey {
  readonly use: KeyUse;
  readonly label: string;
  /** 32 bytes, which the caller wipes. */
  readonly key: Uint8Array;
}

/** @param headerKeyId 16 bytes, as a message names it */
export function findMessageKey(set: KeySet, headerKeyId: Uint8Array): MessageKey | undefined {
  const wanted = toBase64url(headerKeyId);
  for (const use of set.uses.values()) {
    const entry = headerKeyIdsOf(use).find(({ id }) => id === wanted);
    const key = entry && messageKey(set, use, entry);
    if (key !== undefined) return { use, label: labelOf(set, use.ref), key };
  }
  return undefined;
}

export function labelOf({ root, picked }: KeySet, ref: string): string {
  return (ref === APP ? root?.label : picked.get(ref)?.value.label) ?? '';
}

/** Whether every header key id has its key, and every use its place: of a set from outside. */
export function isWhole(set: KeySet): boolean {
  for (const [id, use] of set.uses) {
    if (id !== useId(use.ref, use.origin)) return false;
    for (const entry of headerKeyIdsOf(use)) {
      const key = messageKey(set, use, entry);
      if (key === undefined) return false;
      wipe(key);
    }
  }
  return true;
}
