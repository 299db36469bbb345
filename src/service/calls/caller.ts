import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { scopeOf, type PageCaller, type Scope } from './frame-policy.ts';
import { callIdOf } from './journal.ts';

/** A page's call, with what grants are looked up by. */
export interface PageCall {
  readonly caller: PageCaller;
  readonly scope: Scope;
  readonly origin: string;
  /** Names the call over replays. */
  readonly id: string;
}

/** Checks again that a page calls, although the server does: all authorization depends on it. */
export function pageCall(call: Call): PageCall {
  const { caller } = call;
  if (caller.kind !== 'page') throw new SealwrightError('UNSUPPORTED', 'This is for pages');
  return { caller, scope: scopeOf(caller), origin: caller.origin, id: callIdOf(call) };
}
