import { useState } from 'preact/hooks';
import { LogOut, UserKey, UserMinus, UserRound } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner } from '../../ui/components/banner.tsx';
import { MENU_BUTTON, RowMenu, type MenuItem } from '../../ui/components/buttons/row-menu.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useFormFocus } from '../../ui/hooks/use-action.ts';
import type { Text } from '../../ui/text/i18n.ts';
import type { PersonFacts } from './group-changes.ts';
import { MakeAdmin } from './make-admin.tsx';
import { PersonName, usePersonName } from './person-name.tsx';

/** What an admin does with one member. */
export interface MemberActions {
  readonly onRemove: (member: PersonFacts) => void;
  /** @param adminKey "swp1.…" of Ed25519; null: an admin no longer */
  readonly onRole: (member: PersonFacts, adminKey: string | null, onDone?: () => void) => void;
}

interface MemberRowProps {
  readonly member: PersonFacts;
  /** Keys of the group's admins, "swp1.…". */
  readonly adminKeys: readonly string[];
  readonly busy: boolean;
  /** Absent where the user cannot change the group. */
  readonly actions: MemberActions | undefined;
}

/** A form or a notice below a member. */
type Below = 'making' | 'last' | undefined;

/** A member of a group, with what an admin can do. A group is never left without an admin. */
export function MemberRow({ member, adminKeys, busy, actions }: MemberRowProps) {
  const text = useText();
  const announce = useAnnounce();
  const name = usePersonName()(member);
  const [below, setBelow] = useState<Below>();
  const isMaking = below === 'making' && actions !== undefined && !member.isAdmin;
  const row = useFormFocus<HTMLLIElement>(isMaking, MENU_BUTTON);
  const { publicKey, isAdmin, isUser } = member;
  const place = publicKey.slice(-16);
  const isLast = isAdmin && adminKeys.length === 1;
  const open = (what: Below) => {
    setBelow(what);
    if (what === 'last') announce(text.t('groupLastAdmin'));
  };
  const items = actions ? itemsFor(member, actions, { name, isLast, open, text }) : [];
  return (
    <li class="row" ref={row}>
      <div class="row-main">
        <p class="row-title">
          <PersonName person={member} />
        </p>
        {isAdmin && <p class="row-detail">{text.t('groupAdmin')}</p>}
      </div>
      {items.length > 0 && (
        <div class="row-actions">
          <RowMenu label={text.t('moreNamed', name)} items={items} busy={busy} />
        </div>
      )}
      {isMaking && (
        <MakeAdmin
          place={place}
          name={name}
          taken={adminKeys}
          busy={busy}
          onMake={(adminKey) => actions.onRole(member, adminKey, () => setBelow(undefined))}
          onDone={() => setBelow(undefined)}
        />
      )}
      {below === 'last' && isLast && isUser && (
        <Banner tone="warning" id={`last-admin-${place}`}>
          <p>{text.t('groupLastAdmin')}</p>
        </Banner>
      )}
    </li>
  );
}

interface ItemContext {
  readonly name: string;
  /** Whether the member is the only admin, who is the user then. */
  readonly isLast: boolean;
  readonly open: (below: Below) => void;
  readonly text: Text;
}

function itemsFor(
  member: PersonFacts,
  { onRemove, onRole }: MemberActions,
  { name, isLast, open, text }: ItemContext,
): MenuItem[] {
  const { isUser, isAdmin } = member;
  const refuse = () => open('last');
  const make: MenuItem = {
    name: 'make-admin',
    label: text.t('groupAdminMake'),
    icon: <UserKey size={16} aria-hidden="true" />,
    onChoose: () => open('making'),
  };
  const end = (question: string, label: string): MenuItem => ({
    name: 'end-admin',
    label,
    icon: <UserRound size={16} aria-hidden="true" />,
    ...(isLast
      ? { onChoose: refuse }
      : { ask: { question, confirm: label }, onChoose: () => onRole(member, null) }),
  });
  if (isUser) {
    const leave = text.t('groupLeave');
    return [
      ...(isAdmin ? [end(text.t('groupAdminGiveUpQuestion'), text.t('groupAdminGiveUp'))] : []),
      {
        name: 'leave',
        label: leave,
        icon: <LogOut size={16} aria-hidden="true" class="mirror" />,
        ...(isLast
          ? { onChoose: refuse }
          : {
              ask: { question: text.t('groupLeaveQuestion'), confirm: leave },
              onChoose: () => onRemove(member),
            }),
      },
    ];
  }
  return [
    isAdmin ? end(text.t('groupAdminEndQuestion', name), text.t('groupAdminEnd')) : make,
    {
      name: 'remove',
      label: text.t('groupRemove'),
      icon: <UserMinus size={16} aria-hidden="true" />,
      ask: { question: text.t('groupRemoveQuestion', name), confirm: text.t('groupRemove') },
      onChoose: () => onRemove(member),
    },
  ];
}
