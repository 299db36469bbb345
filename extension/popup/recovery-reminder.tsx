import { LifeBuoy } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';

/** Stands above every screen, from the first run on, until there is a recovery code that works. */
export function RecoveryReminder() {
  const { text, openManager } = useEnvironment();
  return (
    <aside class="reminder" aria-label={text.t('recoveryReminder')}>
      <Banner tone="warning" title={text.t('recoveryReminder')}>
        <p>{text.t('recoveryWhy')}</p>
        <Button
          id="open-recovery"
          icon={<LifeBuoy size={16} aria-hidden="true" />}
          onClick={() => openManager('security')}
        >
          {text.t('recoveryMake')}
        </Button>
      </Banner>
    </aside>
  );
}
