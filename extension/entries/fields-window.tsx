import { patternOf } from '../../src/service/ports/sites.ts';
import { extensionPage } from '../platform/windows/extension-page.ts';
import { fitWindow } from '../platform/windows/fitted-window.ts';
import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import {
  FieldSessionEnvironmentProvider,
  type FieldSessionEnvironment,
} from '../fields-window/environment.ts';
import { FieldsWindowApp } from '../fields-window/fields-window.tsx';

const address = new URLSearchParams(location.search);
const session: FieldSessionEnvironment = {
  sessionId: address.get('visit') ?? '',
  isStopped: address.has('stopped'),
  closeWindow: () => void extensionPage.closeWindow(),
  reloadPages: (origin) => extensionPage.reloadPages(patternOf(origin)),
};

void fitWindow(document.getElementById('app')!);
mount(
  { ...browserEnvironment(), openInTab: null },
  <FieldSessionEnvironmentProvider value={session}>
    <FieldsWindowApp />
  </FieldSessionEnvironmentProvider>,
);
