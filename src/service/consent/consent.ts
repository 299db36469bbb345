import { toBase64url } from '../../crypto/bytes.ts';
import type { Locks, SessionStore } from '../../keys/storage/key-value-store.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import {
  EMPTY,
  joined,
  settledWith,
  withoutWaiter,
  type ConsentState,
  type Outcome,
  type PendingPrompt,
  type NormalizedRequest,
  type Question,
} from './consent-state.ts';
import type { PageCall } from '../calls/caller.ts';
import type { Prompter } from '../ports/prompter.ts';

/** What questions to the user are built from. */
export interface ConsentDeps {
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly random: RandomSource;
  readonly prompter: Prompter;
  readonly now: () => number;
  /** A question was opened or ended. */
  readonly onStateChanged: () => void;
}

/** The call that asks, and where it comes from. */
export interface Asking extends Pick<PageCall, 'scope' | 'id' | 'asks'> {
  readonly caller: Pick<PageCall['caller'], 'tabId'>;
}

const STORE_KEY = 'consent';
const LOCK = 'sealwright consent';
const PROMPT_ID_BYTES = 16;

/**
 * Asking the user. Questions are kept in the session store, so a prompt outlives the worker: the
 * page's replayed `connect` joins it again, or finds the answer that was given meanwhile.
 */
export class Consent {
  readonly #deps: ConsentDeps;
  /** Those who wait in this worker's life, by prompt. */
  readonly #listeners = new Map<string, Set<(outcome: Outcome) => void>>();

  constructor(deps: ConsentDeps) {
    this.#deps = deps;
  }

  /**
   * Asks, or joins the same question. Resolves when a person has answered.
   *
   * @throws SealwrightError QUOTA; the signal's reason
   */
  async ask(page: Asking, wish: NormalizedRequest, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted();
    const { scope, id, caller } = page;
    const waiter = { call: id, asks: await page.asks() };
    let answered!: (outcome: Outcome) => void;
    const answer = new Promise<Outcome>((resolve) => (answered = resolve));
    const place = await this.#join({ scope, tabId: caller.tabId, wish, waiter }, answered);
    if (place.kind === 'settled') return place.outcome;
    if (place.ended !== undefined) void this.#deps.prompter.close(place.ended);
    void this.#show(place.promptId);
    try {
      return await unlessAborted(answer, signal);
    } finally {
      this.#listeners.get(place.promptId)?.delete(answered);
      if (signal.aborted) await this.#change((all) => withoutWaiter(all, place.promptId, id));
    }
  }

  async pending(promptId: string): Promise<PendingPrompt | undefined> {
    const { prompts } = await this.#read();
    return prompts.find((prompt) => prompt.id === promptId);
  }

  async allPending(): Promise<readonly PendingPrompt[]> {
    return (await this.#read()).prompts;
  }

  /** Whether this prompt has been answered: a replayed answer is then no mistake. */
  async isSettled(promptId: string): Promise<boolean> {
    const { settled } = await this.#read();
    return settled.some((each) => each.promptId === promptId);
  }

  /** Ends a prompt with an outcome. The first one counts; nothing happens for an unknown prompt. */
  async settle(promptId: string, outcome: Outcome): Promise<void> {
    await this.#change((state) => {
      const prompt = state.prompts.find((each) => each.id === promptId);
      if (!prompt) return state;
      return settledWith(state, prompt, outcome, this.#deps.now());
    });
    const listeners = this.#listeners.get(promptId);
    this.#listeners.delete(promptId);
    for (const resolve of listeners ?? []) resolve(outcome);
    this.#deps.onStateChanged();
    await this.#deps.prompter.close(promptId);
  }

  /** The user closed the prompt: that is a no. */
  closed(promptId: string): Promise<void> {
    return this.settle(promptId, { kind: 'rejected' });
  }

  async #join(question: Question, resolve: (outcome: Outcome) => void) {
    const { random, now, locks, session } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const newId = toBase64url(random.bytes(PROMPT_ID_BYTES));
      const place = joined(await this.#read(), question, newId, now());
      if (place.kind === 'quota') throw tooMany(place.retryAfterMs);
      if (place.kind === 'waiting') {
        await session.set(STORE_KEY, place.state);
        this.#deps.onStateChanged();
        this.#listen(place.promptId, resolve);
      }
      return place;
    });
  }

  #listen(promptId: string, resolve: (outcome: Outcome) => void): void {
    const listeners = this.#listeners.get(promptId) ?? new Set();
    this.#listeners.set(promptId, listeners.add(resolve));
  }

  /** Not waited for: an answer need not wait for the window manager. */
  async #show(promptId: string): Promise<void> {
    try {
      await this.#deps.prompter.show(promptId);
    } catch {
      await this.settle(promptId, { kind: 'failed' });
    }
  }

  async #change(step: (state: ConsentState) => ConsentState): Promise<ConsentState> {
    const { locks, session } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const state = step(await this.#read());
      await session.set(STORE_KEY, state);
      return state;
    });
  }

  async #read(): Promise<ConsentState> {
    const stored = await this.#deps.session.get(STORE_KEY);
    return (stored as ConsentState | undefined) ?? EMPTY;
  }
}

function tooMany(retryAfterMs: number): SealwrightError {
  return new SealwrightError('QUOTA', 'This site has to wait before it may ask again', {
    retryAfterMs,
  });
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let giveUp!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
