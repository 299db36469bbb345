/*
 * Draws one scene, chosen by the address: stage.html#unlock,de. Bundled by scripts/screens.ts.
 */
import { render } from 'preact';
import de from '../../../../_locales/de/messages.json';
import en from '../../../../_locales/en/messages.json';
import zhCN from '../../../../_locales/zh_CN/messages.json';
import { App } from '../../../../extension/popup/app.tsx';
import { PromptEnvironmentProvider } from '../../../../extension/prompt/environment.ts';
import { PromptView } from '../../../../extension/prompt/prompt-view.tsx';
import { EnvironmentProvider } from '../../../../extension/ui/environment.ts';
import { applyLanguage } from '../../../../extension/ui/i18n.ts';
import { fakeEnvironment, type Scene } from './fake-environment.ts';
import type { Messages } from './read-messages.ts';
import { SCENES, type SceneName } from './scenes.ts';

const LOCALES: Readonly<Record<string, Messages>> = { en, de, zh_CN: zhCN };

const [name = '', locale = 'en'] = location.hash.slice(1).split(',');
const { page, ...scene }: Scene & { page: string } = SCENES[name as SceneName];
const environment = fakeEnvironment(LOCALES[locale]!, locale.replace('_', '-'), scene);
applyLanguage(document.documentElement, environment.text.language);

const prompt = {
  promptId: 'p1',
  openPopupPage: () => undefined,
  closeWindow: () => undefined,
};

render(
  <EnvironmentProvider value={environment}>
    {page === 'popup' ? (
      <App />
    ) : (
      <PromptEnvironmentProvider value={prompt}>
        <PromptView />
      </PromptEnvironmentProvider>
    )}
  </EnvironmentProvider>,
  document.getElementById('app')!,
);
