import { browserEnvironment } from '../ui/browser-environment.ts';
import { mount } from '../ui/mount.tsx';
import { App } from './app.tsx';

mount(browserEnvironment(), <App />);
