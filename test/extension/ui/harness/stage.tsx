/*
 * Renders one scene, named in the address: popup.html?unlock,de. Bundled by scripts/screens.ts.
 */
import ar from '../../../../_locales/ar/messages.json';
import de from '../../../../_locales/de/messages.json';
import en from '../../../../_locales/en/messages.json';
import zhCN from '../../../../_locales/zh_CN/messages.json';
import { FieldSessionEnvironmentProvider } from '../../../../extension/fields-window/environment.ts';
import { FieldsWindowApp } from '../../../../extension/fields-window/fields-window.tsx';
import { ManagerApp } from '../../../../extension/manager/manager.tsx';
import { PopupApp } from '../../../../extension/popup/popup.tsx';
import { PromptEnvironmentProvider } from '../../../../extension/prompt/environment.ts';
import { PromptApp } from '../../../../extension/prompt/prompt.tsx';
import { mount } from '../../../../extension/ui/environment/mount.tsx';
import { Components } from './components.tsx';
import { fakeEnvironment, type Scene } from './fake-environment.ts';
import type { Messages } from '../../../../extension/platform/windows/chosen-words.ts';
import { SCENES, type SceneName } from './scenes.ts';

const LOCALES: Readonly<Record<string, Messages>> = { en, de, zh_CN: zhCN, ar };

const [name = '', locale = 'en'] = location.search.slice(1).split(',');
const { page, ...scene }: Scene & { page: string } = SCENES[name as SceneName];
const environment = fakeEnvironment(LOCALES[locale]!, locale.replace('_', '-'), scene);

const prompt = {
  promptId: 'p1',
  openWelcome: () => undefined,
  closeWindow: () => undefined,
};

const fieldSession = {
  sessionId: 'v1',
  isStopped: name.startsWith('fields-stopped'),
  closeWindow: () => undefined,
  reloadPages: () => Promise.resolve(),
};

const view =
  name === 'components' ? (
    <Components />
  ) : page === 'popup' ? (
    <PopupApp />
  ) : page === 'manager' ? (
    <ManagerApp />
  ) : page === 'fields-window' ? (
    <FieldSessionEnvironmentProvider value={fieldSession}>
      <FieldsWindowApp />
    </FieldSessionEnvironmentProvider>
  ) : (
    <PromptEnvironmentProvider value={prompt}>
      <PromptApp />
    </PromptEnvironmentProvider>
  );

// For scripts that check the calls to the background.
Object.assign(globalThis, { calls: environment.ui.calls });
const inWindow = page === 'manager' || page === 'fields-window';
mount(inWindow ? { ...environment, openInTab: null } : environment, view);
