import { useState } from 'preact/hooks';
import { BadgeCheck, Trash2, User } from 'lucide-preact';
import type { OwnSharingKey, SurfaceContact } from '../../src/rpc/surface-contacts.ts';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ConfirmButton } from '../ui/components/confirm-button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { focusTitle } from '../ui/focus-title.ts';
import { useAction } from '../ui/use-action.ts';
import { CompareWords } from './compare-words.tsx';

interface ContactRowProps {
  readonly contact: SurfaceContact;
  readonly own: OwnSharingKey | undefined;
  readonly onChange: () => Promise<void>;
}

export function ContactRow({ contact, own, onChange }: ContactRowProps) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [comparing, setComparing] = useState(false);
  const { id, name, verified } = contact;
  const verify = () =>
    action.run(async () => {
      await surface.call('ui.changeContact', { id, verified: true });
      setComparing(false);
      announce(text.t('contactVerified', text.date(Date.now())));
      await onChange();
    });
  const remove = () =>
    action.run(async () => {
      await surface.call('ui.removeContact', { id });
      announce(text.t('contactRemoved'));
      focusTitle();
      await onChange();
    });
  const Icon = verified === null ? User : BadgeCheck;
  return (
    <li class="row">
      <Icon size={20} aria-hidden="true" />
      <div class="row-main">
        <p class="row-title">{name}</p>
        <p class="row-detail">
          {verified === null
            ? text.t('contactUnverified')
            : text.t('contactVerified', text.date(verified))}
        </p>
      </div>
      {own && (
        <Button
          variant="quiet"
          aria-expanded={comparing}
          aria-label={text.t('contactCompareNamed', name)}
          onClick={() => setComparing(!comparing)}
        >
          {text.t('contactCompare')}
        </Button>
      )}
      <ConfirmButton
        label={text.t('contactRemove')}
        describe={text.t('contactRemoveNamed', name)}
        question={text.t('contactRemoveQuestion', name)}
        confirm={text.t('contactRemove')}
        busy={action.busy}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onConfirm={remove}
      />
      <ErrorBanner error={action.error} />
      {comparing && own && (
        <CompareWords contact={contact} own={own} busy={action.busy} onMatch={verify} />
      )}
    </li>
  );
}
