import { browserEnvironment } from '../ui/environment/browser-environment.ts';
import { mount } from '../ui/environment/mount.tsx';
import { VisitEnvironmentProvider, type VisitEnvironment } from '../fields-window/environment.ts';
import { FieldsApp } from '../fields-window/fields-window.tsx';

const address = new URLSearchParams(location.search);
const visit: VisitEnvironment = {
  visitId: address.get('visit') ?? '',
  isStopped: address.has('stopped'),
  closeWindow: () => window.close(),
};

mount(
  { ...browserEnvironment(), openInTab: null },
  <VisitEnvironmentProvider value={visit}>
    <FieldsApp />
  </VisitEnvironmentProvider>,
);
