import { useText } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { AboutView } from '../views/about-view.tsx';
import { EntropyView, RandomnessRow } from './entropy/entropy-view.tsx';
import { KeysView } from './keys-view.tsx';
import { MoreView } from './more-view.tsx';
import type { Screen } from './navigation.tsx';
import { SelfTestView } from '../views/self-test/self-test-view.tsx';
import { SettingsView } from '../views/settings-view.tsx';
import { SiteView } from './site/site-view.tsx';
import { SitesView } from '../views/sites/sites-view.tsx';

interface ScreenViewProps {
  readonly screen: Screen;
  readonly state: UiState;
  readonly onShow: (screen: Screen) => void;
  readonly onChange: () => Promise<void>;
}

/** Renders a screen by its name. */
export function ScreenView({ screen, state, onShow, onChange }: ScreenViewProps) {
  const text = useText();
  const back = () => onShow('more');
  switch (screen) {
    case 'site':
      return <SiteView />;
    case 'sites':
      return <SitesView leadOn={{ label: text.t('navSite'), go: () => onShow('site') }} />;
    case 'keys':
      return <KeysView />;
    case 'more':
      return <MoreView onShow={onShow} />;
    case 'entropy':
      return <EntropyView onBack={() => onShow('settings')} />;
    case 'self-test':
      return <SelfTestView state={state} onBack={back} />;
    case 'settings':
      return (
        <SettingsView state={state} onBack={back} onChange={onChange}>
          <RandomnessRow onShow={() => onShow('entropy')} />
        </SettingsView>
      );
    case 'about':
      return <AboutView state={state} onBack={back} />;
  }
}
