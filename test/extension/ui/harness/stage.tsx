/*
 * Draws one scene, chosen by the address: popup.html?unlock,de. Bundled by scripts/screens.ts.
 */
import ar from '../../../../_locales/ar/messages.json';
import de from '../../../../_locales/de/messages.json';
import en from '../../../../_locales/en/messages.json';
import zhCN from '../../../../_locales/zh_CN/messages.json';
import { VisitEnvironmentProvider } from '../../../../extension/fields-window/environment.ts';
import { FieldsApp } from '../../../../extension/fields-window/fields-window.tsx';
import { ManagerApp } from '../../../../extension/manager/manager.tsx';
import { App } from '../../../../extension/popup/popup.tsx';
import { PromptEnvironmentProvider } from '../../../../extension/prompt/environment.ts';
import { PromptView } from '../../../../extension/prompt/prompt.tsx';
import { mount } from '../../../../extension/ui/environment/mount.tsx';
import { fakeEnvironment, type Scene } from './fake-environment.ts';
import type { Messages } from './read-messages.ts';
import { SCENES, type SceneName } from './scenes.ts';

const LOCALES: Readonly<Record<string, Messages>> = { en, de, zh_CN: zhCN, ar };

const [name = '', locale = 'en'] = location.search.slice(1).split(',');
const { page, ...scene }: Scene & { page: string } = SCENES[name as SceneName];
const environment = fakeEnvironment(LOCALES[locale]!, locale.replace('_', '-'), scene);

const prompt = {
  promptId: 'p1',
  openPopupPage: () => undefined,
  closeWindow: () => undefined,
};

const visit = {
  visitId: 'v1',
  isStopped: name.startsWith('fields-stopped'),
  closeWindow: () => undefined,
};

const view =
  page === 'popup' ? (
    <App />
  ) : page === 'manager' ? (
    <ManagerApp />
  ) : page === 'fields-window' ? (
    <VisitEnvironmentProvider value={visit}>
      <FieldsApp />
    </VisitEnvironmentProvider>
  ) : (
    <PromptEnvironmentProvider value={prompt}>
      <PromptView />
    </PromptEnvironmentProvider>
  );

// For scripts that look at what was asked of the background.
Object.assign(globalThis, { calls: environment.surface.calls });
const inWindow = page === 'manager' || page === 'fields-window';
mount(inWindow ? { ...environment, openInTab: null } : environment, view);
