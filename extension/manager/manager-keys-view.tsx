import { CreateKey } from '../popup/create-key.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment.ts';
import { useDraft } from '../ui/use-draft.ts';
import { useQuery } from '../ui/use-query.ts';
import { ArchivedKeys } from './archived-keys.tsx';
import { ImportKey } from './import-key.tsx';
import { KeyCard } from './key-card.tsx';

/** The user's keys with all that can be noted about them, and the archive. */
export function ManagerKeysView() {
  const text = useText();
  const { data, error, reload } = useQuery('ui.keys', {});
  // A tab that was closed over an open form opens with it, and with what was typed.
  const [editing, edit, close] = useDraft('editing-key');
  return (
    <View title={text.t('keysTitle')}>
      <p class="muted">{text.t('keysLead')}</p>
      <ErrorBanner error={error} />
      {!data && error === undefined && <Loading />}
      {data && (
        <ul class="rows" id="keys">
          {data
            .filter(({ archived }) => archived === null)
            .map((key) => (
              <KeyCard
                key={key.ref}
                item={key}
                isEdited={editing === key.ref}
                onEdit={() => edit(key.ref)}
                onClose={close}
                onChange={reload}
              />
            ))}
        </ul>
      )}
      <CreateKey onCreated={reload} />
      <ImportKey onImported={reload} />
      {data && <ArchivedKeys keys={data} onChange={reload} />}
    </View>
  );
}
