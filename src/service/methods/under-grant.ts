import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { Header } from '../../format/header.ts';
import type { Purpose } from '../../format/purpose.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { pageCall, type PageCall } from '../callers.ts';
import { needsKey, notGranted } from '../errors.ts';
import type { Flights } from '../flights.ts';
import type { Grant, GrantedCapability } from '../grant-decisions.ts';
import type { Grants } from '../grants.ts';

/*
 * The way to a named key, the same for every method that seals or opens: consent, then one use,
 * then work, which a revocation, a lock or the caller can end at any moment.
 */

export interface UnderGrantParts {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly flights: Flights;
}

/** The key that a page names by the id it has for it; without one, the app key. */
export async function namedRef(
  keyId: string | undefined,
  origin: string,
  keyRing: KeyRing,
): Promise<string> {
  // A key id that nobody has is treated like a key that is not granted: no grant names it.
  return keyId === undefined ? 'app' : ((await keyRing.refOf(keyId, origin)) ?? '');
}

/** A key that a capability is wanted on; `uses`: of the grant, one if absent. */
interface KeyWish {
  readonly ref: string;
  readonly capability: GrantedCapability;
  readonly uses?: number;
}

/** @param work is told how many uses were taken: fewer than asked for where the grant had no more */
export async function underKeyGrant<T>(
  { ref, capability, uses = 1 }: KeyWish,
  call: Call,
  { grants, flights }: UnderGrantParts,
  work: (uses: number, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { scope, id } = pageCall(call);
  const [taken] = await grants.useMany([{ scope, ref, capability, uses }], id);
  if (!taken!.allowed) throw notGranted(taken!.code);
  const { grant, uses: given } = taken!;
  return flights.run(grant.id, call.signal, (signal) => work(given, signal));
}

/** What beginSeal needs; the key is wiped when the work has ended. */
export interface SealingKey {
  readonly ref: string;
  readonly key: Uint8Array;
  readonly keyId: Uint8Array;
  /** What the message is bound to; undefined for a portable one. */
  readonly origin: string | undefined;
  /** Uses of the grant that were taken: fewer than asked for where it had no more. */
  readonly uses: number;
}

/** What of a call's options decides on the key; `uses`: of the grant, one if absent. */
interface SealWish {
  readonly key?: string;
  readonly portable?: boolean;
  readonly uses?: number;
}

export async function underSealGrant<T>(
  { key: keyId, portable = false, uses }: SealWish,
  call: Call,
  parts: UnderGrantParts,
  work: (sealing: SealingKey, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { origin } = pageCall(call);
  const ref = await namedRef(keyId, origin, parts.keyRing);
  if (portable && ref === 'app') {
    throw new SealwrightError('INVALID_ARGUMENT', 'portable: needs a key that the user picked');
  }
  const wish = { ref, capability: 'seal', ...(uses !== undefined && { uses }) } as const;
  return underKeyGrant(wish, call, parts, async (given, signal) => {
    const material = await parts.keyRing.sealingMaterial(ref, origin);
    try {
      const bound = portable ? undefined : origin;
      return await work({ ...material, ref, origin: bound, uses: given }, signal);
    } finally {
      wipe(material.key);
    }
  });
}

/** Pages open what pages sealed. Form fields, sync, vault and backup have doors of their own. */
const PAGE_PURPOSES: readonly Purpose[] = ['page', 'stream'];

/** What beginOpen needs; the key is wiped when the work has ended. */
export interface OpeningKey {
  readonly ref: string;
  readonly key: Uint8Array;
  readonly keyId: Uint8Array;
  readonly purpose: Purpose;
  readonly origin: string;
}

/**
 * In this order (architecture.md section 5): may this page open anything at all; lengths, version,
 * suite, flags; purpose; key; the grant for that key, one use of it; context, commitment, chunks.
 *
 * @param read the message's public part; what is no sealed message throws here, and costs no use
 */
export async function underOpenGrant<T>(
  read: () => Header,
  call: Call,
  { grants, keyRing, flights }: UnderGrantParts,
  work: (opening: OpeningKey, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const page = pageCall(call);
  await grants.requireAnyKey({ scope: page.scope, capability: 'open' }, page.id);
  const header = read();
  requirePageMessage(header);
  const { purpose, headerKeyId: keyId } = header;
  const { origin } = page;
  const ref = await keyRing.refOfHeaderKeyId(keyId, origin);
  const grant = await useFor(ref, header, page, grants);
  return flights.run(grant.id, call.signal, async (signal) => {
    // Only now: a key that is not granted must not cost more than one that is not there.
    const material = await keyRing.openingMaterial(keyId, origin);
    if (material === undefined) throw needsKey(toBase64url(keyId));
    try {
      return await work({ ...material, keyId, purpose, origin }, signal);
    } finally {
      wipe(material.key);
    }
  });
}

/**
 * A message with recipients could be from anyone; opening those comes with sharing.
 * @throws AuthenticationError for a message that is for another door
 */
export function requirePageMessage({ purpose, flags }: Header): void {
  if (!PAGE_PURPOSES.includes(purpose) || flags.recipients) throw new AuthenticationError();
}

/** A key that is unknown is looked for among the grants all the same, and ends in the same error. */
async function useFor(
  ref: string | undefined,
  header: Header,
  { scope, id }: PageCall,
  grants: Grants,
): Promise<Grant> {
  try {
    return await grants.use({ scope, ref: ref ?? '', capability: 'open' }, id);
  } catch (error) {
    const isUnknown = error instanceof SealwrightError && error.code === 'NOT_GRANTED';
    throw isUnknown ? needsKey(toBase64url(header.headerKeyId)) : error;
  }
}
