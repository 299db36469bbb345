import { Eye, LockKeyhole, PenLine } from 'lucide-preact';
import type { FieldSessionKind } from '../../../src/rpc/methods/ui-fields.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

const ACTIONS = [
  { kind: 'write', words: 'writeSealed', Icon: PenLine },
  { kind: 'seal', words: 'sealThisField', Icon: LockKeyhole },
  { kind: 'open', words: 'openSealed', Icon: Eye },
] as const satisfies readonly { kind: FieldSessionKind; words: MessageKey; Icon: unknown }[];

/**
 * Buttons that seal or open text in the page of a tab. They work on sites that are not enabled too.
 */
export function FieldActions({ tabId }: { readonly tabId: number }) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const begin = (kind: FieldSessionKind) =>
    action.run(async () => {
      await ui.call('ui.beginVisit', { tabId, kind });
    });
  return (
    <section aria-labelledby="fields-title">
      <h2 id="fields-title">{text.t('fieldsHere')}</h2>
      <ul class="rows">
        {ACTIONS.map(({ kind, words, Icon }) => (
          <li key={kind}>
            <button
              type="button"
              class="row row-button"
              id={`field-${kind}`}
              onClick={() => begin(kind)}
            >
              <Icon size={20} aria-hidden="true" />
              <span class="row-main">
                <span class="row-title">{text.t(words)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p class="hint">{text.t('fieldsHereHint')}</p>
      <ErrorBanner error={action.error} />
    </section>
  );
}
