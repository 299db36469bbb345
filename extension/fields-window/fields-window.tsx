import { browserEnvironment } from '../ui/browser-environment.ts';
import { mount } from '../ui/mount.tsx';
import { VisitEnvironmentProvider, type VisitEnvironment } from './environment.ts';
import { FieldsApp } from './fields-app.tsx';

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
