import { ChevronRight, ExternalLink, Gauge, Info, Settings, Vault } from 'lucide-preact';
import { View } from '../ui/components/view.tsx';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { SCREENS, type Screen } from './navigation.tsx';

const ENTRIES = [
  { screen: 'settings', detail: 'settingsDetail', Icon: Settings },
  { screen: 'self-test', detail: 'selfTestDetail', Icon: Gauge },
  { screen: 'about', detail: 'aboutDetail', Icon: Info },
] as const satisfies readonly { screen: Screen; detail: MessageKey; Icon: unknown }[];

/** The list of further screens, with the manager first. */
export function MoreView({ onShow }: { readonly onShow: (screen: Screen) => void }) {
  const text = useText();
  return (
    <View title={text.t('navMore')}>
      <ul class="rows">
        <li>
          <ManagerRow />
        </li>
        {ENTRIES.map(({ screen, detail, Icon }) => (
          <li key={screen}>
            <button
              type="button"
              class="row row-button"
              id={`open-${screen}`}
              onClick={() => onShow(screen)}
            >
              <Icon size={20} aria-hidden="true" />
              <span class="row-main">
                <span class="row-title">{text.t(SCREENS[screen].title)}</span>
                <span class="row-detail">{text.t(detail)}</span>
              </span>
              <ChevronRight size={18} aria-hidden="true" class="mirror" />
            </button>
          </li>
        ))}
      </ul>
    </View>
  );
}

/** A button that opens the manager at its home. */
export function ManagerRow() {
  const { text, openManager } = useEnvironment();
  return (
    <button
      type="button"
      class="row row-button"
      id="open-manager"
      onClick={() => openManager('home')}
    >
      <Vault size={20} aria-hidden="true" />
      <span class="row-main">
        <span class="row-title">{text.t('openManager')}</span>
        <span class="row-detail">{text.t('openManagerDetail')}</span>
      </span>
      <ExternalLink size={18} aria-hidden="true" class="mirror" />
    </button>
  );
}
