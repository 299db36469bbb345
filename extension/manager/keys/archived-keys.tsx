import { ArchiveRestore, Trash2 } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { RowMenu } from '../../ui/components/buttons/row-menu.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { KeySummary, nameOf } from './key-summary.tsx';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';

interface ArchivedKeysProps {
  readonly keys: readonly UiKey[];
  readonly onChange: () => Promise<void>;
}

/**
 * Archived keys: they still open messages but are not offered to sites. A key is deleted from here
 * only.
 */
export function ArchivedKeys({ keys, onChange }: ArchivedKeysProps) {
  const { text } = useEnvironment();
  const archived = keys.filter((key) => key.archived !== null);
  if (archived.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="archive-title" id="archive">
      <h2 id="archive-title">{text.t('archiveTitle')}</h2>
      <p class="muted">{text.t('archiveLead')}</p>
      <ul class="rows">
        {archived.map((key) => (
          <ArchivedKey key={key.ref} item={key} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

interface ArchivedKeyProps {
  readonly item: UiKey;
  readonly onChange: () => Promise<void>;
}

function ArchivedKey({ item, onChange }: ArchivedKeyProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const ask = useAskPassphrase();
  const restore = () =>
    action.run(async () => {
      const { ref } = item;
      await ui.call('ui.archiveKey', { ref, archived: false });
      toast(text.t('keyRestored'), async () => {
        await ui.call('ui.archiveKey', { ref, archived: true });
        await onChange();
      });
      focusTitle();
      await onChange();
    });
  const name = nameOf(item, text);
  const title = text.t('keyDeleteNamed', name);
  const detail = (
    <>
      <p>{text.plural('keyDeleteSites', item.sites)}</p>
      <p>{text.t('keyDeleteWarning')}</p>
    </>
  );
  const remove = () =>
    action.run(async () => {
      const question = { title, detail, confirm: text.t('keyDelete'), isDanger: true };
      const done = await ask(question, (by) => ui.call('ui.deleteKey', { by, ref: item.ref }));
      if (!done) return;
      toast(text.t('keyDeleted'));
      focusTitle();
      await onChange();
    });
  const menu = {
    name: 'delete',
    label: text.t('keyDelete'),
    icon: <Trash2 size={16} aria-hidden="true" />,
    onChoose: remove,
  };
  return (
    <li class="row">
      <KeySummary item={item} />
      <div class="row-actions">
        {item.guest ? (
          <TakeOver item={item} onChange={onChange} />
        ) : (
          <Button
            variant="quiet"
            busy={action.busy}
            icon={<ArchiveRestore size={16} aria-hidden="true" />}
            aria-label={text.t('keyRestoreNamed', name)}
            onClick={restore}
          >
            {text.t('keyRestore')}
          </Button>
        )}
        <RowMenu label={text.t('moreNamed', name)} items={[menu]} busy={action.busy} />
      </div>
      <ErrorBanner error={action.error} />
    </li>
  );
}

/** For a key of a foreign backup: makes it one of the user's own, which cannot be undone. */
function TakeOver({ item, onChange }: ArchivedKeyProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const name = keyName({ ...item, guest: false }, text);
  const takeOver = () =>
    action.run(async () => {
      await ui.call('ui.takeOverKey', { ref: item.ref });
      toast(text.t('keyTakenOver'));
      focusTitle();
      await onChange();
    });
  return (
    <>
      <ConfirmButton
        label={text.t('keyTakeOver')}
        describe={text.t('keyTakeOverNamed', name)}
        question={text.t('keyTakeOverQuestion', name)}
        confirm={text.t('keyTakeOver')}
        keep={text.t('cancel')}
        busy={action.busy}
        icon={<ArchiveRestore size={16} aria-hidden="true" />}
        onConfirm={takeOver}
      />
      <ErrorBanner error={action.error} />
    </>
  );
}
