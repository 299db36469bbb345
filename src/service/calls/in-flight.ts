import type { Awaitable } from '../../engine/contract.ts';
import type { Call } from '../../rpc/call.ts';
import type { Capability } from '../../rpc/key-kinds.ts';
import { notGranted } from '../errors.ts';

/*
 * The calls that are using a grant right now. Revoking a grant, or locking, ends them at once:
 * the caller is answered in the same task, and what the work still produces is dropped.
 */

/** What the work knows of the call under which it runs. */
export interface InFlightCall {
  /** Aborted when the caller aborts or the grant ends. Made when asked for. */
  readonly signal: AbortSignal;
}

type Caller = Pick<Call, 'signal' | 'isAborted' | 'goesOn'>;

/** Of a grant, what the error needs where the grant has ended. */
interface RunGrant {
  readonly id: string;
  readonly capabilities: readonly Capability[];
}

/** All calls that wait for work under a grant. */
export class InFlightCalls {
  readonly #running = new Set<EndableCall>();
  readonly #isWithheld: (grantId: string) => boolean;

  /** @param isWithheld whether a grant that a call was given has been taken back since */
  constructor(isWithheld: (grantId: string) => boolean) {
    this.#isWithheld = isWithheld;
  }

  /**
   * Runs `work` under a grant, or several. Its signal fires, and the promise rejects with the
   * reason, when the caller aborts or one of the grants ends, whichever comes first. Work that ends
   * in this turn creates no promise: it cannot be ended in between.
   *
   * @throws the caller's reason, where it has aborted already, and SealwrightError NOT_GRANTED where a grant
   *   was taken back since the call was given it; then no work starts
   */
  run<T>(
    grants: RunGrant | readonly RunGrant[],
    caller: Caller,
    work: (inFlight: InFlightCall) => Awaitable<T>,
  ): Awaitable<T> {
    if (caller.isAborted) throw reasonOf(caller.signal);
    const given = [grants].flat();
    const gone = given.find(({ id }) => this.#isWithheld(id));
    if (gone) throw notGranted({ capability: gone.capabilities[0]! });
    const call = new EndableCall(
      given.map(({ id }) => id),
      caller,
    );
    const result = work(call);
    return result instanceof Promise ? this.#untilEnd(call, result) : result;
  }

  async #untilEnd<T>(call: EndableCall, result: Promise<T>): Promise<T> {
    const { signal } = call;
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(reasonOf(signal)));
    });
    this.#running.add(call);
    try {
      return await Promise.race([ended, result]);
    } catch (error) {
      if (signal.aborted) call.goesOn(result);
      throw error;
    } finally {
      call.leaveCaller();
      this.#running.delete(call);
    }
  }

  endGrants(grantIds: readonly string[], reason: Error): void {
    this.#end((call) => call.grantIds.some((id) => grantIds.includes(id)), reason);
  }

  endAll(reason: Error): void {
    this.#end(() => true, reason);
  }

  #end(concerns: (call: EndableCall) => boolean, reason: Error): void {
    for (const call of [...this.#running].filter(concerns)) call.end(reason);
  }
}

class EndableCall implements InFlightCall {
  readonly grantIds: readonly string[];
  readonly #caller: Caller;
  #ending: AbortController | undefined;
  readonly #passOn = (): void => this.#ending?.abort(this.#caller.signal.reason);

  constructor(grantIds: readonly string[], caller: Caller) {
    this.grantIds = grantIds;
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    if (!this.#ending) {
      this.#ending = new AbortController();
      this.#caller.signal.addEventListener('abort', this.#passOn);
    }
    return this.#ending.signal;
  }

  end(reason: Error): void {
    this.#ending?.abort(reason);
  }

  /** What the browser computes, for example, no abort ends. */
  goesOn(work: Promise<unknown>): void {
    this.#caller.goesOn(work);
  }

  leaveCaller(): void {
    this.#caller.signal.removeEventListener('abort', this.#passOn);
  }
}

/** Why a signal has fired, as an error. */
export function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('Aborted', 'AbortError');
}
