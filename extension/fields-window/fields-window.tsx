import { browserEnvironment } from '../ui/browser-environment.ts';
import { mount } from '../ui/mount.tsx';
import { VisitEnvironmentProvider, type VisitEnvironment } from './environment.ts';
import { FieldsApp } from './fields-app.tsx';

const visit: VisitEnvironment = {
  visitId: new URLSearchParams(location.search).get('visit') ?? '',
  closeWindow: () => window.close(),
};

mount(
  { ...browserEnvironment(), openInTab: null },
  <VisitEnvironmentProvider value={visit}>
    <FieldsApp />
  </VisitEnvironmentProvider>,
);
