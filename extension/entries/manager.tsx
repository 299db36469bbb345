import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { extensionPage } from '../platform/windows/extension-page.ts';
import { removeLeftFiles } from '../platform/storage/temporary-files.ts';
import { ManagerApp } from '../manager/manager.tsx';

void removeLeftFiles();
extensionPage.reportEnd();
// It is in a tab already: the header offers no other.
mount({ ...browserEnvironment(), openInTab: null }, <ManagerApp />);
