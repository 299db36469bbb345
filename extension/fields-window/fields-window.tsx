import type { FieldVisit } from '../../src/rpc/methods/ui-fields.ts';
import { RequireUnlocked } from '../views/unlock/unlock.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { ExpiredWindow } from '../ui/components/expired-window.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useText } from '../ui/environment/environment.ts';
import { ComposeView } from './compose/compose-view.tsx';
import { useFieldSessionEnvironment } from './environment.ts';
import { ReaderView } from './reader-view.tsx';
import { StoppedView } from './stopped-view.tsx';
import { useFieldSession } from './use-field-session.ts';

/** The window about one field, or the sealed texts of one page, behind the vault's gate. */
export function FieldsWindowApp() {
  const { isStopped } = useFieldSessionEnvironment();
  return <RequireUnlocked lead={isStopped && <StoppedLead />}>{() => <Open />}</RequireUnlocked>;
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
  const { session, error, replace } = useFieldSession();
  const { closeWindow } = useFieldSessionEnvironment();
  // The browser was restarted, or too many windows were opened since.
  if (error !== undefined)
    return <ExpiredWindow words={text.t('visitGone')} onClose={closeWindow} />;
  if (!session) return <Loading />;
  return (
    <main>
      <About session={session} onReached={replace} />
    </main>
  );
}

interface AboutProps {
  readonly session: FieldVisit;
  readonly onReached: (session: FieldVisit) => void;
}

function About({ session, onReached }: AboutProps) {
  switch (session.kind) {
    case 'open':
      return <ReaderView session={session} onReached={onReached} />;
    case 'stopped':
      return <StoppedView session={session} />;
    default:
      return <ComposeView session={session} onReached={onReached} />;
  }
}
