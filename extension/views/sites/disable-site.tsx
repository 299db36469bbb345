import { PowerOff } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';

interface DisableSiteProps {
  readonly pattern: string;
  /** Named in the accessible name, where several sites are listed. */
  readonly host?: string;
  /** How many permissions of the site end. */
  readonly grants: number;
  readonly onDisabled: () => Promise<void>;
}

/** A button that disables a site, after a question. */
export function DisableSite({ pattern, host, grants, onDisabled }: DisableSiteProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const disable = () =>
    action.run(async () => {
      await ui.call('ui.disableSite', { pattern });
      toast(text.t('siteDisabled'));
      await onDisabled();
      focusTitle();
    });
  return (
    <div class="disable-site">
      <ErrorBanner error={action.error} />
      <ConfirmButton
        label={text.t(host === undefined ? 'disableSite' : 'disableConfirm')}
        describe={host === undefined ? text.t('disableSite') : text.t('disableSiteNamed', host)}
        question={
          grants > 0 ? text.plural('disableQuestion', grants) : text.t('disableQuestionPlain')
        }
        confirm={text.t('disableConfirm')}
        busy={action.busy}
        icon={<PowerOff size={16} aria-hidden="true" />}
        onConfirm={disable}
      />
    </div>
  );
}
