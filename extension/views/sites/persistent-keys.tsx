import { Trash2 } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';

interface PersistentKeysProps {
  readonly origin: string;
  /** How many keys the site has in the vault by `exportKey('sealwright-ref', key)`. */
  readonly count: number;
  readonly onDeleted: () => Promise<void>;
}

/** A question before permissions end, with what becomes of the site's keys in the vault. */
export function withKeysEnd(question: string, count: number, text: Text): string {
  return count === 0 ? question : `${question} ${text.t('persistentKeysEnd', count)}`;
}

/** How many keys of its own a site has in the vault, and a button that deletes them after a question. */
export function PersistentKeys({ origin, count, onDeleted }: PersistentKeysProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  if (count === 0) return null;
  const title = text.plural('persistentKeys', count);
  const remove = () =>
    action.run(async () => {
      await ui.call('ui.deletePersistentKeys', { origin });
      announce(text.t('persistentKeysDeleted'));
      await onDeleted();
      focusTitle();
    });
  return (
    <div class="row persistent-keys">
      <div class="row-main">
        <p class="row-title">{title}</p>
        <p class="row-detail">{text.t('persistentKeysHint')}</p>
        <ErrorBanner error={action.error} />
      </div>
      <ConfirmButton
        label={text.t('persistentKeysDelete')}
        describe={`${text.t('persistentKeysDelete')}: ${title}`}
        question={text.t('persistentKeysQuestion')}
        confirm={text.t('persistentKeysDelete')}
        busy={action.busy}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onConfirm={remove}
      />
    </div>
  );
}
