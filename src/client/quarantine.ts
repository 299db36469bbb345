import { codeOf } from './errors.ts';

/*
 * A record that does not open must not end the sync of all others, and must not be lost: it may
 * open once its key has come to this device. So it takes its own place in the local store,
 * quarantined: why it did not open, and what came from the server, as it came.
 */
const FIELD = 'sealwrightQuarantine';

export interface Quarantine<R = unknown> {
  /** AUTH_FAILED, BAD_ENVELOPE, NEEDS_KEY, NOT_SEALED … */
  readonly code: string;
  /** The record as the server has it. */
  readonly sealed: R;
}

/** A record with nothing but its quarantine in it. */
export interface Quarantined<R = unknown> {
  readonly sealwrightQuarantine: Quarantine<R>;
}

export interface QuarantineOptions {
  /** Told of every record that did not open. */
  readonly onQuarantine?: (id: string, quarantine: Quarantine) => void;
}

/** What is about one record. Anything else (locked, not granted, gone) is about all of them. */
const OF_ONE_RECORD = new Set([
  'AUTH_FAILED',
  'BAD_ENVELOPE',
  'NEEDS_KEY',
  'NOT_SEALED',
  'BAD_RECORD',
  'WRONG_PLACE',
  'TOO_LARGE',
  'INVALID_ARGUMENT',
]);

export function isOfOneRecord(error: unknown): boolean {
  return OF_ONE_RECORD.has(codeOf(error) ?? '');
}

/** The quarantine in a record, or undefined where the record was opened. */
export function quarantineOf(record: object): Quarantine | undefined {
  return (record as Partial<Quarantined>)[FIELD];
}

/** What `open` gives, or the quarantine of what it failed at. @throws what is not about this record */
export async function openedOrQuarantined<T extends object>(
  id: string,
  sealed: unknown,
  open: () => Promise<T>,
  { onQuarantine }: QuarantineOptions,
): Promise<T | Quarantined> {
  try {
    return await open();
  } catch (error) {
    if (!isOfOneRecord(error)) throw error;
    const quarantine = { code: codeOf(error)!, sealed };
    onQuarantine?.(id, quarantine);
    return { [FIELD]: quarantine };
  }
}
