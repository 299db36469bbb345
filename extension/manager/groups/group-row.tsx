import { useLayoutEffect, useState } from 'preact/hooks';
import { Pencil, Trash2, UsersRound } from 'lucide-preact';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { MENU_BUTTON, RowMenu, type MenuItem } from '../../ui/components/buttons/row-menu.tsx';
import { RenameForm } from '../../ui/components/forms/rename-form.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction, useFormFocus } from '../../ui/hooks/use-action.ts';
import { GroupDetails } from './group-details.tsx';
import type { GroupFacts } from './group-facts.ts';

interface GroupRowProps {
  readonly group: GroupFacts;
  readonly contacts: readonly UiContact[];
  /** Whether it was made or taken just now: then its members are shown. */
  readonly isNew: boolean;
  readonly onChange: () => Promise<void>;
}

/** One group, with its members where they were asked for. */
export function GroupRow({ group, contacts, isNew, onChange }: GroupRowProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [isOpen, setOpen] = useState(isNew);
  const [isRenaming, setRenaming] = useState(false);
  const row = useFormFocus<HTMLLIElement>(isRenaming, MENU_BUTTON);
  const { id, name, members, problem } = group;
  // Before the row is drawn: a later scroll would move what is about to be pressed.
  useLayoutEffect(() => {
    if (!isNew) return;
    setOpen(true);
    row.current?.querySelector('button')?.focus({ preventScroll: true });
    row.current?.scrollIntoView({ block: 'nearest' });
  }, [isNew]);
  const rename = async (typed: string) => {
    await ui.call('ui.renameGroup', { id, name: typed });
    toast(text.t('groupRenamed'));
    await onChange();
  };
  const remove = () =>
    action.run(async () => {
      await ui.call('ui.removeGroup', { id });
      toast(text.t('groupDeleted'));
      focusTitle();
      await onChange();
    });
  const items: MenuItem[] = [
    {
      name: 'rename',
      label: text.t('rename'),
      icon: <Pencil size={16} aria-hidden="true" />,
      onChoose: () => setRenaming(true),
    },
    {
      name: 'remove',
      label: text.t('contactRemove'),
      icon: <Trash2 size={16} aria-hidden="true" />,
      ask: { question: text.t('groupDeleteQuestion', name), confirm: text.t('contactRemove') },
      onChoose: remove,
    },
  ];
  return (
    <li class="row" ref={row}>
      {isRenaming ? (
        <RenameForm
          id={`rename-${id}`}
          label={text.t('contactName')}
          missing={text.t('contactNameMissing')}
          name={name}
          onSave={rename}
          onDone={() => setRenaming(false)}
        />
      ) : (
        <>
          <UsersRound size={20} aria-hidden="true" />
          <div class="row-main">
            <p class="row-title" id={`group-name-${id}`}>
              <bdi>{name}</bdi>
            </p>
            <p class={problem ? 'row-detail state-warning' : 'row-detail'}>
              {problem ? text.t(problem) : text.t('groupMembers', members.length)}
            </p>
          </div>
          <div class="row-actions">
            <Button
              aria-expanded={isOpen}
              aria-label={text.t('groupManageNamed', name)}
              onClick={() => setOpen(!isOpen)}
            >
              {text.t('groupManage')}
            </Button>
            <RowMenu label={text.t('moreNamed', name)} items={items} busy={action.busy} />
          </div>
        </>
      )}
      <ErrorBanner error={action.error} />
      {isOpen && !isRenaming && (
        <GroupDetails group={group} contacts={contacts} onChange={onChange} />
      )}
    </li>
  );
}
