import { useToast } from '../ui/components/announcer.tsx';
import { CheckField } from '../ui/components/forms/check-field.tsx';
import { ErrorBanner } from '../ui/components/banner.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { useQuery } from '../ui/hooks/use-query.ts';

/**
 * Setting: whether pointer movements on enabled sites feed the random generator. Off by default.
 */
export function SiteMovements() {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const { data, error, reload } = useQuery('ui.siteMovements', {});
  const choose = (on: boolean) =>
    action.run(async () => {
      await ui.call('ui.setSiteMovements', { on });
      toast(text.t('saved'));
      await reload();
    });
  return (
    <>
      {data && (
        <CheckField
          id="site-movements"
          label={text.t('siteMovements')}
          hint={text.t('siteMovementsHint')}
          checked={data.on}
          onChange={choose}
        />
      )}
      <ErrorBanner error={action.error ?? error} />
    </>
  );
}
