import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { KeyRound } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { CODE_USED_DRAFT, TypedCode } from '../../ui/hooks/use-unlock.ts';
import { NewPassphraseFields } from './new-passphrase-fields.tsx';
import { useNewPassphrase } from './use-new-passphrase.ts';

/** Whether a recovery code opened the vault, and no passphrase was chosen since. */
export interface CodeUsed {
  /** Undefined: not known yet. */
  readonly isUsed: boolean | undefined;
  readonly forget: () => void;
}

/** State of the reminder of a new passphrase. */
export function useCodeUsed(): CodeUsed {
  const { drafts } = useEnvironment();
  const [isUsed, setUsed] = useState<boolean>();
  useEffect(
    () => void drafts.get(CODE_USED_DRAFT).then((draft) => setUsed(draft !== undefined)),
    [drafts],
  );
  const forget = useCallback(() => {
    setUsed(false);
    void drafts.remove(CODE_USED_DRAFT);
  }, [drafts]);
  return { isUsed, forget };
}

interface CodeUsedReminderProps {
  /** Shows the form that changes the passphrase. */
  readonly onChoose: () => void;
  readonly onLater: () => void;
}

/**
 * After the vault was opened by a recovery code: the next step is a new passphrase. Where the code was typed in this page,
 * it is chosen here at once.
 */
export function CodeUsedReminder({ onChoose, onLater }: CodeUsedReminderProps) {
  const { text } = useEnvironment();
  const isTyped = useContext(TypedCode).current !== undefined;
  return (
    <aside class="reminder" id="code-used" aria-label={text.t('codeUsed')}>
      <Banner tone="warning" title={text.t('codeUsed')}>
        <p>{text.t('codeUsedWhy')}</p>
        {isTyped ? (
          <ChoosePassphrase onLater={onLater} />
        ) : (
          <div class="actions">
            <Button
              id="choose-passphrase"
              icon={<KeyRound size={16} aria-hidden="true" />}
              onClick={onChoose}
            >
              {text.t('newPassphrase')}
            </Button>
            <Later onLater={onLater} />
          </div>
        )}
      </Banner>
    </aside>
  );
}

type LaterProps = Pick<CodeUsedReminderProps, 'onLater'>;

function Later({ onLater }: LaterProps) {
  const text = useText();
  return (
    <Button variant="quiet" id="code-used-later" onClick={onLater}>
      {text.t('codeUsedLater')}
    </Button>
  );
}

/** Changes the passphrase by the code that was typed a moment ago. */
function ChoosePassphrase({ onLater }: LaterProps) {
  const { ui, text } = useEnvironment();
  const typedCode = useContext(TypedCode);
  const toast = useToast();
  const action = useAction();
  const passphrase = useNewPassphrase();
  const { first } = passphrase;
  // After the heading of the view below, which has taken it.
  useEffect(() => first.current?.focus(), [first]);
  const end = () => {
    typedCode.current = undefined;
    onLater();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      if (!(await passphrase.check())) return;
      const by = { passphrase: typedCode.current! };
      await ui.call('ui.changePassphrase', { by, passphrase: passphrase.value });
      passphrase.clear();
      toast(text.t('passphraseChanged'));
      end();
    });
  };
  return (
    <form class="stack" onSubmit={submit} aria-label={text.t('newPassphrase')}>
      <NewPassphraseFields
        id="after-code"
        label={text.t('newPassphrase')}
        hint={text.t('newPassphraseHint')}
        passphrase={passphrase}
      />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button id="change-after-code" type="submit" variant="primary" busy={action.busy}>
          {text.t('changePassphrase')}
        </Button>
        <Later onLater={end} />
      </div>
    </form>
  );
}
