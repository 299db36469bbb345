import { isRotatable, newestGeneration, userKeyOf, userKeyKindOf } from './user-key.ts';
import type { KeyAlgorithm, UserKeyValue, UserKeyKind } from './user-key.ts';
import type { VaultRecord } from '../values/record.ts';

/** What the user interface shows of a key. No secrets. */
export interface KeyDescription {
  /** "app" (the derived keys, one for each origin) or a record id. Never shown to a page. */
  readonly ref: string;
  readonly kind: 'app' | UserKeyKind;
  /** The algorithm; null for kinds with a single one. */
  readonly algorithm: KeyAlgorithm | null;
  /** Whether it can have another generation. */
  readonly rotatable: boolean;
  /** The only site that it serves; null for kinds that serve every site. */
  readonly origin: string | null;
  readonly label: string;
  /** Of a foreign backup, and not taken over. */
  readonly guest: boolean;
  /** ms since the epoch */
  readonly created: number;
  /** The newest generation. */
  readonly generation: number;
}

/** @throws RangeError for a record that is not a user key */
export function describeUserKey(record: VaultRecord): KeyDescription {
  const { kind, value } = userKeyIn(record);
  const { label, created, algorithm = null, origin = null, guest = false } = value;
  const [rotatable, generation] = [isRotatable(value), newestGeneration(value)];
  return { ref: record.id, kind, algorithm, origin, rotatable, label, guest, created, generation };
}

/** The user key in a record. @throws RangeError where there is no record, or it is not a user key */
export function userKeyIn(record: VaultRecord | undefined): {
  readonly kind: UserKeyKind;
  readonly value: UserKeyValue;
} {
  const kind = record && userKeyKindOf(record);
  if (kind === undefined) throw new RangeError('ref: no such key');
  return { kind, value: userKeyOf(record!) };
}

/** @throws RangeError for a guest: a key that has not been taken over */
export function requireOwn(value: UserKeyValue | undefined): void {
  if (value?.guest) throw new RangeError('ref: the key has not been taken over');
}

/**
 * The sealing key in a record. A key for signing or sharing never seals a message.
 *
 * @throws RangeError as `userKeyIn` does, and for another kind of key
 */
export function sealingKeyIn(record: VaultRecord | undefined): UserKeyValue {
  const { kind, value } = userKeyIn(record);
  if (kind !== 'sealing') throw new RangeError('ref: the key is not for sealing');
  return value;
}

/** The sync key in a record. @throws RangeError as `userKeyIn` does, and for another kind of key */
export function syncKeyIn(record: VaultRecord | undefined): UserKeyValue {
  const { kind, value } = userKeyIn(record);
  if (kind !== 'sync') throw new RangeError('ref: the key is not for sync');
  return value;
}

/**
 * The key of JOSE in a record.
 *
 * @throws RangeError as `userKeyIn` does, and for another kind of key or the key of another site
 */
export function joseKeyIn(record: VaultRecord | undefined, origin: string): UserKeyValue {
  const { kind, value } = userKeyIn(record);
  if (kind !== 'jose') throw new RangeError('ref: the key is not for tokens');
  if (value.origin !== origin) throw new RangeError('ref: the key is for another site');
  return value;
}
