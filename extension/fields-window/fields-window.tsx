import { useEffect } from 'preact/hooks';
import type { UiFieldSession } from '../../src/rpc/methods/ui-fields.ts';
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

/** The window about one field, or about the sealed texts of a page, while the vault is unlocked. */
export function FieldsWindowApp() {
  const { isStopped, closeWindow } = useFieldSessionEnvironment();
  useEscape(closeWindow);
  return <RequireUnlocked lead={isStopped && <StoppedLead />}>{() => <Open />}</RequireUnlocked>;
}

/** Calls the listener on Escape, except while an IME or a list is open. */
function useEscape(listener: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInList = event.target instanceof HTMLSelectElement;
      const isTaken = event.defaultPrevented || event.isComposing || isInList;
      if (event.key === 'Escape' && !isTaken) listener();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [listener]);
}

/** Above the unlock form, if a form was not sent. */
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
  // The session is gone: the browser was restarted, or too many windows were opened since.
  if (error !== undefined) {
    return <ExpiredWindow reason={text.t('fieldSessionGone')} onClose={closeWindow} />;
  }
  if (!session) return <Loading />;
  return (
    <main>
      <About session={session} onReached={replace} />
    </main>
  );
}

interface AboutProps {
  readonly session: UiFieldSession;
  readonly onReached: (session: UiFieldSession) => void;
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
