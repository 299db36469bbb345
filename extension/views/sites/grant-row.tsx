import { Trash2 } from 'lucide-preact';
import { capabilityWords } from '../../ui/text/capability-words.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { UiGrant } from '../../ui/environment/ui-client.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { keyName } from '../../ui/text/key-facts.ts';

interface GrantRowProps {
  readonly grant: UiGrant;
  readonly onRevoked: () => Promise<void>;
}

/** One grant in plain words: which key, what for, until when, and the way to take it back. */
export function GrantRow({ grant, onRevoked }: GrantRowProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const name = keyName({ kind: grant.keyKind, label: plainText(grant.keyLabel, 80) }, text);
  const abilities = grant.capabilities.map((it) => text.t(capabilityWords(it).name));
  const revoke = () =>
    action.run(async () => {
      await ui.call('ui.revoke', { grantIds: [grant.id] });
      announce(text.t('revoked'));
      await onRevoked();
      focusTitle();
    });
  return (
    <li class="row grant">
      <div class="row-main">
        <p class="row-title">{name}</p>
        <p class="row-detail">{text.list(abilities)}</p>
        <p class="row-detail">{limits().join(' · ')}</p>
        <ErrorBanner error={action.error} />
      </div>
      <ConfirmButton
        label={text.t('revoke')}
        describe={text.t('revokeNamed', name)}
        question={text.t('revokeQuestion')}
        confirm={text.t('revoke')}
        busy={action.busy}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onConfirm={revoke}
      />
    </li>
  );

  function limits(): string[] {
    const { expiresAt, usesLeft, lastUsed } = grant;
    return [
      expiresAt === null ? text.t('noExpiry') : text.t('expires', text.relative(expiresAt)),
      ...(usesLeft === null ? [] : [text.plural('usesLeft', usesLeft)]),
      lastUsed === null ? text.t('neverUsed') : text.t('lastUsed', text.relative(lastUsed)),
    ];
  }
}
