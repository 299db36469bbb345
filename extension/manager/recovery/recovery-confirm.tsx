import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { GROUP_SYMBOLS, groupsToConfirm, withTyped } from './recovery-groups.ts';

interface RecoveryConfirmProps {
  readonly code: string;
  readonly onBack: () => void;
  readonly onConfirmed: () => Promise<void>;
}

/**
 * The user types some groups of the code back from paper. They replace the groups in the code, and
 * the background tries to open the vault with the result, so the code on paper is what is checked.
 */
export function RecoveryConfirm({ code, onBack, onConfirmed }: RecoveryConfirmProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const groups = useMemo(() => groupsToConfirm((target) => crypto.getRandomValues(target)), []);
  const [typed, setTyped] = useState<readonly string[]>(groups.map(() => ''));
  const [wrong, setWrong] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const type = (place: number, value: string) => {
    setWrong(false);
    setTyped(typed.map((old, index) => (index === place ? value : old)));
    const next = form.current?.querySelector<HTMLInputElement>(`#recovery-group-${place + 1}`);
    // Only where a symbol was added: who corrects a group stays in it.
    const isFull = value.trim().length >= GROUP_SYMBOLS && value.length > typed[place]!.length;
    if (isFull && next?.value === '') next.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      try {
        await ui.call('ui.confirmRecoveryCode', { code: withTyped(code, groups, typed) });
      } catch (error) {
        if (errorCode(error) !== 'AUTH_FAILED') throw error;
        setWrong(true);
        form.current?.querySelector('input')?.focus();
        return;
      }
      await onConfirmed();
    });
  };
  return (
    <form class="stack" ref={form} onSubmit={submit}>
      <p>{text.t('recoveryConfirmLead')}</p>
      <div class="code-fields">
        {groups.map((group, place) => (
          <TextField
            key={group}
            id={`recovery-group-${place}`}
            label={text.t('recoveryGroup', group + 1)}
            value={typed[place]!}
            maxLength={8}
            error={wrong && place === 0 ? text.t('recoveryWrong') : undefined}
            onInput={(value) => type(place, value)}
          />
        ))}
      </div>
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button onClick={onBack}>{text.t('recoveryShowAgain')}</Button>
        <Button id="confirm-recovery-code" type="submit" variant="primary" busy={action.busy}>
          {text.t('recoveryConfirm')}
        </Button>
      </div>
    </form>
  );
}
