import { sameJson } from '../../keys/values/json.ts';
import type { Capability } from '../../rpc/key-kinds.ts';
import { ownerOf, sameScope, type Scope } from '../calls/frame-policy.ts';
import type { RecordedCall } from '../calls/journal.ts';
import type { Terms } from '../grants/grant-rules.ts';

/*
 * What the broker remembers about questions to the user, as one JSON value in the session store,
 * and the pure steps that change it. It outlives the worker and ends with the browser.
 */

/** What a page asks for, checked and complete: two equal requests are the same question. */
export interface NormalizedRequest extends Terms {
  readonly purpose: string;
  readonly capabilities: readonly Capability[];
  /** How many messages it asks to open once, beside those of an hour; null: none. */
  readonly bulk: number | null;
  /** The ref of the key that is to get a new generation: then nothing is granted. */
  readonly rotates?: string;
}

/** A call that waits for an answer: its id, and what it asks for (src/service/calls/journal.ts). */
export type Waiter = Required<Omit<RecordedCall, 'at'>>;

/** A question that waits for its answer. Stored as JSON. */
export interface PendingPrompt {
  readonly id: string;
  readonly scope: Scope;
  /** Of the page that asked first. */
  readonly tabId: number;
  readonly wish: NormalizedRequest;
  readonly waiters: readonly Waiter[];
}

/** How a question ended. */
export type Outcome =
  | { readonly kind: 'granted'; readonly grantIds: readonly string[] }
  | { readonly kind: 'rejected' }
  /** No window could be shown. */
  | { readonly kind: 'failed' };

interface Settled {
  readonly promptId: string;
  readonly waiters: readonly Waiter[];
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
  /** By `limitedAs`. */
  readonly cooldowns: Readonly<Record<string, Cooldown>>;
}

/**
 * Limits of questions; times in ms. One window at a time, and the wait after a denial, hold for a
 * registrable domain and for a tab: neither the subdomains nor the frames of one page, nor the sites
 * that it leads its tab to, can ask in turn.
 */
export const CONSENT = {
  /**
   * Windows that may ask at the same time, all sites together. No site can have more than one. One that no call
   * waits for gives way to the question of another site.
   */
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
  /** What to suggest while another question of the same site or tab is open. */
  busyRetryMs: 5000,
} as const;

/** The state before any question. */
export const EMPTY: ConsentState = { prompts: [], settled: [], cooldowns: {} };

/** What happens to a call that asks: an answer is there, it is refused for a while, or it waits. */
export type Joined =
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  | { readonly kind: 'quota'; readonly retryAfterMs: number }
  | {
      readonly kind: 'waiting';
      readonly promptId: string;
      readonly state: ConsentState;
      /** The prompt that gave way. */
      readonly ended?: string;
    };

/** What one call asks the user. */
export interface Question extends Pick<PendingPrompt, 'scope' | 'tabId' | 'wish'> {
  readonly waiter: Waiter;
}

/**
 * A call asks. In order: an answer that this very call already has; the same question, already
 * open; another one open, or a recent denial (QUOTA); else a new prompt under `newId`, where there is room.
 */
export function joined(
  state: ConsentState,
  question: Question,
  newId: string,
  now: number,
): Joined {
  const { waiter, ...asked } = question;
  const settled = state.settled.find(({ waiters }) => includes(waiters, waiter));
  if (settled) return { kind: 'settled', outcome: settled.outcome };

  const same = state.prompts.find((each) => isSameQuestion(each, question));
  if (same) return waiting(state, same, waiter);

  const limits = limitedAs(question);
  const isBusy = state.prompts.some((open) => limitedAs(open).some((key) => limits.includes(key)));
  if (isBusy) return { kind: 'quota', retryAfterMs: CONSENT.busyRetryMs };

  const coolings = limits.map((key) => coolingMs(state.cooldowns[key], now));
  const retryAfterMs = Math.max(...coolings);
  if (retryAfterMs > 0) return { kind: 'quota', retryAfterMs };
  const isFull = state.prompts.length >= CONSENT.maxPrompts;
  const left = isFull ? state.prompts.find(({ waiters }) => waiters.length === 0) : undefined;
  if (isFull && !left) return { kind: 'quota', retryAfterMs: CONSENT.busyRetryMs };
  // As a denial: sites that ask and give up in turn must not make windows come and go.
  const rest = left ? settledWith(state, left, { kind: 'rejected' }, now) : state;
  const prompt: PendingPrompt = { id: newId, ...asked, waiters: [waiter] };
  return {
    kind: 'waiting',
    promptId: newId,
    state: { ...rest, prompts: [...rest.prompts, prompt] },
    ...(left && { ended: left.id }),
  };
}

/** What the limits of a question are counted by: the site of the tab's top page, and the tab. */
function limitedAs({ scope, tabId }: Pick<PendingPrompt, 'scope' | 'tabId'>): readonly string[] {
  return [`site ${ownerOf(scope.topOrigin)}`, `tab ${tabId}`];
}

function includes(waiters: readonly Waiter[], { call, asks }: Waiter): boolean {
  return waiters.some((each) => each.call === call && each.asks === asks);
}

function waiting(state: ConsentState, open: PendingPrompt, waiter: Waiter): Joined {
  if (includes(open.waiters, waiter)) return { kind: 'waiting', promptId: open.id, state };
  if (open.waiters.length >= CONSENT.maxWaiters) {
    return { kind: 'quota', retryAfterMs: CONSENT.busyRetryMs };
  }
  const more = { ...open, waiters: [...open.waiters, waiter] };
  const prompts = state.prompts.map((each) => (each === open ? more : each));
  return { kind: 'waiting', promptId: open.id, state: { ...state, prompts } };
}

/** How long yet. A clock set back must not make a cooldown longer than it was meant to be. */
function coolingMs(cooldown: Cooldown | undefined, now: number): number {
  const ms = (cooldown?.until ?? now) - now;
  return ms <= CONSENT.maxCooldownMs ? ms : 0;
}

function isSameQuestion(prompt: PendingPrompt, { scope, wish }: Question): boolean {
  return sameScope(prompt.scope, scope) && sameJson(prompt.wish, wish);
}

/** The prompt is answered: its waiters will find the outcome, and a denial cools site and tab down. */
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
    cooldowns: cooldownsAfter(state, limitedAs(prompt), outcome, now),
  };
}

function cooldownsAfter(
  state: ConsentState,
  limits: readonly string[],
  outcome: Outcome,
  now: number,
): ConsentState['cooldowns'] {
  const others = Object.entries(state.cooldowns).filter(
    ([key, { until }]) => !limits.includes(key) && now - until < CONSENT.forgiveAfterMs,
  );
  const denied = outcome.kind === 'rejected' ? limits : [];
  const own = denied.map((key) => [key, nextCooldown(state, key, now)] as const);
  return Object.fromEntries([...others, ...own]);
}

function nextCooldown(state: ConsentState, key: string, now: number): Cooldown {
  const before = state.cooldowns[key];
  const forgiven = !before || now - before.until >= CONSENT.forgiveAfterMs;
  const strikes = forgiven ? 1 : before.strikes + 1;
  const wait = Math.min(CONSENT.maxCooldownMs, CONSENT.firstCooldownMs * 2 ** (strikes - 1));
  return { until: now + wait, strikes };
}

/**
 * A call gave up. Its prompt stays: a page that was reloaded joins it again, and none can make
 * windows flicker by asking and aborting in turn.
 */
export function withoutWaiter(state: ConsentState, promptId: string, call: string): ConsentState {
  const prompts = state.prompts.map((prompt) =>
    prompt.id === promptId
      ? { ...prompt, waiters: prompt.waiters.filter((each) => each.call !== call) }
      : prompt,
  );
  return { ...state, prompts };
}
