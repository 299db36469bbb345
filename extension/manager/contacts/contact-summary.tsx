import { BadgeCheck, FileLock2, ListChecks, Pencil, Trash2, User } from 'lucide-preact';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { Button } from '../../ui/components/buttons/button.tsx';
import { RowMenu, type MenuItem } from '../../ui/components/buttons/row-menu.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { sealFor } from '../screens.ts';

interface ContactSummaryProps {
  readonly contact: UiContact;
  readonly busy: boolean;
  /** Whether the words are shown; undefined if the user has no key to compare with. */
  readonly comparing: boolean | undefined;
  readonly onCompare: () => void;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

/** A contact's name, whether its words were compared, the next step with it, and a menu of the others. */
export function ContactSummary(props: ContactSummaryProps) {
  const { contact, busy, comparing, onCompare, onRename, onRemove } = props;
  const text = useText();
  const { id, name, verified } = contact;
  const Icon = verified === null ? User : BadgeCheck;
  const compareIcon = <ListChecks size={16} aria-hidden="true" />;
  const compare: MenuItem = {
    name: 'compare',
    label: text.t('contactCompare'),
    icon: compareIcon,
    onChoose: onCompare,
  };
  const items: MenuItem[] = [
    ...(comparing === undefined || verified === null ? [] : [compare]),
    {
      name: 'rename',
      label: text.t('rename'),
      icon: <Pencil size={16} aria-hidden="true" />,
      onChoose: onRename,
    },
    {
      name: 'remove',
      label: text.t('contactRemove'),
      icon: <Trash2 size={16} aria-hidden="true" />,
      ask: {
        question: text.t('contactRemoveQuestion', name),
        confirm: text.t('contactRemove'),
      },
      onChoose: onRemove,
    },
  ];
  return (
    <>
      <Icon size={20} aria-hidden="true" />
      <div class="row-main">
        <p class="row-title">{name}</p>
        <p class={verified === null ? 'row-detail state-warning' : 'row-detail'}>
          {verified === null
            ? text.t('contactUnverified')
            : text.t('contactVerified', text.date(verified))}
        </p>
      </div>
      <div class="row-actions">
        {verified !== null && (
          <Button
            id={`seal-for-${id}`}
            icon={<FileLock2 size={16} aria-hidden="true" />}
            aria-label={text.t('contactSealFileNamed', name)}
            onClick={() => {
              location.hash = sealFor(id);
            }}
          >
            {text.t('contactSealFile')}
          </Button>
        )}
        {verified === null && comparing !== undefined && (
          <Button
            variant={comparing ? 'plain' : 'primary'}
            icon={compareIcon}
            aria-expanded={comparing}
            aria-label={text.t('contactCompareNamed', name)}
            onClick={onCompare}
          >
            {text.t('contactCompare')}
          </Button>
        )}
        <RowMenu label={text.t('moreNamed', name)} items={items} busy={busy} />
      </div>
    </>
  );
}
