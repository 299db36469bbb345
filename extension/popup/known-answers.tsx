import { Check, X } from 'lucide-preact';
import { useText } from '../ui/environment.ts';
import type { SelfTestRun } from './self-test-report.ts';

/** Which engine answered which algorithm's test vectors rightly. */
export function KnownAnswers({ run }: { readonly run: SelfTestRun }) {
  const text = useText();
  const engines = [...new Set(run.answers.map(({ engine }) => engine))];
  return (
    <>
      <h2>{text.t('knownAnswers')}</h2>
      <ul class="rows" id="known-answers">
        {engines.map((engine) => {
          const own = run.answers.filter((answer) => answer.engine === engine);
          const wrong = own.filter(({ passed }) => !passed);
          const Icon = wrong.length === 0 ? Check : X;
          return (
            <li key={engine} class="row">
              <Icon
                size={18}
                aria-hidden="true"
                class={wrong.length === 0 ? 'icon-good' : 'icon-bad'}
              />
              <div class="row-main">
                <p class="row-title">{engine}</p>
                <p class="row-detail">
                  {wrong.length === 0
                    ? text.plural('answersRight', own.length)
                    : text.t('answersWrong', text.list(wrong.map(({ algorithm }) => algorithm)))}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
