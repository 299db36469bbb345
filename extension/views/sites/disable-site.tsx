import { PowerOff } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import type { UiSiteSummary } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { withKeysEnd } from './persistent-keys.tsx';

interface DisableSiteProps {
  readonly pattern: string;
  /** Its permissions end, and its keys by reference with them. */
  readonly site: Pick<UiSiteSummary, 'grants' | 'persistentKeys'>;
  readonly onDisabled: () => Promise<void>;
}

/** Disables a site: the action, and the question to be answered first. */
export function useDisableSite({ pattern, site, onDisabled }: DisableSiteProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const disable = () =>
    action.run(async () => {
      await ui.call('ui.disableSite', { pattern });
      toast(text.t('siteDisabled'));
      focusTitle();
      await onDisabled();
    });
  const { grants, persistentKeys } = site;
  const hasAppKey = grants.some(({ keyKind }) => keyKind === 'app');
  const question =
    grants.length > 0
      ? withKeysEnd(
          text.plural('disableQuestion', grants.length),
          hasAppKey ? persistentKeys : 0,
          text,
        )
      : text.t('disableQuestionPlain');
  return { action, disable, question };
}

/** A button that disables a site, after a question. */
export function DisableSite(props: DisableSiteProps) {
  const { text } = useEnvironment();
  const { action, disable, question } = useDisableSite(props);
  return (
    <div class="disable-site">
      <ErrorBanner error={action.error} />
      <ConfirmButton
        label={text.t('disableSite')}
        describe={text.t('disableSite')}
        question={question}
        confirm={text.t('disableConfirm')}
        busy={action.busy}
        icon={<PowerOff size={16} aria-hidden="true" />}
        onConfirm={disable}
      />
    </div>
  );
}
