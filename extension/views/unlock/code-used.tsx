import { useCallback, useEffect, useState } from 'preact/hooks';
import { KeyRound } from 'lucide-preact';
import { Banner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { CODE_USED_DRAFT } from '../../ui/hooks/use-unlock.ts';

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

/** After the vault was opened by a recovery code: the next step is a new passphrase. */
export function CodeUsedReminder({ onChoose, onLater }: CodeUsedReminderProps) {
  const { text } = useEnvironment();
  return (
    <aside class="reminder" id="code-used" aria-label={text.t('codeUsed')}>
      <Banner tone="warning" title={text.t('codeUsed')}>
        <p>{text.t('codeUsedWhy')}</p>
        <div class="actions">
          <Button
            id="choose-passphrase"
            icon={<KeyRound size={16} aria-hidden="true" />}
            onClick={onChoose}
          >
            {text.t('newPassphrase')}
          </Button>
          <Button variant="quiet" id="code-used-later" onClick={onLater}>
            {text.t('codeUsedLater')}
          </Button>
        </div>
      </Banner>
    </aside>
  );
}
