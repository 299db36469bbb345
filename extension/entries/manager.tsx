import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { ManagerApp } from '../manager/manager.tsx';

// It is in a tab already: the header offers no other.
mount({ ...browserEnvironment(), openInTab: null }, <ManagerApp />);
