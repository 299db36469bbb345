/*
 * The calls that are using a grant right now. Revoking a grant, or locking, ends them at once:
 * the caller is answered in the same turn, and what the work still produces goes nowhere.
 */

interface InFlightCall {
  readonly grantIds: readonly string[];
  readonly end: (reason: Error) => void;
}

export class InFlightCalls {
  readonly #running = new Set<InFlightCall>();

  /**
   * Runs `work` under a grant, or several. Its signal fires, and the promise rejects with the
   * reason, when the caller aborts or one of the grants ends, whichever comes first.
   */
  async run<T>(
    grantIds: string | readonly string[],
    caller: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ending = new AbortController();
    const ended = new Promise<never>((_, reject) => {
      ending.signal.addEventListener('abort', () => reject(reasonOf(ending.signal)));
    });
    const inFlightCall: InFlightCall = {
      grantIds: [grantIds].flat(),
      end: (reason) => ending.abort(reason),
    };
    const passOn = (): void => ending.abort(caller.reason);
    this.#running.add(inFlightCall);
    caller.addEventListener('abort', passOn);
    if (caller.aborted) passOn();
    try {
      return await Promise.race([ended, started(work, ending.signal)]);
    } finally {
      caller.removeEventListener('abort', passOn);
      this.#running.delete(inFlightCall);
    }
  }

  endGrants(grantIds: readonly string[], reason: Error): void {
    this.#end((inFlightCall) => inFlightCall.grantIds.some((id) => grantIds.includes(id)), reason);
  }

  endAll(reason: Error): void {
    this.#end(() => true, reason);
  }

  #end(concerns: (inFlightCall: InFlightCall) => boolean, reason: Error): void {
    for (const inFlightCall of [...this.#running].filter(concerns)) inFlightCall.end(reason);
  }
}

/** An aborted call starts no work. */
async function started<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  return work(signal);
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError');
}
