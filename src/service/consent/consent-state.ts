import { sameJson } from '../../keys/json.ts';
import { sameScope, type Scope } from '../calls/frame-policy.ts';
import type { GrantedCapability, Terms } from '../grants/grant-rules.ts';

/*
 * What the broker remembers about questions to the user, as one JSON value in the session store,
 * and the pure steps that change it. It outlives the worker and ends with the browser.
 */

/** What a page asks for, checked and complete: two equal requests are the same question. */
export interface NormalizedRequest extends Terms {
  readonly purpose: string;
  readonly capabilities: readonly GrantedCapability[];
  /** The ref of the key that is to get a new generation: then nothing is granted. */
  readonly rotates?: string;
}

/** A question that waits for its answer. Stored as JSON. */
export interface PendingPrompt {
  readonly id: string;
  readonly scope: Scope;
  readonly wish: NormalizedRequest;
  /** The calls that wait for the answer, by document and request id. */
  readonly waiters: readonly string[];
}

/** How a question ended. */
export type Outcome =
  | { readonly kind: 'granted'; readonly grantIds: readonly string[] }
  | { readonly kind: 'rejected' }
  /** No window could be shown. */
  | { readonly kind: 'failed' };

interface Settled {
  readonly promptId: string;
  readonly waiters: readonly string[];
  readonly outcome: Outcome;
}

interface Cooldown {
  readonly until: number;
  /** Denials in a row. */
  readonly strikes: number;
}

/** All questions, recent answers and cooldowns. Stored as JSON. */
export interface ConsentState {
  readonly prompts: readonly PendingPrompt[];
  readonly settled: readonly Settled[];
  readonly cooldowns: Readonly<Record<string, Cooldown>>;
}

/** Limits of questions; times in ms. */
export const CONSENT = {
  /** Windows that may ask at the same time, all sites together. */
  maxPrompts: 4,
  /** Calls that may wait for one answer; a page's replays come back under their own ids. */
  maxWaiters: 64,
  /** Answers kept for calls that are replayed after the worker died. */
  maxSettled: 32,
  /** After a denial the site waits, twice as long each time, so that a slip is soon repaired… */
  firstCooldownMs: 10_000,
  /** …and a nagging site is quiet. */
  maxCooldownMs: 60 * 60 * 1000,
  /** A site that has not asked for this long starts afresh. */
  forgiveAfterMs: 24 * 60 * 60 * 1000,
  /** What to suggest while another question of the same site is open. */
  busyRetryMs: 5000,
} as const;

/** The state before any question. */
export const EMPTY: ConsentState = { prompts: [], settled: [], cooldowns: {} };

/** What happens to a call that asks: an answer is there, it is refused for a while, or it waits. */
export type Joined =
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  | { readonly kind: 'quota'; readonly retryAfterMs: number }
  | { readonly kind: 'waiting'; readonly promptId: string; readonly state: ConsentState };

/**
 * A call asks. In order: an answer that this very call already has; the same question, already
 * open; another one open, or a recent denial (QUOTA); else a new prompt under `newId`.
 */
export function joined(
  state: ConsentState,
  question: { readonly scope: Scope; readonly wish: NormalizedRequest; readonly waiter: string },
  newId: string,
  now: number,
): Joined {
  const { scope, wish: requested, waiter } = question;
  const settled = state.settled.find((each) => each.waiters.includes(waiter));
  if (settled) return { kind: 'settled', outcome: settled.outcome };

  const open = state.prompts.find((each) => each.scope.origin === scope.origin);
  if (open && isSameQuestion(open, scope, requested)) return waiting(state, open, waiter);
  if (open) return { kind: 'quota', retryAfterMs: CONSENT.busyRetryMs };

  const cooldown = state.cooldowns[scope.origin];
  if (cooldown && isCooling(cooldown, now)) {
    return { kind: 'quota', retryAfterMs: cooldown.until - now };
  }
  if (state.prompts.length >= CONSENT.maxPrompts) {
    return { kind: 'quota', retryAfterMs: CONSENT.busyRetryMs };
  }
  const prompt: PendingPrompt = { id: newId, scope, wish: requested, waiters: [waiter] };
  return {
    kind: 'waiting',
    promptId: newId,
    state: { ...state, prompts: [...state.prompts, prompt] },
  };
}

function waiting(state: ConsentState, open: PendingPrompt, waiter: string): Joined {
  if (open.waiters.includes(waiter)) return { kind: 'waiting', promptId: open.id, state };
  if (open.waiters.length >= CONSENT.maxWaiters) {
    return { kind: 'quota', retryAfterMs: CONSENT.busyRetryMs };
  }
  const more = { ...open, waiters: [...open.waiters, waiter] };
  const prompts = state.prompts.map((each) => (each === open ? more : each));
  return { kind: 'waiting', promptId: open.id, state: { ...state, prompts } };
}

/** A clock set back must not make a cooldown longer than it was meant to be. */
function isCooling(cooldown: Cooldown, now: number): boolean {
  return now < cooldown.until && cooldown.until - now <= CONSENT.maxCooldownMs;
}

function isSameQuestion(
  prompt: PendingPrompt,
  scope: Scope,
  requested: NormalizedRequest,
): boolean {
  return sameScope(prompt.scope, scope) && sameJson(prompt.wish, requested);
}

/** The prompt is answered: its waiters will find the outcome, and a denial cools the site down. */
export function settledWith(
  state: ConsentState,
  prompt: PendingPrompt,
  outcome: Outcome,
  now: number,
): ConsentState {
  const answer: Settled = { promptId: prompt.id, waiters: prompt.waiters, outcome };
  return {
    prompts: state.prompts.filter((each) => each.id !== prompt.id),
    settled: [...state.settled, answer].slice(-CONSENT.maxSettled),
    cooldowns: cooldownsAfter(state, prompt.scope.origin, outcome, now),
  };
}

function cooldownsAfter(state: ConsentState, origin: string, outcome: Outcome, now: number) {
  const others = Object.entries(state.cooldowns).filter(
    ([other, { until }]) => other !== origin && now - until < CONSENT.forgiveAfterMs,
  );
  const own = outcome.kind === 'rejected' ? [[origin, nextCooldown(state, origin, now)]] : [];
  return Object.fromEntries([...others, ...own]) as ConsentState['cooldowns'];
}

function nextCooldown(state: ConsentState, origin: string, now: number): Cooldown {
  const before = state.cooldowns[origin];
  const forgiven = !before || now - before.until >= CONSENT.forgiveAfterMs;
  const strikes = forgiven ? 1 : before.strikes + 1;
  const wait = Math.min(CONSENT.maxCooldownMs, CONSENT.firstCooldownMs * 2 ** (strikes - 1));
  return { until: now + wait, strikes };
}

/**
 * A call gave up. Its prompt stays: a page that was reloaded joins it again, and none can make
 * windows flicker by asking and aborting in turn.
 */
export function withoutWaiter(state: ConsentState, promptId: string, waiter: string): ConsentState {
  const prompts = state.prompts.map((prompt) =>
    prompt.id === promptId
      ? { ...prompt, waiters: prompt.waiters.filter((each) => each !== waiter) }
      : prompt,
  );
  return { ...state, prompts };
}
