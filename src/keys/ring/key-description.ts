import { isRotatable, newestGeneration, pickedKeyOf, pickedKindOf } from './user-key.ts';
import type { KeyAlgorithm, PickedKeyValue, PickedKind } from './user-key.ts';
import type { VaultRecord } from '../vault/record.ts';

export interface KeyDescription {
  /** "app" (the derived keys, one for each origin) or a record id. Never shown to a page. */
  readonly ref: string;
  readonly kind: 'app' | PickedKind;
  /** What it computes; null for kinds that say it themselves. */
  readonly algorithm: KeyAlgorithm | null;
  /** Whether it can have another generation. */
  readonly rotatable: boolean;
  readonly label: string;
  /** ms since the epoch */
  readonly created: number;
  /** The newest generation. */
  readonly generation: number;
}

export function describePicked(record: VaultRecord): KeyDescription {
  const { kind, value } = pickedIn(record);
  const { label, created, algorithm = null } = value;
  const [rotatable, generation] = [isRotatable(value), newestGeneration(value)];
  return { ref: record.id, kind, algorithm, rotatable, label, created, generation };
}

/** @throws RangeError where there is no such record, or it is no key that people pick */
export function pickedIn(record: VaultRecord | undefined): {
  readonly kind: PickedKind;
  readonly value: PickedKeyValue;
} {
  const kind = record && pickedKindOf(record);
  if (kind === undefined) throw new RangeError('ref: no such key');
  return { kind, value: pickedKeyOf(record!) };
}

/**
 * What seals has no other use: a key that signs or shares gives its bytes to no message.
 *
 * @throws RangeError as `pickedIn` does, and for another kind of key
 */
export function sealingIn(record: VaultRecord | undefined): PickedKeyValue {
  const { kind, value } = pickedIn(record);
  if (kind !== 'sealing') throw new RangeError('ref: the key is not for sealing');
  return value;
}

/** @throws RangeError as `pickedIn` does, and for another kind of key */
export function syncIn(record: VaultRecord | undefined): PickedKeyValue {
  const { kind, value } = pickedIn(record);
  if (kind !== 'sync') throw new RangeError('ref: the key is not for sync');
  return value;
}
