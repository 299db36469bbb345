import { VaultError } from '../../keys/vault/errors.ts';
import type { Json } from '../../keys/json.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import { withActivity, type ActivityEntry } from './activity-entry.ts';

/*
 * The audit log in the vault: a ring of records, so that an append writes one of them, and what is
 * too old goes a record at a time.
 */
/** Size of the ring: records, and entries in each. */
export const ACTIVITY_RING = { segments: 50, entriesPerSegment: 100 } as const;

const HEAD_ID = 'activity';
const HEAD_TYPE = 'activity-head';
const TYPE = 'activity';

const segmentId = (number: number): string => `activity/${number % ACTIVITY_RING.segments}`;

/** Within a commit. Entries older than the ring holds are overwritten. */
export async function appendActivity(
  draft: VaultDraft,
  added: readonly ActivityEntry[],
): Promise<void> {
  let number = headOf(await readable(draft.get(HEAD_ID)));
  let entries = entriesOf(await readable(draft.get(segmentId(number))));
  for (const entry of added) {
    const next = withActivity(entries, entry);
    const isFull = next.length > ACTIVITY_RING.entriesPerSegment;
    if (isFull) putSegment(draft, number++, entries);
    entries = isFull ? [entry] : next;
  }
  putSegment(draft, number, entries);
  draft.put({ id: HEAD_ID, type: HEAD_TYPE, value: number });
}

/** All entries, oldest first. A segment that is damaged in both stores is left out. */
export async function readActivity(vault: Vault): Promise<ActivityEntry[]> {
  const head = headOf(await readable(vault.read(HEAD_ID)));
  const oldest = Math.max(0, head - ACTIVITY_RING.segments + 1);
  const numbers = Array.from({ length: head - oldest + 1 }, (_, i) => oldest + i);
  const records = await Promise.all(
    numbers.map((number) => readable(vault.read(segmentId(number)))),
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
