import { Archive, Pencil } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { MENU_BUTTON, RowMenu, type MenuItem } from '../../ui/components/buttons/row-menu.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { useAction, useFormFocus } from '../../ui/hooks/use-action.ts';
import { kindWords } from '../../ui/text/key-words.ts';
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

/** One key of the list: its summary with its actions, or the form that edits it. */
export function KeyCard({ item, isEdited, onEdit, onClose, onChange }: KeyCardProps) {
  // What is done most with a key stands beside it: with a public key or a fingerprint, that is to show it.
  const isShown = kindWords(item.kind).publicKey !== undefined || item.kind === 'sync';
  const row = useFormFocus<HTMLLIElement>(isEdited, isShown ? MENU_BUTTON : 'button');
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
        <KeyActions item={item} isShown={isShown} onEdit={onEdit} onChange={onChange} />
      )}
    </li>
  );
}

interface KeyActionsProps extends Pick<KeyCardProps, 'item' | 'onEdit' | 'onChange'> {
  /** Whether the button beside the key shows its public key or its fingerprint. */
  readonly isShown: boolean;
}

function KeyActions({ item, isShown, onEdit, onChange }: KeyActionsProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const { ref } = item;
  const name = nameOf(item, text);
  const archive = () =>
    action.run(async () => {
      await ui.call('ui.archiveKey', { ref, archived: true });
      toast(text.t('keyArchived'), async () => {
        await ui.call('ui.archiveKey', { ref, archived: false });
        await onChange();
      });
      focusTitle();
      await onChange();
    });
  const pencil = <Pencil size={16} aria-hidden="true" />;
  const edit = { name: 'edit', label: text.t('keyEdit'), icon: pencil, onChoose: onEdit };
  const items: MenuItem[] = [
    ...(isShown ? [edit] : []),
    {
      name: 'archive',
      label: text.t('keyArchive'),
      icon: <Archive size={16} aria-hidden="true" />,
      ask: { question: text.t('keyArchiveQuestion'), confirm: text.t('keyArchive') },
      onChoose: archive,
    },
  ];
  const menu = <RowMenu label={text.t('moreNamed', name)} items={items} busy={action.busy} />;
  return (
    <>
      {item.kind === 'sync' ? (
        <CompareSyncKey item={item} beside={menu} />
      ) : isShown ? (
        <PublicKey item={item} beside={menu} />
      ) : (
        <div class="row-actions">
          <Button
            variant="quiet"
            icon={pencil}
            aria-label={text.t('keyEditNamed', name)}
            onClick={onEdit}
          >
            {text.t('keyEdit')}
          </Button>
          {menu}
        </div>
      )}
      <ErrorBanner error={action.error} />
    </>
  );
}
