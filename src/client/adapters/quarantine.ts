import type { SealedCollection } from './collection.ts';
import { isSealed } from './content.ts';
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
  readonly onQuarantine?: ((id: string, quarantine: Quarantine) => void) | undefined;
}

/** The quarantine in a record, or undefined if the record was opened. */
export function quarantineOf(record: object): Quarantine | undefined {
  return (record as Partial<Quarantined>)[FIELD];
}

/**
 * The newest generation of each record, by id: a Map, or what outlives the page. With it an adapter refuses an older
 * version of a record, as AUTH_FAILED.
 */
export interface NewestGenerations {
  get(id: string): number | undefined;
  set(id: string, generation: number): unknown;
}

/** An option of adapters whose service keeps no order of versions that can be trusted. */
export interface RollbackOptions {
  /** Default: older versions are accepted. */
  readonly newest?: NewestGenerations | undefined;
}

/**
 * The sealed payload in a quarantine that the app left as it is, to be sent back. Undefined where the record has other
 * members, and where the quarantine has something that is not sealed, as one that did not come from an adapter may:
 * then the whole record is sealed.
 *
 * @param payload reads it in the record of the server @throws SealwrightClientError
 */
export function untouchedPayload(
  content: object,
  payload: (sealed: object) => string,
): string | undefined {
  const { sealed } = (Object.keys(content).length === 1 && quarantineOf(content)) || {};
  if (typeof sealed !== 'object' || sealed === null) return undefined;
  try {
    const text = payload(sealed);
    return isSealed(text) ? text : undefined;
  } catch (error) {
    if (error instanceof SealwrightClientError) return undefined;
    throw error;
  }
}

/** A record from a server, and how to read it. */
export interface Arrival<T> {
  readonly id: string;
  /** The unchanged record, kept if it does not open. */
  readonly sealed: unknown;
  /** Reads its sealed payload. @throws SealwrightClientError */
  readonly payload: () => string;
  /** Takes the record from the opened payload. @throws SealwrightClientError */
  readonly content: (payload: unknown, generation: number) => T;
}

/** Opens a record, or quarantines it. @throws errors of the whole call: locked, not granted … */
export async function openedOrQuarantined<T extends object>(
  collection: SealedCollection,
  arrival: Arrival<T>,
  { onQuarantine, newest }: QuarantineOptions & RollbackOptions,
): Promise<T | Quarantined> {
  const result = await attempt(collection, arrival, newest);
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
  newest?: NewestGenerations,
): Promise<Attempt<T>> {
  try {
    const result = await collection.tryOpen({ id, payload: payload(), ...atLeast(id, newest) });
    if (!result.ok) return result;
    const generation = generationOf(result.value);
    const value = content(result.value.payload, generation);
    if (generation > 0) newest?.set(id, generation);
    return { ok: true, value };
  } catch (error) {
    if (error instanceof SealwrightClientError) return { ok: false, error };
    throw error;
  }
}

/** What a record to open says of the generation that was seen last. */
export function atLeast(id: string, newest?: NewestGenerations): { readonly generation?: number } {
  const generation = newest?.get(id) ?? 0;
  return generation > 0 ? { generation } : {};
}

/** 0 in formats without one, and where the app sealed none. */
export function generationOf(record: object): number {
  const { generation } = record as { readonly generation?: unknown };
  return typeof generation === 'number' ? generation : 0;
}
