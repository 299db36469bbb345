import { Play, Square } from 'lucide-preact';
import { headlineOf, plotsOf } from '../plots.ts';
import type { WorkId } from '../printed/table.ts';
import { WORKS } from '../printed/works.ts';
import type { LabMode, LabResult } from '../result.ts';
import { Banner } from '../../extension/ui/components/banner.tsx';
import { Button } from '../../extension/ui/components/buttons/button.tsx';
import { Progress } from '../../extension/ui/components/loading.tsx';
import { useLabText, type LabKey, type LabText } from './lab-text.ts';
import { LabPlot } from './lab-plot.tsx';
import { PrintedFigures } from './printed-figures.tsx';
import { quantity } from './quantity.ts';
import type { Lab } from './use-lab.ts';

const QUESTIONS: Readonly<Record<WorkId, LabKey>> = {
  stark: 'labAskedStark',
  lipmaa: 'labAskedLipmaa',
  yang: 'labAskedYang',
  tarr: 'labAskedTarr',
  pomcor: 'labAskedPomcor',
};

const METHODS: Readonly<Record<WorkId, LabKey>> = {
  stark: 'labMethodStark',
  lipmaa: 'labMethodLipmaa',
  yang: 'labMethodYang',
  tarr: 'labMethodTarr',
  pomcor: 'labMethodPomcor',
};

interface WorkCardProps {
  readonly work: WorkId;
  readonly lab: Lab;
  readonly mode: LabMode;
}

/** One work: its question and method, its run, and what came out beside what it printed. */
export function WorkCard({ work, lab, mode }: WorkCardProps) {
  const text = useLabText();
  const { title, authors, year, machine } = WORKS[work];
  const { results, failed } = lab.state;
  const result = results[work];
  return (
    <section class="card lab-work" id={`lab-${work}`} aria-labelledby={`lab-${work}-title`}>
      <h2 id={`lab-${work}-title`} lang="en">
        {title}
      </h2>
      <p class="hint" lang="en">
        {authors}, {String(year)}
      </p>
      <p>{text.t(QUESTIONS[work])}</p>
      <details>
        <summary>{text.t('labMethod')}</summary>
        <div class="stack">
          <p>{text.t(METHODS[work])}</p>
          <p>{text.t('labMethodAll')}</p>
          <p class="hint">
            {text.t('labMachine')} <span lang="en">{machine}</span>
          </p>
        </div>
      </details>
      <Run work={work} lab={lab} mode={mode} />
      {failed.includes(work) && <Banner tone="error">{text.t('labFailed')}</Banner>}
      {result && <Outcome result={result} />}
      <PrintedFigures work={work} result={result} />
    </section>
  );
}

function Run({ work, lab, mode }: WorkCardProps) {
  const text = useLabText();
  const { running, queue, results } = lab.state;
  if (running?.work === work) {
    const percent = text.number(running.progress, { style: 'percent' });
    return (
      <div class="stack">
        <div class="actions">
          <Button
            id={`lab-${work}-cancel`}
            icon={<Square size={16} aria-hidden="true" />}
            aria-describedby={`lab-${work}-title`}
            onClick={lab.cancel}
          >
            {text.t('cancel')}
          </Button>
        </div>
        <Progress label={text.t('labTitle')} value={running.progress} />
        <p class="hint">{text.t('selfTestProgress', percent)}</p>
      </div>
    );
  }
  return (
    <div class="actions">
      <Button
        id={`lab-${work}-start`}
        icon={<Play size={16} aria-hidden="true" />}
        aria-describedby={`lab-${work}-title`}
        // One at a time: two runs would share the processor.
        unavailable={running !== undefined}
        busy={queue.includes(work)}
        onClick={() => lab.start(work, mode)}
      >
        {text.t(results[work] ? 'selfTestAgain' : 'selfTestStart')}
      </Button>
    </div>
  );
}

function Outcome({ result }: { readonly result: LabResult }) {
  const text = useLabText();
  const words = headlineWords(result, text);
  return (
    <div class="stack" id={`lab-${result.work}-outcome`}>
      {result.work === 'yang' && <Cards result={result} />}
      {words !== undefined && <p class="lab-headline">{words}</p>}
      {plotsOf(result).map((plot) => (
        <LabPlot key={plot.title} plot={plot} />
      ))}
    </div>
  );
}

/** The card as the browser names it; a rasterizer in software is not judged. */
function Cards({ result }: { readonly result: LabResult }) {
  const text = useLabText();
  const { cards = [], samples } = result;
  const isMeasured = samples.some(({ engine }) => engine === 'webgl' || engine === 'webgpu');
  if (cards.length === 0 || !isMeasured) return <Banner tone="info">{text.t('labNoCard')}</Banner>;
  const software = cards.find(({ isSoftware }) => isSoftware);
  return (
    <>
      <ul class="plain-list" lang="en">
        {cards.map(({ engine, name }) => (
          <li key={engine}>
            {engine}: {name ?? '?'}
          </li>
        ))}
      </ul>
      {software && <Banner tone="info">{text.t('labSoftwareCard')}</Banner>}
    </>
  );
}

/** @returns undefined where there is nothing to compare, or only a card in software */
function headlineWords(result: LabResult, text: LabText): string | undefined {
  const headline = headlineOf(result);
  if (headline === undefined || result.cards?.some(({ isSoftware }) => isSoftware)) {
    return undefined;
  }
  const { when, unit, theirs, ours, factor } = headline;
  const words = [when, quantity(theirs, unit, text), quantity(ours, unit, text)];
  if (unit === '%') return text.t('labHeadlineOverhead', ...words);
  if (unit === 'x') return text.t('labHeadlineCard', ...words);
  const times = text.number(factor ?? 1, { maximumSignificantDigits: 3 });
  return text.t('labHeadline', ...words, times);
}
