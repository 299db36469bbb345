import type { SealedCollection } from './collection.ts';
import { SealwrightClientError } from '../errors.ts';

/*
 * A record that does not open must not stop the sync of the others, and must not be lost: it may open
 * later, when its key is on this device. The local store therefore keeps a quarantined record: why it
 * did not open, and the record of the server unchanged.
 */
const FIELD = 'sealwrightQuarantine';

/** Why a record did not open, and the record itself. */
export interface Quarantine<R = unknown> {
  /** AUTH_FAILED, BAD_ENVELOPE, NEEDS_KEY, NOT_SEALED … */
  readonly code: string;
  /** The record as the server has it. */
  readonly sealed: R;
}

/** A record whose only member is its quarantine. */
export interface Quarantined<R = unknown> {
  readonly sealwrightQuarantine: Quarantine<R>;
}

/** An option of all adapters. */
export interface QuarantineOptions {
  /** Called for every record that did not open. */
  readonly onQuarantine?: (id: string, quarantine: Quarantine) => void;
}

/** The quarantine in a record, or undefined if the record was opened. */
export function quarantineOf(record: object): Quarantine | undefined {
  return (record as Partial<Quarantined>)[FIELD];
}

/** A record from a server, and how to read it. */
export interface Arrival<T> {
  readonly id: string;
  /** The unchanged record, kept if it does not open. */
  readonly sealed: unknown;
  /** Reads its sealed payload. @throws SealwrightClientError */
  readonly payload: () => string;
  /** Takes the record from the opened payload. @throws SealwrightClientError */
  readonly content: (payload: unknown) => T;
}

/** Opens a record, or quarantines it. @throws errors of the whole call: locked, not granted … */
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
