import { useEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import {
  advance,
  IDLE,
  speedsOfRecord,
  type BackgroundTimes,
  type PastSpeed,
  type RunEvent,
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

/** Runs the self-test in the workshop, until the end of the run or of the view. */
export function useSelfTest(): SelfTest {
  const { workshop, localValues, ui } = useEnvironment();
  const [run, setRun] = useState<SelfTestRun>(IDLE);
  const [before, setBefore] = useState<readonly PastSpeed[]>([]);
  const going = useRef<AbortController>();
  const stop = () => {
    going.current?.abort();
    going.current = undefined;
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
    const started = new AbortController();
    going.current = started;
    setRun({ ...IDLE, state: 'running' });
    const receive = (event: RunEvent) => {
      if (going.current === started) setRun((last) => advance(last, event));
    };
    // One after the other, because the measurements would slow the background down.
    void timesOfBackground(ui).then(async (background) => {
      const cards = await usesCard(ui);
      if (going.current !== started) return;
      setRun((last) => ({ ...last, background }));
      const input = { secrets: {}, params: { cards } };
      const options = { signal: started.signal, onProgress: receive };
      workshop.call('self-test', 'selfTest.run', input, options).then(
        ({ thresholds }) => receive({ type: 'finished', thresholds }),
        () => receive({ type: 'failed' }),
      );
    });
  };
  const cancel = () => {
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
