import { browser } from '../platform/browser.ts';
import { browserEnvironment } from '../ui/browser-environment.ts';
import { mount } from '../ui/mount.tsx';
import { PromptEnvironmentProvider, type PromptEnvironment } from './environment.ts';
import { PromptView } from './prompt-view.tsx';

const prompt: PromptEnvironment = {
  promptId: new URLSearchParams(location.search).get('id') ?? '',
  openPopupPage: () =>
    void browser.tabs.create({ url: browser.runtime.getURL('popup.html?tab=0') }),
  closeWindow: () => window.close(),
};

mount(
  browserEnvironment(),
  <PromptEnvironmentProvider value={prompt}>
    <PromptView />
  </PromptEnvironmentProvider>,
);
