import { Trash2 } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

interface SiteDecoysProps {
  readonly origin: string;
  readonly count: number;
  readonly onForgotten: () => Promise<void>;
}

/** How many decoys a site has, and a button that forgets them after a question: a site may have 64. */
export function SiteDecoys({ origin, count, onForgotten }: SiteDecoysProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  if (count === 0) return null;
  const title = text.t('decoysTitle', count);
  const forget = () =>
    action.run(async () => {
      await ui.call('ui.forgetDecoys', { origin });
      announce(text.t('decoysForgotten'));
      await onForgotten();
      focusTitle();
    });
  return (
    <div class="row site-decoys">
      <div class="row-main">
        <p class="row-title">{title}</p>
        <p class="row-detail">{text.t('decoysHint')}</p>
        <ErrorBanner error={action.error} />
      </div>
      <ConfirmButton
        label={text.t('decoysForget')}
        describe={`${text.t('decoysForget')}: ${title}`}
        question={text.t('decoysQuestion')}
        confirm={text.t('decoysForget')}
        busy={action.busy}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onConfirm={forget}
      />
    </div>
  );
}
