import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import type { PasskeyAccess } from '../ui/environment/environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { App } from '../popup/popup.tsx';

const environment = browserEnvironment();
const inATab = environment.openInTab === null;

/** A popup is too small for the browser's dialog: bitwarden/clients issue 4365. */
async function passkeys(): Promise<PasskeyAccess> {
  const access = await environment.passkeys();
  return access && (inATab ? access : 'in-a-tab');
}

mount({ ...environment, passkeys }, <App />);
