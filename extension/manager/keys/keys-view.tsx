import { CreateKey } from '../../views/create-key.tsx';
import { KeysInUse } from '../../ui/components/keys-in-use.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { ArchivedKeys } from './archived-keys.tsx';
import { ImportAgeKey } from './import-age-key.tsx';
import { ImportKey } from './import-key.tsx';
import { ImportSyncKey } from '../sync-import/import-sync-key.tsx';
import { KeyCard } from './key-card.tsx';

/** The user's keys with all that can be noted about them, and the archive. */
export function KeysView() {
  const text = useText();
  const keys = useQuery('ui.keys', {});
  // A tab that was closed over an open form opens with it, and with what was typed.
  const [editing, edit, close] = useDraft('editing-key');
  return (
    <View title={text.t('keysTitle')}>
      <KeysInUse keys={keys}>
        {(key) => (
          <KeyCard
            key={key.ref}
            item={key}
            isEdited={editing === key.ref}
            onEdit={() => edit(key.ref)}
            onClose={close}
            onChange={keys.reload}
          />
        )}
      </KeysInUse>
      <CreateKey onCreated={keys.reload} />
      <ImportKey onImported={keys.reload} />
      <ImportSyncKey onImported={keys.reload} />
      <ImportAgeKey onImported={keys.reload} />
      {keys.data && <ArchivedKeys keys={keys.data} onChange={keys.reload} />}
    </View>
  );
}
