import { ChevronRight, LifeBuoy } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { useText } from '../../ui/environment/environment.ts';

/** Whether the user has typed a recovery code back. */
export const hasConfirmedCode = (slots: Readonly<ResultOf<'ui.slots'>>): boolean =>
  slots.some(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);

interface RecoveryReminderProps {
  /** Shows where a recovery code is made. */
  readonly onOpen: () => void;
}

/** Shown until there is a confirmed recovery code. The first run has said why. */
export function RecoveryReminder({ onOpen }: RecoveryReminderProps) {
  const text = useText();
  return (
    <aside class="reminder" aria-label={text.t('recoveryReminder')}>
      <button type="button" class="reminder-line" id="open-recovery" onClick={onOpen}>
        <LifeBuoy size={18} aria-hidden="true" />
        <span class="grow">{text.t('recoveryReminder')}</span>
        <ChevronRight size={18} aria-hidden="true" class="mirror" />
      </button>
    </aside>
  );
}
