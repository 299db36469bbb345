import type { SealedCollection } from './collection.ts';
import { SealwrightClientError } from '../errors.ts';

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

/** The quarantine in a record, or undefined where the record was opened. */
export function quarantineOf(record: object): Quarantine | undefined {
  return (record as Partial<Quarantined>)[FIELD];
}

/** A record that came from a server, and how to read it. */
export interface Arrival<T> {
  readonly id: string;
  /** As it came: what is kept of it where it does not open. */
  readonly sealed: unknown;
  /** Its sealed payload. @throws SealwrightClientError */
  readonly payload: () => string;
  /** What of the opened payload is the record. @throws SealwrightClientError */
  readonly content: (payload: unknown) => T;
}

/** What is in a record, or its quarantine. @throws what is not about this record: locked, not granted … */
export async function openedOrQuarantined<T extends object>(
  collection: SealedCollection,
  arrival: Arrival<T>,
  { onQuarantine }: QuarantineOptions,
): Promise<T | Quarantined> {
  const result = await attempt(collection, arrival);
  if (result.ok) return result.value;
  const quarantine = { code: result.error.code, sealed: arrival.sealed };
  onQuarantine?.(arrival.id, quarantine);
  return { [FIELD]: quarantine };
}

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string } };

async function attempt<T>(
  collection: SealedCollection,
  { id, payload, content }: Arrival<T>,
): Promise<Attempt<T>> {
  try {
    const result = await collection.tryOpen({ id, payload: payload() });
    return result.ok ? { ok: true, value: content(result.value.payload) } : result;
  } catch (error) {
    if (error instanceof SealwrightClientError) return { ok: false, error };
    throw error;
  }
}
