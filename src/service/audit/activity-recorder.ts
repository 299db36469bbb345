import { rescue, then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { METHODS, type Method, type MethodName } from '../../rpc/methods/methods.ts';
import type { Activity } from './activity.ts';
import type { ActivityEntry } from './activity-entry.ts';
import { asCallerError } from '../errors.ts';
import { callIdOf } from '../calls/journal.ts';

/** What a call was about. */
export interface CallSummary {
  readonly method: MethodName;
  readonly params: object;
  readonly bytes: number;
  readonly items: number;
}

/**
 * A site's own mistakes are not recorded: no key was used, and thousands of them must not replace
 * other entries or cause writes to the vault.
 */
const MISTAKES: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'BAD_ENVELOPE',
  'TOO_LARGE',
  'NEEDS_KEY',
  'UNSUPPORTED',
  'QUOTA',
]);

/**
 * Turns calls into entries of the audit log. The grants report which keys a call asks for, so a method
 * that takes a use is in the log without code of its own.
 */
export class ActivityRecorder {
  readonly #activity: Activity;
  /** The keys that running calls have asked for, by the name of the call. */
  readonly #refs = new Map<string, Set<string>>();
  /** How many uses of a key the limit of an hour has refused to running calls. */
  readonly #usedUp = new Map<string, Map<string, number>>();

  constructor(activity: Activity) {
    this.#activity = activity;
  }

  /** Remembers the keys that a call asks for, granted or not. An empty ref: an unknown key. */
  rememberKeys(call: string, refs: readonly string[]): void {
    const known = this.#refs.get(call) ?? new Set();
    for (const ref of refs) known.add(ref);
    this.#refs.set(call, known);
  }

  /** Remembers that the limit of an hour has refused uses of a key: it is the user's limit, and no mistake of the site. */
  rememberUsedUp(call: string, ref: string, uses: number): void {
    this.#usedUp.set(call, new Map([...(this.#usedUp.get(call) ?? []), [ref, uses]]));
  }

  /**
   * Runs a call, and records its outcome if the log holds such calls.
   *
   * @throws the call's error, mapped for the caller
   */
  record<T>(what: CallSummary, call: Call, work: () => Awaitable<T>): Awaitable<T> {
    const recordSuccess = (value: T): T => {
      this.#recordEntry(what, call, 'ok', value);
      return value;
    };
    return rescue(
      () => then(work(), recordSuccess),
      (error) => {
        throw this.#failed(what, call, error);
      },
    );
  }

  /** Records a failed call. @returns the error for the caller */
  #failed(what: CallSummary, call: Call, error: unknown): Error {
    const forCaller = asCallerError(error);
    this.#recordEntry(
      what,
      call,
      forCaller instanceof SealwrightError ? forCaller.code : 'ABORTED',
    );
    return forCaller;
  }

  /** @param value what the call resolved to; absent where it failed */
  #recordEntry(what: CallSummary, call: Call, result: string, value?: unknown): void {
    const { method, params, bytes, items } = what;
    const outcome = { result, uses: Math.max(1, items), bytes };
    const id = callIdOf(call);
    const refs = this.#refs.get(id);
    const usedUp = this.#usedUp.get(id) ?? new Map<string, number>();
    this.#refs.delete(id);
    this.#usedUp.delete(id);
    const { caller } = call;
    if (caller.kind === 'surface') {
      const operation = operationOf(METHODS[method], params, value);
      const contact = contactOf(METHODS[method], params, value);
      if (operation) this.#activity.record({ operation, result, ...contact });
      return;
    }
    // What a page asks of a locked vault waits outside it, where no site's name belongs.
    if (caller.incognito || result === 'LOCKED' || !(refs || isUse(method))) return;
    const { origin, container } = caller;
    for (const [ref, count] of usedUp) {
      this.#activity.record({
        operation: method,
        origin,
        container,
        ref,
        result: 'QUOTA',
        uses: count,
      });
    }
    if (MISTAKES.has(result) || areUnknown(refs)) return;
    // A batch that several keys open is one entry for each; its size is in that of the first.
    const [first = null, ...others] = [...(refs ?? [])].map((ref) => ref || null);
    const operation = operationOf(METHODS[method], params, value) ?? method;
    this.#activity.record({ operation, origin, container, ref: first, ...outcome });
    for (const ref of others) {
      this.#activity.record({ operation, origin, container, ref, result, uses: 0 });
    }
  }
}

/** A key was named that there is not: a site's mistake too. */
function areUnknown(refs: ReadonlySet<string> | undefined): boolean {
  return refs !== undefined && [...refs].every((ref) => ref === '');
}

/** Refused before any key was looked for, it is noted all the same. */
function isUse(method: MethodName): boolean {
  const { needs, replay } = METHODS[method];
  return needs === 'grant' && replay !== 'pure';
}

/** What the log calls a call, where its row has a name for it. */
function operationOf({ operation }: Method, params: object, value: unknown): string | undefined {
  return typeof operation === 'function' ? operation(params as never, value as never) : operation;
}

/** The contact that a call has changed, by its id; that of a new one is in the result. */
function contactOf(
  { isAboutContact }: Method,
  params: object,
  value: unknown,
): Pick<ActivityEntry, 'contact'> {
  if (!isAboutContact) return {};
  const { id } = { ...(value as object | undefined), ...params } as { id?: string };
  return id === undefined ? {} : { contact: id };
}
