import type { ComponentChildren } from 'preact';
import { LifeBuoy } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { useQuery } from '../ui/hooks/use-query.ts';

/**
 * Stands above every screen, from the first run on, until there is a recovery code that works. One
 * reminder at a time: others wait for that.
 */
export function RecoveryReminder({ otherwise }: { readonly otherwise: ComponentChildren }) {
  const { text, openManager } = useEnvironment();
  const { data } = useQuery('ui.slots', {});
  const isDone = data?.some(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);
  if (data === undefined) return null;
  if (isDone) return <>{otherwise}</>;
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
