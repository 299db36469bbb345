import { browser } from '../../platform/browser.ts';
import { ownPasskeys } from '../../platform/lock/passkeys.ts';
import { connectToBackground } from '../../platform/channels/runtime-channel.ts';
import type { Drafts, Environment, LocalValues } from './environment.ts';
import { formattingLanguage, Text, type GetMessage } from '../text/i18n.ts';
import { ownPicture } from '../picture/own-picture.ts';
import { PortUiClient } from './port-ui-client.ts';

/** Sets what the views keep apart from the vault and the grants in the same areas. */
const PREFIX = 'ui.';

/** The environment of a real extension page. */
export function browserEnvironment(): Environment {
  return {
    ui: new PortUiClient({ connect: () => connectToBackground(browser.runtime) }),
    text: browserText(),
    drafts: drafts(),
    localValues: localValues(),
    picture: () => ownPicture(localValues(), exclusive),
    passkeys: ownPasskeys,
    tabId,
    requestSite: (pattern) => browser.permissions.request({ origins: [pattern] }),
    openInTab: tabOfAddress() === null ? () => void moveToTab() : null,
    openManager: (screen) => void openManager(screen),
    startSelfTestWorker: () => new Worker(browser.runtime.getURL('self-test-worker.js')),
  };
}

function browserText(): Text {
  const getMessage: GetMessage = (name, values) => browser.i18n.getMessage(name, values);
  const messages = getMessage('localeTag', []) || 'en';
  return new Text(getMessage, formattingLanguage(messages, browser.i18n.getUILanguage()));
}

/** `storage.session`: memory of the browser, closed to content scripts. */
function drafts(): Drafts {
  const area = browser.storage.session;
  return {
    get: async (key) => {
      const value = (await area.get(PREFIX + key))[PREFIX + key];
      return typeof value === 'string' ? value : undefined;
    },
    set: (key, value) => area.set({ [PREFIX + key]: value }),
    remove: (key) => area.remove(PREFIX + key),
  };
}

function localValues(): LocalValues {
  const area = browser.storage.local;
  return {
    get: async (key) => (await area.get(PREFIX + key))[PREFIX + key],
    set: (key, value) => area.set({ [PREFIX + key]: value }),
  };
}

function exclusive<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request('sealwright-ui', work);
}

/** popup.html?tab=ID: in a tab of its own, about the site in another. */
function tabOfAddress(): number | null {
  const tab = new URLSearchParams(location.search).get('tab');
  return tab !== null && /^\d+$/.test(tab) ? Number(tab) : null;
}

async function tabId(): Promise<number | null> {
  const named = tabOfAddress();
  if (named !== null) return named;
  const [active] = await browser.tabs.query({ active: true, currentWindow: true });
  return active?.id ?? null;
}

/** In place of the popup; from a tab, beside it. */
async function openManager(screen: string): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL(`manager.html#${screen}`) });
  if (tabOfAddress() === null) window.close();
}

async function moveToTab(): Promise<void> {
  const tab = (await tabId()) ?? 0;
  await browser.tabs.create({ url: browser.runtime.getURL(`popup.html?tab=${tab}`) });
  window.close();
}
