import type { UiFieldSession } from '../../src/rpc/methods/ui-fields.ts';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { OriginName } from '../ui/components/origin-name.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { useFieldSessionEnvironment } from './environment.ts';

type Reason = NonNullable<UiFieldSession['reason']>;

/** What to do next, while the vault is unlocked. */
const WORDS: Readonly<Record<Reason, MessageKey>> = {
  locked: 'stoppedUnlocked',
  'no-key': 'stoppedNoKey',
  'too-long': 'stoppedTooLong',
  refused: 'stoppedRefused',
  'too-large': 'stoppedFailed',
  failed: 'stoppedFailed',
};

/** Why a form with an always-sealed field was not sent, and what to do about it. */
export function StoppedView({ session }: { readonly session: UiFieldSession }) {
  const { text, openManager } = useEnvironment();
  const { closeWindow } = useFieldSessionEnvironment();
  const reason = session.reason ?? 'failed';
  const lacksKey = reason === 'no-key';
  return (
    <View title={text.t('stoppedTitle')}>
      {session.origin !== null && <OriginName origin={session.origin} />}
      <Banner tone={reason === 'locked' ? 'good' : 'warning'} id={`stopped-${reason}`}>
        <p>{text.t(WORDS[reason])}</p>
      </Banner>
      <div class="actions">
        {lacksKey && (
          <Button id="stopped-sites" variant="primary" onClick={() => openManager('sites')}>
            {text.t('navSites')}
          </Button>
        )}
        <Button id="done" variant={lacksKey ? 'plain' : 'primary'} onClick={closeWindow}>
          {text.t('close')}
        </Button>
      </div>
    </View>
  );
}
