import { CopyButton } from '../ui/components/buttons/copy-button.tsx';
import { Mark } from '../ui/picture/mark.tsx';
import { View } from '../ui/components/view.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';

interface AboutViewProps {
  readonly state: UiState;
  readonly onBack?: () => void;
}

/** What this is and promises, and the details that a bug report needs. */
export function AboutView({ state, onBack }: AboutViewProps) {
  const text = useText();
  const engines = state.engines.join(', ');
  const report = `Sealwright ${state.version}\n${navigator.userAgent}\nengines: ${engines}`;
  return (
    <View title={text.t('aboutTitle')} onBack={onBack}>
      <div class="about-head">
        <Mark size={48} />
        <p class="muted">{text.t('version', state.version)}</p>
      </div>
      <p>{text.t('aboutWhat')}</p>
      <h2>{text.t('aboutPromises')}</h2>
      <ul class="plain-list">
        <li>{text.t('promiseKeys')}</li>
        <li>{text.t('promiseNetwork')}</li>
        <li>{text.t('promiseAsk')}</li>
        <li>{text.t('promiseLimit')}</li>
      </ul>
      <dl class="facts">
        <dt>{text.t('aboutEngines')}</dt>
        <dd>{engines}</dd>
        {state.created !== null && (
          <>
            <dt>{text.t('aboutVaultCreated')}</dt>
            <dd>{text.date(state.created)}</dd>
          </>
        )}
        <dt>{text.t('aboutLicence')}</dt>
        <dd>Apache-2.0</dd>
      </dl>
      <CopyButton value={report} label={text.t('copy')} />
    </View>
  );
}
