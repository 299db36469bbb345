import type { FieldVisit } from '../../src/rpc/methods/ui-fields.ts';
import { VaultGate } from '../views/unlock/unlock.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { Gone } from '../ui/components/expired-window.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useText } from '../ui/environment/environment.ts';
import { ComposeView } from './compose/compose-view.tsx';
import { useVisitEnvironment } from './environment.ts';
import { ReaderView } from './reader-view.tsx';
import { StoppedView } from './stopped-view.tsx';
import { useVisit } from './use-field-session.ts';

/** The window about one field, or the sealed texts of one page, behind the vault's gate. */
export function FieldsApp() {
  const { isStopped } = useVisitEnvironment();
  return <VaultGate lead={isStopped && <StoppedLead />}>{() => <Open />}</VaultGate>;
}

/** Before the vault is open. */
function StoppedLead() {
  const text = useText();
  return (
    <Banner tone="warning" id="stopped" title={text.t('stoppedTitle')}>
      <p>{text.t('stoppedLocked')}</p>
    </Banner>
  );
}

function Open() {
  const text = useText();
  const { visit, error, replace } = useVisit();
  const { closeWindow } = useVisitEnvironment();
  // The browser was restarted, or too many windows were opened since.
  if (error !== undefined) return <Gone words={text.t('visitGone')} onClose={closeWindow} />;
  if (!visit) return <Loading />;
  return (
    <main>
      <About visit={visit} onReached={replace} />
    </main>
  );
}

interface AboutProps {
  readonly visit: FieldVisit;
  readonly onReached: (visit: FieldVisit) => void;
}

function About({ visit, onReached }: AboutProps) {
  switch (visit.kind) {
    case 'open':
      return <ReaderView visit={visit} onReached={onReached} />;
    case 'stopped':
      return <StoppedView visit={visit} />;
    default:
      return <ComposeView visit={visit} onReached={onReached} />;
  }
}
