import type { CallControl } from '../arguments.ts';
import { isAborted, listen, SafeDOMException, timers, unlisten } from '../primordials.ts';

/** setTimeout takes 31 bits. Longer timeouts, of more than 24 days, are ignored. */
const MAX_TIMEOUT_MS = 0x7fffffff;

/** For calls that belong to another call, whose options apply. */
export const NO_CONTROL: CallControl = {
  signal: undefined,
  timeoutMs: undefined,
  onProgress: undefined,
};

/** A progress function whose errors are reported to the page and do not end its call. */
export function quiet(onProgress: NonNullable<CallControl['onProgress']>): typeof onProgress {
  return (done) => {
    try {
      onProgress(done);
    } catch (error) {
      reportError(error);
    }
  };
}

export function aborted(): DOMException {
  return new SafeDOMException('The call was aborted', 'AbortError');
}

/** As AbortSignal.timeout has it: the page can tell its timeout from its abort. */
function timedOut(ms: number): DOMException {
  return new SafeDOMException(`Not done within ${ms} ms`, 'TimeoutError');
}

export function timeLimit({ timeoutMs }: CallControl): number | undefined {
  return timeoutMs !== undefined && timeoutMs > MAX_TIMEOUT_MS ? undefined : timeoutMs;
}

/**
 * Calls `giveUp` with an AbortError when the page aborts, or a TimeoutError when its timeout is over.
 *
 * @returns stops watching
 */
export function whenGivenUp(control: CallControl, giveUp: (error: DOMException) => void) {
  const { signal } = control;
  const limitMs = timeLimit(control);
  const onAbort = (): void => giveUp(aborted());
  if (signal) listen(signal, 'abort', onAbort);
  const timer =
    limitMs === undefined ? undefined : timers.start(() => giveUp(timedOut(limitMs)), limitMs);
  if (signal && isAborted(signal)) onAbort();
  return (): void => {
    if (signal) unlisten(signal, 'abort', onAbort);
    timers.stop(timer);
  };
}
