import { Check, X } from 'lucide-preact';
import { useText } from '../../ui/environment/environment.ts';
import type { AbsentEngine } from '../../../src/rpc/workshop.ts';
import type { SelfTestRun } from './self-test-report.ts';

/** For each engine, how many algorithms passed their test vectors, and which did not. */
export function KnownAnswers({ run }: { readonly run: SelfTestRun }) {
  const text = useText();
  const engines = [...new Set(run.answers.map(({ engine }) => engine))];
  return (
    <>
      <h2>{text.t('knownAnswers')}</h2>
      <ul class="rows" id="known-answers">
        {engines.map((engine) => {
          const own = run.answers.filter((answer) => answer.engine === engine);
          // An algorithm may have two results: its vectors, then its agreement with other engines.
          const all = new Set(own.map(({ algorithm }) => algorithm));
          const wrong = new Set(own.filter(({ passed }) => !passed).map((it) => it.algorithm));
          const Icon = wrong.size === 0 ? Check : X;
          return (
            <li key={engine} class="row">
              <Icon
                size={18}
                aria-hidden="true"
                class={wrong.size === 0 ? 'icon-good' : 'icon-bad'}
              />
              <div class="row-main">
                <p class="row-title">{engine}</p>
                <p class="row-detail">
                  {wrong.size === 0
                    ? text.plural('answersRight', all.size)
                    : text.t('answersWrong', text.list([...wrong]))}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      {run.absent.length > 0 && <AbsentEngines engines={run.absent} />}
    </>
  );
}

/** The engines that this browser does not have, with the reasons. */
export function AbsentEngines({ engines }: { readonly engines: readonly AbsentEngine[] }) {
  const text = useText();
  return (
    <details id="absent-engines">
      <summary>{text.t('enginesAbsent')}</summary>
      <ul class="plain-list">
        {engines.map(({ engine, reason }) => (
          <li key={engine}>
            {engine}: <span lang="en">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
