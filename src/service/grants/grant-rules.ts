import { OPENING_CAPABILITIES } from '../../rpc/key-kinds.ts';
import type { Capability, PickedKind } from '../../rpc/key-kinds.ts';
import { sameScope, type Scope } from '../calls/frame-policy.ts';
import { hoursMovedInTime, type OpenedByHour } from './opening-hours.ts';
import { openedMovedInTime, type Bulk, type OpenedByMinute } from './opening-limit.ts';

/*
 * What a grant allows, as pure functions over the list of grants: no clock, no store, no caller.
 *
 * In one scope, a capability on a key is held by at most one grant: the user's newest answer
 * replaces what it answers anew (`withGrant`), so a later, narrower grant really narrows.
 */

/** The key a page asks for: its own, or one that the user picks. */
export type RequestedKey =
  | { readonly kind: 'app' }
  | {
      readonly kind: PickedKind;
      readonly label: string | null;
      /** Of a sync key: the only ones that it may be used for, in order. */
      readonly collections?: readonly string[];
    };

/** The limits a page asked for; the grant itself may be narrower, as the user decides. */
export interface Terms {
  readonly key: RequestedKey;
  readonly expiresInMs: number | null;
  readonly maxUses: number | null;
  /** Of what opens. */
  readonly maxPerHour: number | null;
}

/** One stored permission. Times are ms since the epoch. */
export interface Grant {
  readonly id: string;
  readonly scope: Scope;
  /** The key ring's name of the key: `app`, or a record id. Never shown to a page. */
  readonly ref: string;
  readonly capabilities: readonly Capability[];
  /** Of a sync key. */
  readonly collections?: readonly string[];
  readonly asked: Terms;
  readonly created: number;
  readonly expiresAt: number | null;
  readonly usesLeft: number | null;
  readonly lastUsed: number | null;
  /** How much it opens in any hour, at most. */
  readonly maxPerHour: number | null;
  /** Counted where that is limited. */
  readonly opened: OpenedByMinute;
  /** What it may open beside that, once. */
  readonly bulk: Bulk | null;
  /** What it has opened by hour, once it has opened something. */
  readonly hours?: OpenedByHour;
}

/** A request that a grant may answer already. */
export interface CoveredRequest extends Terms {
  readonly scope: Scope;
  readonly capabilities: readonly Capability[];
  /** Openings in bulk; null: none. */
  readonly bulk: number | null;
}

/** What a call looks for: a capability on a key, in a scope. */
export interface Ask {
  readonly scope: Scope;
  readonly ref: string;
  readonly capability: Capability;
  /** Of a sync key: all of them are needed. */
  readonly collections?: readonly string[];
  /** The page's id for the key, where it named one: for the error alone. */
  readonly keyId?: string | undefined;
  /** Of a sync key, whose one capability is for both: whether the page gets what is decrypted. */
  readonly opens?: boolean;
}

/** Whether the use that is asked for opens something. */
export function isOpening({ capability, opens = true }: Ask): boolean {
  return opens && OPENING_CAPABILITIES.includes(capability);
}

/** What is not granted, in the words of the call. */
export interface Missing {
  readonly capability: Capability;
  readonly collection?: string;
  /** Only where the origin was given that id: there are grants for the key. */
  readonly keyId?: string;
}

/** Why a call is refused. */
export type Refusal =
  | { readonly allowed: false; readonly code: 'EXPIRED' }
  | { readonly allowed: false; readonly code: 'FROZEN' }
  | { readonly allowed: false; readonly code: 'QUOTA'; readonly retryAfterMs: number }
  | { readonly allowed: false; readonly code: 'NOT_GRANTED'; readonly missing: Missing };

/** Whether a grant allows it, and which; else the error. */
export type Decision = { readonly allowed: true; readonly grant: Grant } | Refusal;

/** Past grants are remembered this long, so that a page gets EXPIRED rather than NOT_GRANTED. */
export const REMEMBER_SPENT_MS = 30 * 24 * 60 * 60 * 1000;

/** A grant that was not used for this long ends; the site may ask again. */
export const UNUSED_MS = 90 * 24 * 60 * 60 * 1000;

/** ms since the epoch: when a grant ends unless it is used before. */
export function unusedEnd({ lastUsed, created }: Grant): number {
  return (lastUsed ?? created) + UNUSED_MS;
}

/** Whether a grant's time or uses are over. */
export function isSpent(grant: Grant, now: number): boolean {
  return now >= endOf(grant) || grant.usesLeft === 0;
}

function endOf(grant: Grant): number {
  return Math.min(grant.expiresAt ?? Infinity, unusedEnd(grant));
}

/** Whether a grant ended because it was not used, and its record does not say so yet. */
export function hasEndedUnused(grant: Grant, now: number): boolean {
  const end = unusedEnd(grant);
  return now >= end && (grant.expiresAt === null || grant.expiresAt > end) && grant.usesLeft !== 0;
}

/** What a grant answers: which key, and where. */
export type KeyOfScope = Pick<Grant, 'scope' | 'ref'>;

/** Whether both are for one key at one scope. */
export function areOfOneKey(one: KeyOfScope, other: KeyOfScope): boolean {
  return one.ref === other.ref && sameScope(one.scope, other.scope);
}

/** EXPIRED: there was a grant, and its time or its uses are over. NOT_GRANTED: there is none. */
export function decide(grants: readonly Grant[], ask: Ask, now: number): Decision {
  const grant = grants.find(
    (each) =>
      areOfOneKey(each, ask) &&
      each.capabilities.includes(ask.capability) &&
      coversCollections(each, ask.collections),
  );
  if (!grant) return { allowed: false, code: 'NOT_GRANTED', missing: missingFor(grants, ask) };
  if (isSpent(grant, now)) return { allowed: false, code: 'EXPIRED' };
  return { allowed: true, grant };
}

/** The same steps for a key that is unknown and for one that the origin was never given. */
function missingFor(grants: readonly Grant[], { capability, keyId, ...ask }: Ask): Missing {
  const ofKey = grants.filter((each) => areOfOneKey(each, ask));
  const held = ofKey.flatMap(({ collections = [] }) => collections);
  const wanted = ask.collections ?? [];
  const collection = wanted.find((each) => !held.includes(each)) ?? wanted[0];
  return {
    capability,
    ...(collection !== undefined && { collection }),
    ...(keyId !== undefined && ofKey.length > 0 && { keyId }),
  };
}

function coversCollections({ collections = [] }: Grant, wanted: readonly string[] = []): boolean {
  return wanted.every((collection) => collections.includes(collection));
}

/** The answer when the key is not yet known: may this scope use the capability on any key at all? */
export function decideAnyKey(
  grants: readonly Grant[],
  ask: Omit<Ask, 'ref'>,
  now: number,
): Refusal | { readonly allowed: true } {
  const held = grants.filter(
    (each) => sameScope(each.scope, ask.scope) && each.capabilities.includes(ask.capability),
  );
  if (held.length === 0) {
    return { allowed: false, code: 'NOT_GRANTED', missing: { capability: ask.capability } };
  }
  if (held.every((grant) => isSpent(grant, now))) return { allowed: false, code: 'EXPIRED' };
  return { allowed: true };
}

/** May this scope use the key for anything at all? The error names `seal`, the capability asked for most. */
export function decideKey(
  grants: readonly Grant[],
  ask: Pick<Ask, 'scope' | 'ref'>,
  now: number,
): Decision {
  const held = grants.filter((each) => areOfOneKey(each, ask));
  if (held.length === 0) {
    return { allowed: false, code: 'NOT_GRANTED', missing: { capability: 'seal' } };
  }
  const grant = held.find((each) => !isSpent(each, now));
  return grant ? { allowed: true, grant } : { allowed: false, code: 'EXPIRED' };
}

/** The grants of a scope whose time and uses are not over. */
export function liveGrants(grants: readonly Grant[], scope: Scope, now: number): Grant[] {
  return grants.filter((grant) => sameScope(grant.scope, scope) && !isSpent(grant, now));
}

/**
 * The live grant that already answers a request, so that the user is not asked twice: the same
 * kind of key (and label, when one is asked for), all the capabilities, and the same limits. Openings in bulk are
 * asked for each time.
 */
export function coveringGrant(
  grants: readonly Grant[],
  request: CoveredRequest,
  now: number,
): Grant | undefined {
  if (request.bulk !== null) return undefined;
  return liveGrants(grants, request.scope, now).find((grant) => {
    const { asked, capabilities } = grant;
    return (
      answersRequest(asked.key, request.key) &&
      asked.expiresInMs === request.expiresInMs &&
      asked.maxUses === request.maxUses &&
      asked.maxPerHour === request.maxPerHour &&
      request.capabilities.every((capability) => capabilities.includes(capability)) &&
      coversCollections(grant, collectionsOf(request.key))
    );
  });
}

/** The collections that a sync key is asked for; undefined for other keys. */
export function collectionsOf(key: RequestedKey): readonly string[] | undefined {
  return key.kind === 'app' ? undefined : key.collections;
}

function answersRequest(asked: RequestedKey, request: RequestedKey): boolean {
  if (request.kind === 'app' || asked.kind === 'app') return request.kind === asked.kind;
  return request.kind === asked.kind && (request.label === null || request.label === asked.label);
}

/** The grants after the user's new answer: what it covers is taken from the older ones. */
export function withGrant(grants: readonly Grant[], added: Grant, now: number): Grant[] {
  const narrowed = grants.map((grant) => {
    if (!areOfOneKey(grant, added)) return grant;
    if (grant.collections) return withoutCollections(grant, added.collections);
    const rest = grant.capabilities.filter((held) => !added.capabilities.includes(held));
    return { ...grant, capabilities: rest };
  });
  const kept = narrowed.filter(
    (grant) => grant.capabilities.length > 0 && !isForgotten(grant, now),
  );
  return [...kept, added];
}

/** A sync key is granted collection by collection: the new answer is about those that it names. */
function withoutCollections(grant: Grant, answered: readonly string[] = []): Grant {
  const collections = grant.collections!.filter((each) => !answered.includes(each));
  const capabilities = collections.length === 0 ? [] : grant.capabilities;
  return { ...grant, collections, capabilities };
}

function isForgotten(grant: Grant, now: number): boolean {
  const end = grant.usesLeft === 0 ? (grant.lastUsed ?? grant.created) : endOf(grant);
  return isSpent(grant, now) && now - end >= REMEMBER_SPENT_MS;
}

/** The grant by a clock that was set by so many ms; never before the epoch. */
export function movedInTime(grant: Grant, byMs: number): Grant {
  const moved = (time: number): number => Math.max(0, Math.trunc(time + byMs));
  const { created, expiresAt, lastUsed, opened, bulk, hours } = grant;
  return {
    ...grant,
    created: moved(created),
    expiresAt: expiresAt === null ? null : moved(expiresAt),
    lastUsed: lastUsed === null ? null : moved(lastUsed),
    opened: openedMovedInTime(opened, byMs),
    bulk: bulk && { ...bulk, until: moved(bulk.until) },
    ...(hours && { hours: hoursMovedInTime(hours, byMs) }),
  };
}

/** Whether a use of this grant must be committed before the work. */
export function mustCharge(grant: Grant): boolean {
  return grant.usesLeft !== null;
}

/** Whether the use that is asked for counts for the limit of an hour. */
export function isLimited({ maxPerHour }: Grant, ask: Ask): boolean {
  return maxPerHour !== null && isOpening(ask);
}

/** The grant after uses were taken; the caller checks that it has so many left. */
export function charged(grant: Grant, now: number, uses = 1): Grant {
  const usesLeft = grant.usesLeft === null ? null : Math.max(0, grant.usesLeft - uses);
  return { ...grant, usesLeft, lastUsed: now };
}
