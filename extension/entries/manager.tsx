import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { extensionPage } from '../platform/windows/extension-page.ts';
import { removeLeftFiles } from '../platform/storage/temporary-files.ts';
import { ManagerApp } from '../manager/manager.tsx';

void removeLeftFiles();
extensionPage.reportEnd();
// Already in a tab, so the header has no "open in tab".
mount({ ...browserEnvironment(), openInTab: null }, <ManagerApp />);
