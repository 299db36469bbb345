import { useEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment, type WorkerLike } from '../../ui/environment/environment.ts';
import type { FromWorker, ToWorker } from '../../ui/environment/self-test-protocol.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import {
  advance,
  IDLE,
  speedsOfRecord,
  type BackgroundTimes,
  type PastSpeed,
  type SelfTestRun,
} from './self-test-report.ts';

const LAST_RUN = 'self-test-last-run';

/** The state of the self-test, and how to start and stop it. */
export interface SelfTest {
  readonly run: SelfTestRun;
  /** The speeds of the previous run. */
  readonly before: readonly PastSpeed[];
  readonly start: () => void;
  readonly cancel: () => void;
}

/** Runs the self-test in a worker, which is terminated at the end of the run or of the view. */
export function useSelfTest(): SelfTest {
  const { startSelfTestWorker, localValues, ui } = useEnvironment();
  const [run, setRun] = useState<SelfTestRun>(IDLE);
  const [before, setBefore] = useState<readonly PastSpeed[]>([]);
  const worker = useRef<WorkerLike>();
  const stop = () => {
    worker.current?.terminate();
    worker.current = undefined;
  };
  useEffect(() => stop, []);
  useEffect(() => {
    if (run.state !== 'finished' && run.state !== 'failed') return;
    stop();
    if (run.state === 'finished') {
      void localValues.set(LAST_RUN, { time: Date.now(), speeds: run.speeds });
      void ui.call('ui.keepThresholds', { thresholds: [...run.thresholds] });
    }
  }, [run.state]);

  const start = () => {
    stop();
    void localValues.get(LAST_RUN).then((record) => setBefore(speedsOfRecord(record)));
    const started = startSelfTestWorker();
    worker.current = started;
    setRun({ ...IDLE, state: 'running' });
    const receive = (message: FromWorker) => {
      if (worker.current === started) setRun((last) => advance(last, message));
    };
    started.addEventListener('message', ({ data }) => receive(data as FromWorker));
    started.addEventListener('error', () => receive({ type: 'failed', message: '' }));
    // One after the other, because the worker would slow the background down.
    void timesOfBackground(ui).then(async (background) => {
      const cards = await usesCard(ui);
      if (worker.current !== started) return;
      setRun((last) => ({ ...last, background }));
      started.postMessage({ type: 'start', cards } satisfies ToWorker);
    });
  };
  const cancel = () => {
    worker.current?.postMessage({ type: 'cancel' } satisfies ToWorker);
    stop();
    setRun((last) => ({ ...last, state: 'cancelled' }));
  };
  return { run, before, start, cancel };
}

/** Whether the user has switched the graphics card on; not where the background does not say so. */
async function usesCard(ui: UiClient): Promise<boolean> {
  try {
    return (await ui.call('ui.graphicsCard', {})).on;
  } catch {
    return false;
  }
}

async function timesOfBackground(ui: UiClient): Promise<BackgroundTimes> {
  try {
    return await ui.call('ui.selfTest', {});
  } catch {
    return 'failed';
  }
}
