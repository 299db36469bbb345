import { useToast } from '../ui/components/announcer.tsx';
import { ErrorBanner } from '../ui/components/banner.tsx';
import { Select } from '../ui/components/forms/select.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { SiteMovements } from './site-movements.tsx';

const MINUTE = 60_000;
const AUTO_LOCK_CHOICES = [1, 5, 15, 30, 60, 240, 480].map((minutes) => minutes * MINUTE);

interface SettingsViewProps {
  readonly state: UiState;
  readonly onBack?: () => void;
  readonly onChange: () => Promise<void>;
}

/** Settings: the time of the automatic lock, and pointer movements on sites. */
export function SettingsView({ state, onBack, onChange }: SettingsViewProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const choices = [...new Set([...AUTO_LOCK_CHOICES, state.autoLockMs])].sort((a, b) => a - b);
  const choose = (autoLockMs: number) =>
    action.run(async () => {
      await ui.call('ui.setAutoLock', { autoLockMs });
      toast(text.t('saved'));
      await onChange();
    });
  return (
    <View title={text.t('settingsTitle')} onBack={onBack}>
      <Select
        id="auto-lock"
        label={text.t('autoLock')}
        hint={text.t('autoLockHint')}
        value={String(state.autoLockMs)}
        options={choices.map((ms) => ({ value: String(ms), label: text.duration(ms) }))}
        onChange={(ms) => choose(Number(ms))}
      />
      {state.lockAt !== null && (
        <p class="muted" id="lock-at">
          {text.t('locksIn', text.relative(state.lockAt))}
        </p>
      )}
      <ErrorBanner error={action.error} />
      <SiteMovements />
    </View>
  );
}
