import { browser } from '../platform/browser.ts';
import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { PromptEnvironmentProvider, type PromptEnvironment } from '../prompt/environment.ts';
import { PromptApp } from '../prompt/prompt.tsx';

const prompt: PromptEnvironment = {
  promptId: new URLSearchParams(location.search).get('id') ?? '',
  openPopupPage: () =>
    void browser.tabs.create({ url: browser.runtime.getURL('popup.html?tab=0') }),
  closeWindow: () => window.close(),
};

mount(
  browserEnvironment(),
  <PromptEnvironmentProvider value={prompt}>
    <PromptApp />
  </PromptEnvironmentProvider>,
);
