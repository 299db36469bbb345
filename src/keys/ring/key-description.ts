import { USER_KEYS } from './kinds.ts';
import type { KeyAlgorithm, UserKeyKind } from './kinds.ts';
import { isRotatable, newestGeneration, userKeyOf, userKeyKindOf } from './user-key.ts';
import type { UserKey, UserKeyValue } from './user-key.ts';
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

/** @throws RangeError where there is no record, or it is not a user key */
export function describeUserKey(record: VaultRecord | undefined): KeyDescription {
  const key = userKeyIn(record);
  const { kind, value } = key;
  const { label, created, algorithm = null, origin = null, guest = false } = value;
  const [rotatable, generation] = [isRotatable(key), newestGeneration(value)];
  return { ref: record!.id, kind, algorithm, origin, rotatable, label, guest, created, generation };
}

/** The user key in a record. @throws RangeError where there is no record, or it is not a user key */
export function userKeyIn(record: VaultRecord | undefined): UserKey {
  const kind = record && userKeyKindOf(record);
  if (kind === undefined) throw new RangeError('ref: no such key');
  return { kind, value: userKeyOf(record!) };
}

/** @throws RangeError for a guest: a key that has not been taken over */
export function requireOwn(value: UserKeyValue | undefined): void {
  if (value?.guest) throw new RangeError('ref: the key has not been taken over');
}

/**
 * The value of the user key in a record. Each kind has its own uses: a key for signing or sharing never seals a
 * message.
 *
 * @throws RangeError as `userKeyIn` does, and for a key of another kind
 */
export function valueIn(record: VaultRecord | undefined, kind: UserKeyKind): UserKeyValue {
  const { kind: found, value } = userKeyIn(record);
  if (found !== kind) throw new RangeError(`ref: the key is not for ${USER_KEYS[kind].purpose}`);
  return value;
}
