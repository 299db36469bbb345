import { ExternalLink } from 'lucide-preact';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { useQuery } from '../ui/use-query.ts';
import { CreateKey } from './create-key.tsx';
import { KeyRow } from './key-row.tsx';

/** The user's keys: seeing, naming and making them. The rest is the manager's. */
export function KeysView() {
  const { text, openManager } = useEnvironment();
  const { data, error, reload } = useQuery('ui.keys', {});
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
              <KeyRow key={key.ref} item={key} onChange={reload} />
            ))}
        </ul>
      )}
      <Button
        id="more-of-keys"
        variant="quiet"
        icon={<ExternalLink size={16} aria-hidden="true" class="mirror" />}
        onClick={() => openManager('keys')}
      >
        {text.t('keysMore')}
      </Button>
      <CreateKey onCreated={reload} />
    </View>
  );
}
