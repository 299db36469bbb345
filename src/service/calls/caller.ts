import type { InTurn } from '../../engine/native/native-crypto.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { scopeOf, type PageCaller, type Scope } from './frame-policy.ts';
import { callIdOf } from './journal.ts';

/** What tells a call from every other, and its replays from calls that reuse its id. */
export interface NamedCall {
  /** Names the call over replays. */
  readonly id: string;
  /**
   * What the call asks for (fingerprint.ts). It is computed when the journal is first consulted: only
   * calls that write to the vault need it.
   *
   * @param share in which long parameters are hashed, where this is the first time
   */
  readonly asks: (share?: { turnsOf(call: Call): InTurn }) => Promise<string>;
}

/** A page's call, with what grants are looked up by. */
export interface PageCall extends NamedCall {
  readonly caller: PageCaller;
  readonly scope: Scope;
  readonly origin: string;
}

/** Checks again that a page calls, although the server does: all authorization depends on it. */
export function pageCall(call: Call): PageCall {
  const { caller } = call;
  if (caller.kind !== 'page') throw new SealwrightError('UNSUPPORTED', 'This is for pages');
  let asks: Promise<string> | undefined;
  return {
    caller,
    scope: scopeOf(caller),
    origin: caller.origin,
    id: callIdOf(call),
    asks: (share) =>
      (asks ??= fingerprintOf(caller.origin, call.method, call.params, share?.turnsOf(call))),
  };
}
