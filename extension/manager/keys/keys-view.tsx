import { CreateKey } from '../../views/create-key.tsx';
import { Advanced } from '../../ui/components/advanced.tsx';
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

/** The user's keys: list, edit, create, import, archive. */
export function KeysView() {
  const text = useText();
  const keys = useQuery('ui.keys', {});
  // Stored as a draft: a tab that was closed with an open form opens with that form again.
  const [editing, edit, close] = useDraft('editing-key');
  return (
    <View title={text.t('keysTitle')}>
      <KeysInUse
        keys={keys}
        row={(key) => (
          <KeyCard
            key={key.ref}
            item={key}
            isEdited={editing === key.ref}
            onEdit={() => edit(key.ref)}
            onClose={close}
            onChange={keys.reload}
          />
        )}
      >
        <CreateKey onCreated={keys.reload} />
        <Advanced id="advanced-keys">
          <ImportKey onImported={keys.reload} />
          <ImportSyncKey onImported={keys.reload} />
          <ImportAgeKey onImported={keys.reload} />
        </Advanced>
        {keys.data && <ArchivedKeys keys={keys.data} onChange={keys.reload} />}
      </KeysInUse>
    </View>
  );
}
