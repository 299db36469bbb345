import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { BeginOpenOptions } from '../../format/keys/open-plan.ts';
import type { BeginSealOptions } from '../../format/keys/seal-plan.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import type { Header, Purpose } from '../../format/wire/header.ts';
import { RECIPIENTS_MAX } from '../../format/limits.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import { argumentChecked, needsKey, notGranted } from '../errors.ts';
import type { InFlightCalls } from '../calls/in-flight.ts';
import type { Grant, GrantedCapability } from './grant-rules.ts';
import type { Grants } from './grants.ts';
import { SharedOpening } from '../sharing/shared-opening.ts';
import { recipientsOf } from '../sharing/sharing.ts';
import type { Sharing } from '../sharing/sharing.ts';

/*
 * The way to a named key, the same for every method that seals or opens: consent, then one use,
 * then work, which a revocation, a lock or the caller can end at any moment.
 */

export interface UnderGrantDeps {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly flights: InFlightCalls;
}

export interface SealUnderGrantDeps extends UnderGrantDeps {
  readonly sharing: Sharing;
}

export type OpenUnderGrantDeps = SealUnderGrantDeps;

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
  /** Of a sync key. */
  readonly collections?: readonly string[];
  readonly uses?: number;
}

/** @param work is told how many uses were taken: fewer than asked for where the grant had no more */
export async function underKeyGrant<T>(
  { uses = 1, ...wish }: KeyWish,
  call: Call,
  { grants, flights: inFlightCalls }: UnderGrantDeps,
  work: (uses: number, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { scope, id } = pageCall(call);
  const [taken] = await grants.useMany([{ scope, ...wish, uses }], id);
  if (!taken!.allowed) throw notGranted(taken!.code);
  const { grant, uses: given } = taken!;
  return inFlightCalls.run(grant.id, call.signal, (signal) => work(given, signal));
}

/** What sealing needs; its secrets are wiped when the work has ended. */
export interface SealingKey {
  readonly ref: string;
  /** For beginSeal: the key, or the recipients, and what the message is bound to. */
  readonly seal: SealTerms;
  /** Uses of the grant that were taken: fewer than asked for where it had no more. */
  readonly uses: number;
}

export type SealTerms = Pick<
  BeginSealOptions,
  'key' | 'keyId' | 'origin' | 'recipients' | 'recipientTypes' | 'random'
>;

/** What of a call's options decides on the key; `uses`: of the grant, one if absent. */
interface SealWish extends SharedWish {
  readonly key?: string;
  readonly portable?: boolean;
  readonly uses?: number;
}

/** Public keys, and whether the sealer's own key is a recipient too. */
export interface SharedWish {
  readonly to?: readonly string[];
  readonly toSelf?: boolean;
}

/**
 * Consent is always the grant to seal with the key that is named: to seal to others takes it too,
 * since a site that may not seal is not to make messages in this user's name.
 */
export async function underSealGrant<T>(
  { key: keyId, portable = false, uses, ...shared }: SealWish,
  call: Call,
  deps: SealUnderGrantDeps,
  work: (sealing: SealingKey, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { origin } = pageCall(call);
  const recipients = recipientsIn(shared);
  const ref = await namedRef(keyId, origin, deps.keyRing);
  if (portable && ref === 'app') {
    throw new SealwrightError('INVALID_ARGUMENT', 'portable: needs a key that the user picked');
  }
  const wish = { ref, capability: 'seal', ...(uses !== undefined && { uses }) } as const;
  return underKeyGrant(wish, call, deps, async (given, signal) => {
    const bound = portable ? undefined : origin;
    return withSealTerms({ ref, origin, ...recipients }, deps, (terms) =>
      work({ ref, seal: { ...terms, origin: bound }, uses: given }, signal),
    );
  });
}

/** @throws SealwrightError INVALID_ARGUMENT, before a use is taken */
export function recipientsIn({ to, toSelf = false }: SharedWish): {
  readonly recipients: readonly Recipient[] | undefined;
  readonly toSelf: boolean;
} {
  if (toSelf && to === undefined) {
    throw new SealwrightError('INVALID_ARGUMENT', 'toSelf: belongs to `to`');
  }
  const recipients = to && recipientsOf(to);
  if (toSelf && recipients!.length === RECIPIENTS_MAX) {
    throw new SealwrightError('TOO_LARGE', `to: at most ${RECIPIENTS_MAX - 1} beside oneself`);
  }
  return { recipients, toSelf };
}

/** Secrets are wiped when the work has ended. @throws SealwrightError INVALID_ARGUMENT */
export async function withSealTerms<T>(
  wish: ReturnType<typeof recipientsIn> & { readonly ref: string; readonly origin: string },
  { keyRing, sharing }: Pick<SealUnderGrantDeps, 'keyRing' | 'sharing'>,
  work: (terms: SealTerms) => Promise<T>,
): Promise<T> {
  const { ref, origin, recipients, toSelf } = wish;
  if (recipients) {
    const shared = await sharing.sealing(recipients, toSelf ? { ref, origin } : undefined);
    try {
      return await work(shared.seal);
    } finally {
      shared.wipe();
    }
  }
  const { key, keyId } = await argumentChecked(keyRing.sealingMaterial(ref, origin));
  try {
    return await work({ key, keyId });
  } finally {
    wipe(key);
  }
}

/** Pages open what pages sealed. Form fields, sync, vault and backup have doors of their own. */
const PAGE_PURPOSES: readonly Purpose[] = ['page', 'stream'];

/** What opening needs; its secrets are wiped when the work has ended. */
export interface OpeningKey {
  readonly ref: string;
  /** For beginOpen: the named key or the data key, and what the message is bound to. */
  readonly open: Pick<
    BeginOpenOptions,
    'key' | 'keyId' | 'dataKey' | 'accept' | 'purpose' | 'origin'
  >;
}

/** The message's beginning, with all that stands before its chunks, and what it says. */
export interface ReadMessage extends Prefix {
  readonly head: Uint8Array;
}

export type Accept = 'own' | 'shared';

/**
 * In this order (architecture.md section 5): may this page open anything at all; lengths, version,
 * suite, flags; purpose; key; the grant for that key, one use of it; context, commitment, chunks.
 *
 * @param read the message's public part; what is no sealed message throws here, and costs no use
 */
export async function underOpenGrant<T>(
  read: () => ReadMessage,
  accept: Accept | undefined,
  call: Call,
  deps: OpenUnderGrantDeps,
  work: (opening: OpeningKey, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { grants, keyRing, flights: inFlightCalls } = deps;
  const page = pageCall(call);
  await grants.requireAnyKey({ scope: page.scope, capability: 'open' }, page.id);
  const message = read();
  const { header } = message;
  requirePageMessage(header, accept);
  if (header.flags.recipients) return openShared(message, page, call, deps, work);
  const { purpose, headerKeyId: keyId } = header;
  const { origin } = page;
  const ref = await keyRing.refOfHeaderKeyId(keyId, origin);
  const grant = await useFor(ref, header, page, grants);
  return inFlightCalls.run(grant.id, call.signal, async (signal) => {
    // Only now: a key that is not granted must not cost more than one that is not there.
    const material = await keyRing.openingMaterial(keyId, origin);
    if (material === undefined) throw needsKey(toBase64url(keyId));
    try {
      const open = { key: material.key, keyId, purpose, origin };
      return await work({ ref: material.ref, open }, signal);
    } finally {
      wipe(material.key);
    }
  });
}

async function openShared<T>(
  { head, ...message }: ReadMessage,
  page: PageCall,
  call: Call,
  deps: OpenUnderGrantDeps,
  work: (opening: OpeningKey, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { scope, origin, id } = page;
  const opening = new SharedOpening(page, deps);
  try {
    const { ref, dataKey } = await opening.keyOf(message, head);
    try {
      const grant = await deps.grants.use({ scope, ref, capability: 'open' }, id);
      const { purpose } = message.header;
      const open = { dataKey, accept: 'shared', purpose, origin } as const;
      return await deps.flights.run(grant.id, call.signal, (signal) => work({ ref, open }, signal));
    } finally {
      wipe(dataKey);
    }
  } finally {
    await opening.wipe();
  }
}

/**
 * A message with recipients could be from anyone: it is opened for who asked for such.
 * @throws AuthenticationError for a message that is for another door
 */
export function requirePageMessage({ purpose, flags }: Header, accept: Accept = 'own'): void {
  const isWelcome = !flags.recipients || accept === 'shared';
  if (!PAGE_PURPOSES.includes(purpose) || !isWelcome) throw new AuthenticationError();
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
