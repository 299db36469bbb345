import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/**
 * The user has moved an app's data: `to` may open what `from` has sealed, under the grants that `to` has itself. Nothing is
 * sealed by it, and it is not passed on: `to` opens nothing that was moved to `from`.
 */
export interface OriginMove {
  readonly from: string;
  readonly to: string;
  /** ms since the epoch */
  readonly created: number;
}

/** The type of their records. */
export const ORIGIN_MOVE = 'origin-move';

/** The id of a move's record. Origins have no spaces. */
export const originMoveId = (from: string, to: string): string => `${ORIGIN_MOVE} ${to} ${from}`;

/** The move in a record of this type. */
export const originMoveOf = ({ value }: VaultRecord): OriginMove => value as unknown as OriginMove;

/** The record that holds it. */
export function originMoveRecord(value: OriginMove): VaultRecord {
  const id = originMoveId(value.from, value.to);
  return { id, type: ORIGIN_MOVE, value: value as unknown as Json };
}
