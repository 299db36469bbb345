import { toBase64url } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { VaultRecord } from '../values/record.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { userKeyKindOf } from '../ring/user-key.ts';
import { DELETION, DEVICE } from '../annotations/deletions.ts';
import { removeKeyIn } from '../annotations/key-details.ts';
import { SHARED_TYPES } from './contents.ts';
import { deviceOf, deviceRecord } from './device-record.ts';
import type { Device } from './device-record.ts';
import { changesFor, mergeOfDevices, missingUses, withLocalChanges } from './local-changes.ts';
import { KEY_USE, keyRootIn } from '../ring/key-records.ts';
import { joinReport } from './join-report.ts';
import type { JoinReport } from './join-report.ts';
import { EMPTY_STATE, numbersIn, withoutOldDeletions } from './shared-state.ts';
import type { SharedState } from './shared-state.ts';
import { requireUsable, SharedStateError } from './state-text.ts';

/** What a merge leaves to its caller. */
export interface MergeResult {
  /** Refs of keys that another device had deleted: the same commit takes back the grants of them. */
  readonly removedKeys: readonly string[];
  /** Whether this device had an id in common with another one, and has its own from here on. */
  readonly isForked: boolean;
}

/** What sharing needs beside the vault. */
export interface SharingParts {
  readonly random: RandomSource;
  /** Origins that have or had a permission: they have seen ids of keys. */
  readonly origins: readonly string[];
  /** ms since the epoch */
  readonly at: number;
}

/**
 * The state of this device with all that its vault says now, which the commit keeps. The first call makes the vault a
 * device.
 */
export async function shareIn(
  draft: VaultDraft,
  { random, origins, at }: SharingParts,
): Promise<SharedState> {
  const { id, state } = await deviceIn(draft, random);
  // A use without a root has sealed nothing; each derivation of a site names its root.
  if ((await draft.list(KEY_USE)).length > 0) await keyRootIn(draft, random, at);
  await addMissingUses(draft, origins, random);
  const shared = withLocalChanges(state, await recordsIn(draft), id);
  // The records of deletions have become a part of the state.
  for (const { id: deletion } of await draft.list(DELETION)) draft.remove(deletion);
  putDevice(draft, { id, state: shared });
  return shared;
}

/**
 * What the person has to know before `mergeIn` takes the same state. Changes nothing: a vault that is no device stays none.
 *
 * @param other as `parseState` gives it
 * @throws SharedStateError where both together are nothing that a vault can hold
 */
export async function joinReportIn(
  draft: Pick<VaultDraft, 'get' | 'list'>,
  other: SharedState,
  { random, origins }: SharingParts,
): Promise<JoinReport> {
  const { id, state } = await deviceIn(draft, random);
  const records = await recordsIn(draft);
  const uses = missingUses(records, origins, random);
  const own = withLocalChanges(state, [...records, ...uses], id);
  requireUsable(mergeOfDevices(own, other));
  return joinReport(own, other);
}

/**
 * Merges the state of another device into the vault, within a commit. What has changed on the one device after what a
 * deletion on the other has seen comes back on both. Afterwards `shareIn` gives the merged state, without any change. The
 * lists of the sync collections of a key go with it.
 *
 * @param other as `parseState` gives it
 * @throws SharedStateError where both together are nothing that a vault can hold: the commit then takes nothing
 */
export async function mergeIn(
  draft: VaultDraft,
  other: SharedState,
  parts: SharingParts,
): Promise<MergeResult> {
  const isForked = await leaveSharedIdIn(draft, other);
  const own = await shareIn(draft, parts);
  const both = mergeOfDevices(own, other);
  requireUsable(both);
  const { put, removed } = changesFor(both, await recordsIn(draft));
  const removedKeys: string[] = [];
  for (const id of removed) {
    const record = await draft.get(id);
    if (record && userKeyKindOf(record)) {
      await removeKeyIn(draft, id);
      removedKeys.push(id);
    } else draft.remove(id);
  }
  for (const record of put) await putIn(draft, record);
  const { id } = await deviceIn(draft, parts.random);
  const state = withoutOldDeletions(both, parts.at);
  // A vault without a root has one now, by which its sites see ids from here on.
  const isAdded = await addMissingUses(draft, parts.origins, parts.random);
  const shared = isAdded ? withLocalChanges(state, await recordsIn(draft), id) : state;
  putDevice(draft, { id, state: shared });
  return { removedKeys, isForked };
}

/**
 * Drops the id of this device where another device knows changes under it that this one does not: an old state of the
 * vault came back, or the profile was copied. Else two changes would have one number. The state stays.
 */
async function leaveSharedIdIn(draft: VaultDraft, other: SharedState): Promise<boolean> {
  const device = await storedDeviceIn(draft);
  if (device === undefined || device.id === null) return false;
  const { id, state } = device;
  const isForked = (numbersIn(other)[id] ?? 0) > (state.seen[id] ?? 0);
  if (isForked) putDevice(draft, { id: null, state });
  return isForked;
}

/** @returns whether there were any */
async function addMissingUses(
  draft: VaultDraft,
  origins: readonly string[],
  random: RandomSource,
): Promise<boolean> {
  const missing = missingUses(await recordsIn(draft), origins, random);
  for (const use of missing) draft.put(use);
  return missing.length > 0;
}

async function deviceIn(draft: Pick<VaultDraft, 'get'>, random: RandomSource) {
  const { id, state } = (await storedDeviceIn(draft)) ?? { id: null, state: EMPTY_STATE };
  return { id: id ?? toBase64url(random.bytes(16)), state };
}

async function storedDeviceIn(draft: Pick<VaultDraft, 'get'>): Promise<Device | undefined> {
  const record = await draft.get(DEVICE);
  return record && deviceOf(record);
}

/** @throws SharedStateError where the vault has another type of record under this id */
async function putIn(draft: VaultDraft, record: VaultRecord): Promise<void> {
  const old = await draft.get(record.id);
  if (old && old.type !== record.type) throw new SharedStateError();
  draft.put(record);
}

const putDevice = (draft: VaultDraft, device: Device): void => draft.put(deviceRecord(device));

async function recordsIn(draft: Pick<VaultDraft, 'list'>): Promise<VaultRecord[]> {
  const types = [...SHARED_TYPES, DELETION];
  return (await Promise.all(types.map((type) => draft.list(type)))).flat();
}
