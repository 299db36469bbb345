/* The record of a device, alone and in the two lines of one vault (vault/joined-lines.ts). */
import { CIRCLE, DEVICE } from '../annotations/deletions.ts';
import { MERGED_LIKE_BACKUPS } from '../backup/merge-lines.ts';
import { sameJson } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import type { LineMerge } from '../vault/joined-lines.ts';
import { merge } from './shared-state.ts';
import type { SharedState } from './shared-state.ts';

/**
 * What a device keeps of what it shares. It is in no backup and never leaves the vault as a whole: two devices with one id
 * would give one number to two changes.
 */
export interface Device {
  /** 16 random bytes, base64url; null where the next share draws them (`deviceIn`). */
  readonly id: string | null;
  /** What the records of the vault said when it last shared or merged. */
  readonly state: SharedState;
}

/** The device in its record. */
export const deviceOf = ({ value }: VaultRecord): Device => value as unknown as Device;

/** The record that makes a vault a device. */
export function deviceRecord(device: Device): VaultRecord {
  return { id: DEVICE, type: DEVICE, value: device as unknown as Json };
}

/**
 * Merges records as backups are merged. Where both lines have shared since they parted, each gave its own numbers under one
 * id: the joined vault goes on with what both have said, under an id that its next share draws.
 */
export const MERGED_LINES: LineMerge = {
  types: [...MERGED_LIKE_BACKUPS.types, DEVICE, CIRCLE],
  merge(...lines) {
    return [
      ...MERGED_LIKE_BACKUPS.merge(...lines),
      ...joinedOf(DEVICE, lines, joinedDevice),
      ...joinedOf(CIRCLE, lines, joinedCircle),
    ];
  },
};

/** @param join where both lines have a record of this type */
function joinedOf(
  type: string,
  lines: readonly (readonly VaultRecord[])[],
  join: (ours: VaultRecord, theirs: VaultRecord) => VaultRecord,
): VaultRecord[] {
  const found = lines.flatMap((records) => records.find((record) => record.type === type) ?? []);
  return found.length > 1 ? [join(found[0]!, found[1]!)] : found;
}

function joinedDevice(ours: VaultRecord, theirs: VaultRecord): VaultRecord {
  if (sameJson(ours.value, theirs.value)) return ours;
  return deviceRecord({ id: null, state: merge(deviceOf(ours).state, deviceOf(theirs).state) });
}

/**
 * The record of the line that has followed the other one's newest epoch. Where neither has, the own one stays, and what other
 * devices hold tells of the fork.
 */
function joinedCircle(ours: VaultRecord, theirs: VaultRecord): VaultRecord {
  const [known, later] = [ours, theirs].map(({ value }) => (value as { links: string[] }).links);
  return later!.slice(0, -1).includes(known!.at(-1)!) ? theirs : ours;
}
