import type { ComponentChildren } from 'preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { SecretField } from './secret-field.tsx';
import { useSecret } from './use-secret.ts';

interface PassphraseConfirmProps {
  /** The id of the passphrase field, unique in the view. */
  readonly id: string;
  /** The question: what will be deleted, and what that entails. */
  readonly children: ComponentChildren;
  /** Label of the button. */
  readonly confirm: MessageKey;
  /** Shown after the work succeeded. */
  readonly announcement: MessageKey;
  /** The work, with the passphrase. Rejects with AUTH_FAILED for a wrong one. */
  readonly act: (by: { readonly passphrase: string }) => Promise<unknown>;
  readonly onKeep: () => void;
  readonly onChange: () => Promise<void>;
}

/** Asks for the vault's passphrase before something is deleted for good. */
export function PassphraseConfirm(props: PassphraseConfirmProps) {
  const { text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const secret = useSecret();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    action.run(async () => {
      const by = { passphrase: secret.value };
      const right = await secret.accepted(() => props.act(by));
      if (!right) return;
      toast(text.t(props.announcement));
      focusTitle();
      await props.onChange();
    });
  };
  return (
    <form class="confirm" onSubmit={submit}>
      {props.children}
      <SecretField id={props.id} label={text.t('currentPassphrase')} secret={secret} />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button onClick={props.onKeep}>{text.t('keep')}</Button>
        <Button type="submit" variant="danger" busy={action.busy}>
          {text.t(props.confirm)}
        </Button>
      </div>
    </form>
  );
}
