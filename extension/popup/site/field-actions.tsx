import { Eye, LockKeyhole, PenLine } from 'lucide-preact';
import type { FieldSessionKind } from '../../../src/rpc/methods/ui-fields.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

const WRITE = { kind: 'write', words: 'writeSealed', Icon: PenLine } as const;
const SEAL = { kind: 'seal', words: 'sealThisField', Icon: LockKeyhole } as const;
const OPEN = { kind: 'open', words: 'openSealed', Icon: Eye } as const;

interface FieldActionsProps {
  readonly tabId: number;
  /** Whether the browser lets the extension into this page at all. */
  readonly isReachable: boolean;
}

/**
 * Buttons that seal or open text in the page of a tab. They work on sites that are not enabled too. On
 * a page that cannot be reached, text is copied by hand.
 */
export function FieldActions({ tabId, isReachable }: FieldActionsProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const begin = (kind: FieldSessionKind) =>
    action.run(async () => {
      await ui.call('ui.beginVisit', { tabId, kind });
    });
  return (
    <section aria-labelledby="fields-title">
      <h2 id="fields-title">{text.t(isReachable ? 'fieldsHere' : 'fieldsByCopy')}</h2>
      <ul class="rows">
        {(isReachable ? [WRITE, SEAL, OPEN] : [WRITE, OPEN]).map(({ kind, words, Icon }) => (
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
      <p class="hint">{text.t(isReachable ? 'fieldsHereHint' : 'fieldsByCopyHint')}</p>
      <ErrorBanner error={action.error} />
    </section>
  );
}
