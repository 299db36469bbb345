import { useEffect, useRef, useState } from 'preact/hooks';
import { WORK_IDS, type WorkId } from '../printed/table.ts';
import type { LabEvent, LabMode, LabOrder, LabResult } from '../result.ts';

/** The part of a dedicated worker that the Lab uses. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  terminate(): void;
}

/** What the Lab shows at a time. One work is measured at a time: two would share the processor. */
export interface LabState {
  readonly running?: { readonly work: WorkId; readonly progress: number };
  /** What waits, in order. */
  readonly queue: readonly WorkId[];
  /** The last result of each work. */
  readonly results: Partial<Readonly<Record<WorkId, LabResult>>>;
  /** The works whose last run failed. */
  readonly failed: readonly WorkId[];
  /** The work whose run has just ended, for screen readers. */
  readonly ended?: WorkId;
}

/** The state, and how to start and stop. */
export interface Lab {
  readonly state: LabState;
  readonly start: (work: WorkId, mode: LabMode) => void;
  readonly startAll: () => void;
  /** Terminates the worker in the middle of a measurement, and forgets what waits. */
  readonly cancel: () => void;
}

/** Runs works in a worker each, which is terminated at the end of the run or of the view. */
export function useLab(startWorker: () => WorkerLike): Lab {
  const [state, setState] = useState<LabState>({ queue: [], results: {}, failed: [] });
  const worker = useRef<WorkerLike>();
  const stop = () => {
    worker.current?.terminate();
    worker.current = undefined;
  };
  useEffect(() => stop, []);

  const run = (work: WorkId, mode: LabMode, queue: readonly WorkId[]) => {
    stop();
    const started = startWorker();
    worker.current = started;
    setState(({ results, failed }) => ({
      running: { work, progress: 0 },
      queue,
      results,
      failed: failed.filter((other) => other !== work),
    }));
    const end = (result?: LabResult) => {
      stop();
      setState(({ results, failed }) => ({
        queue,
        results: result ? { ...results, [work]: result } : results,
        failed: result ? failed : [...failed, work],
        ended: work,
      }));
      const [next, ...rest] = queue;
      if (next !== undefined) run(next, mode, rest);
    };
    const receive = (event: LabEvent) => {
      if (worker.current !== started) return;
      if (event.type === 'finished') end(event.result);
      else if (event.type === 'failed') end();
      else {
        const progress = event.total > 0 ? event.done / event.total : 0;
        setState((last) => ({ ...last, running: { work, progress } }));
      }
    };
    started.addEventListener('message', ({ data }) => receive(data as LabEvent));
    started.addEventListener('error', () => receive({ type: 'failed', message: '' }));
    started.postMessage({ work, mode } satisfies LabOrder);
  };

  return {
    state,
    start: (work, mode) => run(work, mode, []),
    startAll: () => run(WORK_IDS[0], 'quick', WORK_IDS.slice(1)),
    cancel: () => {
      stop();
      setState(({ results, failed }) => ({ queue: [], results, failed }));
    },
  };
}
