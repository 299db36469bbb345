import { browser } from '../platform/browser.ts';
import { extensionPage } from '../platform/windows/extension-page.ts';
import { WELCOME_PAGE } from '../platform/windows/welcome.ts';
import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { PromptEnvironmentProvider, type PromptEnvironment } from '../prompt/environment.ts';
import { PromptApp } from '../prompt/prompt.tsx';

const prompt: PromptEnvironment = {
  promptId: new URLSearchParams(location.search).get('id') ?? '',
  openWelcome: () => void browser.tabs.create({ url: browser.runtime.getURL(WELCOME_PAGE) }),
  closeWindow: () => void extensionPage.closeWindow(),
};

mount(
  browserEnvironment(),
  <PromptEnvironmentProvider value={prompt}>
    <PromptApp />
  </PromptEnvironmentProvider>,
);
