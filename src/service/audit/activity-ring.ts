import { VaultError } from '../../keys/values/errors.ts';
import type { Json } from '../../keys/values/json.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import { withActivity, withinQuotas, type ActivityEntry } from './activity-entry.ts';

/*
 * The audit log in the vault: entries in records of a hundred, so that an append writes one of them.
 * When all are full, a fifth of the entries goes, of the sites that have most. (Earlier versions
 * overwrote the oldest record; they read these records all the same.)
 */
/** Size of the log: records, and entries in each; and how many entries are left when it was full. */
export const ACTIVITY_RING = { segments: 50, entriesPerSegment: 100, keptWhenFull: 4000 } as const;

const HEAD_ID = 'activity';
const HEAD_TYPE = 'activity-head';
const TYPE = 'activity';

const segmentId = (number: number): string => `activity/${number % ACTIVITY_RING.segments}`;

/** Within a commit. What there is no room for is forgotten (`withinQuotas`). */
export async function appendActivity(
  draft: VaultDraft,
  added: readonly ActivityEntry[],
): Promise<void> {
  let number = headOf(await readable(draft.get(HEAD_ID)));
  let entries = entriesOf(await readable(draft.get(segmentId(number))));
  for (const entry of added) {
    const next = withActivity(entries, entry);
    const isFull = next.length > ACTIVITY_RING.entriesPerSegment;
    if (isFull) {
      putSegment(draft, number, entries);
      number = await roomAfter(draft, number);
    }
    entries = isFull ? [entry] : next;
  }
  putSegment(draft, number, entries);
  draft.put({ id: HEAD_ID, type: HEAD_TYPE, value: number });
}

/** @returns the number of the segment that follows */
async function roomAfter(draft: VaultDraft, head: number): Promise<number> {
  const { segments, entriesPerSegment, keptWhenFull } = ACTIVITY_RING;
  if (head + 1 < segments) return head + 1;
  const all: ActivityEntry[] = [];
  for (const number of numbersUpTo(head)) {
    all.push(...entriesOf(await readable(draft.get(segmentId(number)))));
  }
  const kept = withinQuotas(all, keptWhenFull);
  clearActivity(draft);
  let number = 0;
  for (let at = 0; at < kept.length; at += entriesPerSegment) {
    putSegment(draft, number++, kept.slice(at, at + entriesPerSegment));
  }
  return number;
}

/** The segments of a log whose newest is `head`, oldest first. */
function numbersUpTo(head: number): number[] {
  const oldest = Math.max(0, head - ACTIVITY_RING.segments + 1);
  return Array.from({ length: head - oldest + 1 }, (_, i) => oldest + i);
}

/** All entries, oldest first. A segment that is damaged in both stores is left out. */
export async function readActivity(vault: Vault): Promise<ActivityEntry[]> {
  const head = headOf(await readable(vault.read(HEAD_ID)));
  const records = await Promise.all(
    numbersUpTo(head).map((number) => readable(vault.read(segmentId(number)))),
  );
  return records.flatMap(entriesOf);
}

/** Within a commit. */
export function clearActivity(draft: VaultDraft): void {
  draft.remove(HEAD_ID);
  for (let number = 0; number < ACTIVITY_RING.segments; number++) draft.remove(segmentId(number));
}

function headOf(record: VaultRecord | undefined): number {
  return typeof record?.value === 'number' ? record.value : 0;
}

function entriesOf(record: VaultRecord | undefined): readonly ActivityEntry[] {
  return (record?.value ?? []) as unknown as readonly ActivityEntry[];
}

function putSegment(draft: VaultDraft, number: number, entries: readonly ActivityEntry[]): void {
  draft.put({ id: segmentId(number), type: TYPE, value: entries as unknown as Json });
}

/** Damage to the log must not end the logging. */
async function readable(
  reading: Promise<VaultRecord | undefined>,
): Promise<VaultRecord | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof VaultError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
