import type { ComponentChildren } from 'preact';
import { useToast } from '../ui/components/announcer.tsx';
import { Advanced } from '../ui/components/advanced.tsx';
import { ErrorBanner } from '../ui/components/banner.tsx';
import { Select } from '../ui/components/forms/select.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { LANGUAGES, THEMES, type Language, type Theme } from '../ui/environment/preferences.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { EngineFacts } from './engine-facts.tsx';
import { GraphicsCard } from './graphics-card.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SiteMovements } from './site-movements.tsx';
import { StorageFacts } from './storage-facts.tsx';

const MINUTE = 60_000;
const AUTO_LOCK_CHOICES = [1, 5, 15, 30, 60, 240, 480].map((minutes) => minutes * MINUTE);

const THEME_NAMES = {
  system: 'themeSystem',
  light: 'themeLight',
  dark: 'themeDark',
} as const satisfies Record<Theme, MessageKey>;

interface SettingsViewProps {
  readonly state: UiState;
  readonly onBack?: () => void;
  readonly onChange: () => Promise<void>;
  /** More for people who want to look closer, below the last heading. */
  readonly children?: ComponentChildren;
}

/** Settings: language, colours, the automatic lock and shortcuts; and what few people change. */
export function SettingsView({ state, onBack, onChange, children }: SettingsViewProps) {
  const { text } = useEnvironment();
  return (
    <View title={text.t('settingsTitle')} onBack={onBack}>
      <Appearance />
      <AutoLock state={state} onChange={onChange} />
      <Shortcuts />
      <Advanced id="advanced">
        <SiteMovements />
        <GraphicsCard />
        {children}
        <StorageFacts state={state} />
        <EngineFacts />
      </Advanced>
    </View>
  );
}

/** Language and colours of the extension's own pages. */
function Appearance() {
  const { text, preferences, choose } = useEnvironment();
  // One for each list: a choice in one does not wait for the other.
  const [ofLanguage, ofTheme] = [useAction(), useAction()];
  const languages = [
    { value: 'auto', label: text.t('languageAuto') },
    ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
  ];
  return (
    <>
      <Select
        id="language"
        label={text.t('language')}
        value={preferences.language}
        options={languages}
        onChange={(language) => ofLanguage.run(() => choose({ language: language as Language }))}
      />
      <Select
        id="theme"
        label={text.t('theme')}
        value={preferences.theme}
        options={THEMES.map((value) => ({ value, label: text.t(THEME_NAMES[value]) }))}
        onChange={(theme) => ofTheme.run(() => choose({ theme }))}
      />
      <ErrorBanner error={ofLanguage.error ?? ofTheme.error} />
    </>
  );
}

function AutoLock({ state, onChange }: Pick<SettingsViewProps, 'state' | 'onChange'>) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const choices = [...new Set([...AUTO_LOCK_CHOICES, state.autoLockMs])].sort((a, b) => a - b);
  const change = (autoLockMs: number) =>
    action.run(async () => {
      await ui.call('ui.setAutoLock', { autoLockMs });
      toast(text.t('saved'));
      await onChange();
    });
  return (
    <>
      <Select
        id="auto-lock"
        label={text.t('autoLock')}
        hint={text.t('autoLockHint')}
        value={String(state.autoLockMs)}
        options={choices.map((ms) => ({ value: String(ms), label: text.duration(ms) }))}
        onChange={(ms) => change(Number(ms))}
      />
      {state.lockAt !== null && (
        <p class="muted" id="lock-at">
          {text.t('locksIn', text.relative(state.lockAt))}
        </p>
      )}
      <ErrorBanner error={action.error} />
    </>
  );
}
