import { Archive, Pencil } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { useAction, useFormFocus } from '../../ui/hooks/use-action.ts';
import { CompareSyncKey } from './compare-sync-key.tsx';
import { EditKeyForm } from './edit-key-form.tsx';
import { KeySummary, nameOf } from './key-summary.tsx';
import { PublicKey } from './public-key.tsx';

interface KeyCardProps {
  readonly item: UiKey;
  readonly isEdited: boolean;
  readonly onEdit: () => void;
  readonly onClose: () => void;
  readonly onChange: () => Promise<void>;
}

/** One key of the list: its summary with buttons, or the form that edits it. */
export function KeyCard({ item, isEdited, onEdit, onClose, onChange }: KeyCardProps) {
  const { text } = useEnvironment();
  const row = useFormFocus<HTMLLIElement>(isEdited);
  if (isEdited) {
    return (
      <li class="row" ref={row}>
        <EditKeyForm item={item} onDone={onClose} onChange={onChange} />
      </li>
    );
  }
  return (
    <li class="row" ref={row}>
      <KeySummary item={item} />
      {item.kind !== 'app' && (
        <>
          <PublicKey item={item} />
          <CompareSyncKey item={item} />
          <Button
            variant="quiet"
            icon={<Pencil size={16} aria-hidden="true" />}
            aria-label={text.t('keyEditNamed', nameOf(item, text))}
            onClick={onEdit}
          >
            {text.t('keyEdit')}
          </Button>
          <ArchiveKey item={item} onChange={onChange} />
        </>
      )}
    </li>
  );
}

function ArchiveKey({ item, onChange }: Pick<KeyCardProps, 'item' | 'onChange'>) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const archive = () =>
    action.run(async () => {
      const { ref } = item;
      await ui.call('ui.archiveKey', { ref, archived: true });
      toast(text.t('keyArchived'), async () => {
        await ui.call('ui.archiveKey', { ref, archived: false });
        await onChange();
      });
      focusTitle();
      await onChange();
    });
  return (
    <>
      <ConfirmButton
        label={text.t('keyArchive')}
        describe={text.t('keyArchiveNamed', nameOf(item, text))}
        question={text.t('keyArchiveQuestion')}
        confirm={text.t('keyArchive')}
        busy={action.busy}
        icon={<Archive size={16} aria-hidden="true" />}
        onConfirm={archive}
      />
      <ErrorBanner error={action.error} />
    </>
  );
}
