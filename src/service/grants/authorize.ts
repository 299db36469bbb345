import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Call } from '../../rpc/call.ts';
import type { Capability } from '../../rpc/key-kinds.ts';
import { pageCall, type PageCall } from '../calls/caller.ts';
import { refused } from '../errors.ts';
import type { InFlightCall, InFlightCalls } from '../calls/in-flight.ts';
import type { TakenUses } from './charge.ts';
import type { Grants } from './grants.ts';

/*
 * How a method gets to use a named key: the grant is checked, one use of it is taken, and the work
 * runs as a call in flight, which a revocation, a lock or the caller can end at any moment. All
 * steps are Awaitable: where grants and keys are cached, the whole path makes no promise.
 */

/** What every authorization needs. */
export interface AuthorizeDeps {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly inFlightCalls: InFlightCalls;
}

/**
 * The ref of the key that a page names by the id it has for it; without an id, that of the app key.
 *
 * @returns '' for an unknown id: no grant names it, so it ends like a key that is not granted
 */
export function namedRef(
  keyId: string | undefined,
  origin: string,
  keyRing: KeyRing,
): Awaitable<string> {
  return keyId === undefined ? 'app' : then(keyRing.refOf(keyId, origin), (ref) => ref ?? '');
}

/** A key, and the capability on it that a call asks for. */
interface KeyRequest {
  readonly ref: string;
  readonly capability: Capability;
  /** The id by which the page named the key, for the error where that is not granted. */
  readonly keyId?: string | undefined;
  /** Of a sync key. */
  readonly collections?: readonly string[];
  /** Uses of the grant to take; 1 if absent. */
  readonly uses?: number;
  /** Of a sync key: whether it decrypts. */
  readonly opens?: boolean;
}

/** Work under a grant, with the uses that were taken: fewer than asked for where the grant had no more. */
export type GrantedWork<T> = (taken: TakenUses, inFlight: InFlightCall) => Awaitable<T>;

/**
 * Takes uses of the grant for one key, then does the work as a call in flight.
 *
 * @throws SealwrightError NOT_GRANTED, EXPIRED, QUOTA, FROZEN
 */
export function authorizeKey<T>(
  request: KeyRequest,
  call: Call,
  deps: AuthorizeDeps,
  work: GrantedWork<T>,
): Awaitable<T> {
  return authorizePage(request, pageCall(call), call, deps, work);
}

/** The same for a caller who has read the call's page already. */
export function authorizePage<T>(
  { uses = 1, ...request }: KeyRequest,
  page: PageCall,
  call: Call,
  { grants, inFlightCalls }: AuthorizeDeps,
  work: GrantedWork<T>,
): Awaitable<T> {
  const { scope } = page;
  return then(grants.useMany([{ scope, ...request, uses }], page), ([one]) => {
    const taken = one!;
    if (!taken.allowed) throw refused(taken);
    return inFlightCalls.run(taken.grant, call, (inFlight) => work(taken, inFlight));
  });
}
