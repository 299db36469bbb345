import { Download, Play, Square } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { WORK_IDS } from '../printed/table.ts';
import { WORKS } from '../printed/works.ts';
import type { LabRecord } from '../result.ts';
import { Button } from '../../extension/ui/components/buttons/button.tsx';
import { CheckField } from '../../extension/ui/components/forms/check-field.tsx';
import { View } from '../../extension/ui/components/view.tsx';
import { downloadJson } from '../../extension/ui/environment/download.ts';
import { useLabText } from './lab-text.ts';
import { useLab, type Lab, type WorkerLike } from './use-lab.ts';
import { WorkCard } from './work-card.tsx';

interface LabViewProps {
  readonly startWorker: () => WorkerLike;
  /** Of Sealwright, for the saved results. */
  readonly version: string;
}

/** Five published works: their questions, and their measurements repeated in this browser. */
export function LabView({ startWorker, version }: LabViewProps) {
  const text = useLabText();
  const lab = useLab(startWorker);
  const [isFull, setFull] = useState(false);
  const { ended } = lab.state;
  return (
    <View title={text.t('labTitle')}>
      <p>{text.t('labLead')}</p>
      <Controls lab={lab} version={version} />
      <CheckField
        id="lab-full"
        label={text.t('labFull')}
        hint={text.t('labFullHint')}
        checked={isFull}
        onChange={setFull}
      />
      {WORK_IDS.map((work) => (
        <WorkCard key={work} work={work} lab={lab} mode={isFull ? 'full' : 'quick'} />
      ))}
      <p class="visually-hidden" role="status">
        {ended && text.t('labDone', WORKS[ended].title)}
      </p>
    </View>
  );
}

function Controls({ lab, version }: { readonly lab: Lab; readonly version: string }) {
  const text = useLabText();
  const results = Object.values(lab.state.results);
  const save = () => {
    const { userAgent, hardwareConcurrency: cores } = navigator as Partial<Navigator>;
    const record: LabRecord = {
      format: 'sealwright-lab-1',
      machine: {
        userAgent: userAgent ?? '',
        version,
        time: Date.now(),
        ...(cores !== undefined && { cores }),
      },
      results,
    };
    downloadJson('sealwright-lab.json', record);
  };
  return (
    <div class="actions">
      {lab.state.running ? (
        <Button
          id="lab-cancel-all"
          icon={<Square size={16} aria-hidden="true" />}
          onClick={lab.cancel}
        >
          {text.t('cancel')}
        </Button>
      ) : (
        <Button
          id="lab-run-all"
          variant="primary"
          icon={<Play size={16} aria-hidden="true" />}
          onClick={lab.startAll}
        >
          {text.t('labRunAll')}
        </Button>
      )}
      {results.length > 0 && (
        <Button id="lab-save" icon={<Download size={16} aria-hidden="true" />} onClick={save}>
          {text.t('selfTestExport')}
        </Button>
      )}
    </div>
  );
}
