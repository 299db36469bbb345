import { browserEnvironment } from '../ui/browser-environment.ts';
import { mount } from '../ui/mount.tsx';
import { ManagerApp } from './manager-app.tsx';

// It is in a tab already: the header offers no other.
mount({ ...browserEnvironment(), openInTab: null }, <ManagerApp />);
