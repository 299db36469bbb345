import { useState } from 'preact/hooks';
import { Download, Play } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Progress } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { downloadJson } from '../../ui/environment/download.ts';
import { useText } from '../../ui/environment/environment.ts';
import type { UiState } from '../../ui/environment/ui-client.ts';
import { CallTimes } from './call-times.tsx';
import { KnownAnswers } from './known-answers.tsx';
import { regressions, type SelfTestRecord, type SelfTestRun } from './self-test-report.ts';
import { SpeedResults } from './speed-results.tsx';
import { useSelfTest, type SelfTest } from './use-self-test.ts';

interface SelfTestViewProps {
  readonly state: UiState;
  readonly onBack?: () => void;
}

/** Runs the self-test: known answers and speed of every engine on this machine. */
export function SelfTestView({ state, onBack }: SelfTestViewProps) {
  const text = useText();
  const test = useSelfTest();
  const { run } = test;
  return (
    <View title={text.t('selfTestTitle')} onBack={onBack}>
      <p>{text.t('selfTestLead')}</p>
      <Controls test={test} version={state.version} />
      {run.state === 'cancelled' && <Banner tone="info">{text.t('selfTestCancelled')}</Banner>}
      {run.state === 'failed' && <Banner tone="error">{text.t('selfTestFailed')}</Banner>}
      {run.state === 'finished' && <Verdict run={run} />}
      {run.state === 'finished' && <Comparison test={test} />}
      {run.answers.length > 0 && (
        <details id="self-test-details">
          <summary>{text.t('selfTestDetails')}</summary>
          <div class="stack">
            <KnownAnswers run={run} />
            {run.speeds.length > 0 && <SpeedResults speeds={run.speeds} />}
            <CallTimes run={run} />
          </div>
        </details>
      )}
    </View>
  );
}

/** Whether every check of every engine passed. */
function Verdict({ run }: { readonly run: SelfTestRun }) {
  const text = useText();
  const checks = [...run.answers.map(({ passed }) => passed), run.background !== 'failed'];
  const all = checks.length;
  const right = checks.filter((passed) => passed).length;
  const words = [text.number(right), text.number(all)];
  return right === all ? (
    <Banner tone="good" id="self-test-verdict" title={text.t('selfTestGood', ...words)} />
  ) : (
    <Banner tone="error" id="self-test-verdict" title={text.t('selfTestBad', ...words)} />
  );
}

function Controls({ test, version }: { readonly test: SelfTest; readonly version: string }) {
  const text = useText();
  const { run } = test;
  const running = run.state === 'running';
  const label = text.t('selfTestProgress', text.number(run.progress, { style: 'percent' }));
  const save = () => {
    const record: SelfTestRecord = {
      time: Date.now(),
      version,
      userAgent: navigator.userAgent,
      absent: run.absent,
      answers: run.answers,
      speeds: run.speeds,
      calls: run.calls,
      background: run.background,
      thresholds: run.thresholds,
    };
    downloadJson('sealwright-self-test.json', record);
  };
  return (
    <div class="stack">
      <div class="actions">
        {running ? (
          <Button id="self-test-cancel" onClick={test.cancel}>
            {text.t('cancel')}
          </Button>
        ) : (
          <Button
            id="self-test-start"
            variant="primary"
            icon={<Play size={16} aria-hidden="true" />}
            onClick={test.start}
          >
            {text.t(run.state === 'idle' ? 'selfTestStart' : 'selfTestAgain')}
          </Button>
        )}
        {run.state === 'finished' && (
          <Button
            id="self-test-export"
            icon={<Download size={16} aria-hidden="true" />}
            onClick={save}
          >
            {text.t('selfTestExport')}
          </Button>
        )}
      </div>
      {running && (
        <>
          <Progress label={text.t('selfTestTitle')} value={run.progress} />
          <p class="hint">{label}</p>
        </>
      )}
      <p class="visually-hidden" role="status">
        {run.state === 'finished' && text.t('selfTestDone')}
      </p>
    </div>
  );
}

function Comparison({ test }: { readonly test: SelfTest }) {
  const text = useText();
  const [slower] = useState(() => regressions(test.run.speeds, test.before));
  if (test.before.length === 0) return null;
  if (slower.length === 0) return <Banner tone="good">{text.t('selfTestNoSlower')}</Banner>;
  return (
    <Banner tone="warning" title={text.t('selfTestSlower')}>
      <ul class="plain-list">
        {slower.slice(0, 5).map(({ speed, change }) => (
          <li key={`${speed.engine} ${speed.algorithm} ${speed.bytes}`}>
            {text.t(
              'selfTestSlowerItem',
              speed.algorithm,
              speed.engine,
              text.bytes(speed.bytes),
              text.number(change, { style: 'percent' }),
            )}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
