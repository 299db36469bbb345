import { useEffect, useState } from 'preact/hooks';
import type { OwnSharingKey, UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { GROUP_FILES } from '../../ui/environment/manager-address.ts';
import { GroupRow } from './group-row.tsx';
import { MakeGroup } from './make-group.tsx';
import { OwnAdminKey } from './own-admin-key.tsx';
import { TakeGroupFile } from './take-group-file.tsx';
import { useGroups } from './use-groups.ts';

interface GroupsPartProps {
  readonly contacts: readonly UiContact[];
  readonly own: readonly OwnSharingKey[];
  /** A group file that was dropped on the manager; another object for each drop. */
  readonly dropped: File | undefined;
  /** Called when a form has the dropped file. */
  readonly onDropTaken: () => void;
  /** Called after the user's own sharing key may have been made. */
  readonly onKeyMade: () => Promise<void>;
}

/**
 * The groups of the user, below the contacts, with forms that make one and take a group file. The field for the file takes
 * the focus where the address names it.
 */
export function GroupsPart({ contacts, own, dropped, onDropTaken, onKeyMade }: GroupsPartProps) {
  const text = useText();
  const { groups, error, reload } = useGroups({ contacts, own });
  const [newId, setNewId] = useState<string>();
  const isLoaded = groups !== undefined;
  useEffect(() => {
    const follow = () => {
      if (location.hash === `#${GROUP_FILES}`) document.getElementById('group-file')?.focus();
    };
    if (isLoaded) follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [isLoaded]);
  const settled = async (id: string) => {
    await onKeyMade(); // The card of the user's own key grows before the new row comes below it.
    setNewId(id);
    await reload();
  };
  return (
    <section class="stack" id="groups" aria-labelledby="groups-title">
      <h2 id="groups-title">{text.t('groupsTitle')}</h2>
      <p class="muted">{text.t('groupsLead')}</p>
      <ErrorBanner error={error} />
      {groups && groups.length > 0 && (
        <ul class="rows" id="group-list">
          {groups.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              contacts={contacts}
              isNew={group.id === newId}
              onChange={reload}
            />
          ))}
        </ul>
      )}
      {groups && (
        <>
          <MakeGroup contacts={contacts} own={own} onMade={settled} />
          <TakeGroupFile
            groups={groups}
            dropped={dropped}
            onDropTaken={onDropTaken}
            onTaken={settled}
          />
          <OwnAdminKey />
        </>
      )}
    </section>
  );
}
