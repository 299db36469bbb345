import { ExternalLink } from 'lucide-preact';
import { Button } from '../ui/components/buttons/button.tsx';
import { KeysInUse } from '../ui/components/keys-in-use.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { CreateKey } from '../views/create-key.tsx';
import { KeyRow } from './key-row.tsx';

/** The user's keys: list, rename, create. The manager has everything else. */
export function KeysView() {
  const { text, openManager } = useEnvironment();
  const keys = useQuery('ui.keys', {});
  return (
    <View title={text.t('keysTitle')}>
      <KeysInUse
        keys={keys}
        row={(key) => <KeyRow key={key.ref} item={key} onChange={keys.reload} />}
      >
        <Button
          id="more-of-keys"
          variant="quiet"
          icon={<ExternalLink size={16} aria-hidden="true" class="mirror" />}
          onClick={() => openManager('keys')}
        >
          {text.t('keysMore')}
        </Button>
        <CreateKey onCreated={keys.reload} />
      </KeysInUse>
    </View>
  );
}
