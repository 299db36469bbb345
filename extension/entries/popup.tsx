import { extensionPage } from '../platform/windows/extension-page.ts';
import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import type { PasskeyAccess } from '../ui/environment/environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { PopupApp } from '../popup/popup.tsx';

const environment = browserEnvironment();
const inATab = environment.openInTab === null;

/** A popup is too small for the browser's dialog: bitwarden/clients issue 4365. */
async function passkeys(): Promise<PasskeyAccess> {
  const access = await environment.passkeys();
  return access && (inATab ? access : 'in-a-tab');
}

// The browser makes a popup as wide as it asks to be. Firefox for Android has none: there it is a tab of the width of
// the screen.
void extensionPage
  .isTab()
  .then((isTab) => document.documentElement.classList.toggle('tab-page', isTab));

mount({ ...environment, passkeys }, <PopupApp />);
