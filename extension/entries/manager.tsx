import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { extensionPage } from '../platform/windows/extension-page.ts';
import { removeLeftFiles } from '../platform/storage/temporary-files.ts';
import { ManagerApp } from '../manager/manager.tsx';

void removeLeftFiles();
extensionPage.reportEnd();
// Already in a tab: the header has no "open in tab", and another screen is shown here, where `openManager` of windows would
// close the tab.
const openManager = (screen: string) => {
  location.hash = screen;
};
mount({ ...browserEnvironment(), openInTab: null, openManager }, <ManagerApp />);
