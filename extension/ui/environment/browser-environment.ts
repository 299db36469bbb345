import { PageEntropy } from '../../platform/entropy/page-entropy.ts';
import { ownPasskeys } from '../../platform/lock/passkeys.ts';
import { packagedMessages } from '../../platform/windows/chosen-words.ts';
import { extensionPage } from '../../platform/windows/extension-page.ts';
import { requestSync } from '../../platform/windows/sync-consent.ts';
import { workersHere } from '../../platform/workers/running-worker.ts';
import { WorkshopInstances } from '../../platform/workers/workshop-instances.ts';
import { SELF_TEST_ROWS } from '../../../src/rpc/self-test-rows.ts';
import type { Drafts, LocalValues, PageEnvironment } from './environment.ts';
import { formattingLanguage, Text, type GetMessage } from '../text/i18n.ts';
import { messageReader } from '../text/message-reader.ts';
import { ownPicture } from '../picture/own-picture.ts';
import type { Language } from './preferences.ts';
import { PortUiClient } from './port-ui-client.ts';
import type { UiClient } from './ui-client.ts';

/** The environment of a page in the browser. */
export function browserEnvironment(): PageEnvironment {
  const ui = new PortUiClient(extensionPage);
  const localValues = valuesOf(ui);
  const text = browserText();
  return {
    ui,
    text,
    loadText: async (language) => (language === 'auto' ? text : packagedText(language)),
    drafts: drafts(),
    localValues,
    picture: () => ownPicture(localValues, exclusive),
    passkeys: ownPasskeys,
    tabId,
    requestSite: extensionPage.requestSite,
    requestSync,
    openInTab: tabOfAddress() === null ? () => void openManager() : null,
    openManager: (screen) => void openManager(screen),
    forgetSession: extensionPage.forgetSession,
    storageUse: extensionPage.storageUse,
    ownFile: extensionPage.ownFile,
    shortcuts: extensionPage.shortcuts,
    openShortcutSettings: () => void extensionPage.openShortcutSettings(),
    workshop: new WorkshopInstances(workersHere(extensionPage.urlOf), SELF_TEST_ROWS),
    entropy: new PageEntropy(
      (params) => ui.call('ui.addEntropy', params),
      extensionPage.isPrivate(),
    ),
  };
}

const browserLanguage = (): string => extensionPage.uiLanguage();

function browserText(): Text {
  const getMessage: GetMessage = (name, values) => extensionPage.message(name, values);
  const messages = getMessage('localeTag', []) || 'en';
  return new Text(getMessage, formattingLanguage(messages, browserLanguage()));
}

/** The texts of a language that is not the browser's: its i18n API reads no other. */
async function packagedText(language: Exclude<Language, 'auto'>): Promise<Text> {
  const getMessage = messageReader(await packagedMessages(language, extensionPage.urlOf));
  return new Text(getMessage, formattingLanguage(getMessage('localeTag', []), browserLanguage()));
}

/** In `storage.session`: in the browser's memory, not accessible to content scripts. */
function drafts(): Drafts {
  const values = extensionPage.sessionValues();
  return {
    get: async (key) => {
      const value = await values.get(key);
      return typeof value === 'string' ? value : undefined;
    },
    set: (key, value) => values.set(key, value),
    remove: (key) => values.remove(key),
  };
}

/** In the background, for all windows: in Firefox, a page in a private window has its own storage. */
function valuesOf(ui: UiClient): LocalValues {
  return {
    get: async (name) => {
      const { json } = await ui.call('ui.pageValue', { name });
      return json === null ? undefined : (JSON.parse(json) as unknown);
    },
    set: async (name, value) => {
      await ui.call('ui.setPageValue', { name, json: JSON.stringify(value) });
    },
  };
}

function exclusive<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request('sealwright-ui', work);
}

/**
 * The tab of popup.html?tab=ID: the popup's page in a tab of its own, about the site in another.
 */
function tabOfAddress(): number | null {
  const tab = new URLSearchParams(location.search).get('tab');
  return tab !== null && /^\d+$/.test(tab) ? Number(tab) : null;
}

async function tabId(): Promise<number | null> {
  const fromAddress = tabOfAddress();
  if (fromAddress !== null) return fromAddress;
  return (await extensionPage.activeTabId()) ?? null;
}

/**
 * Shows the manager, in the tab that it has already. The popup closes; the popup's page in a tab stays.
 *
 * @param screen absent: as it was left
 */
async function openManager(screen?: string): Promise<void> {
  await extensionPage.showPage(screen === undefined ? 'manager.html' : `manager.html#${screen}`);
  if (tabOfAddress() === null) window.close();
}
