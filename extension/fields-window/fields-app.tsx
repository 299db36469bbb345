import { VaultGate } from '../gate/vault-gate.tsx';
import { Gone } from '../ui/components/gone.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { useText } from '../ui/environment.ts';
import { ComposeView } from './compose-view.tsx';
import { useVisitEnvironment } from './environment.ts';
import { ReaderView } from './reader-view.tsx';
import { useVisit } from './use-visit.ts';

/** The window about one field, or the sealed texts of one page, behind the vault's gate. */
export function FieldsApp() {
  return <VaultGate>{() => <Open />}</VaultGate>;
}

function Open() {
  const text = useText();
  const { closeWindow } = useVisitEnvironment();
  const { visit, error } = useVisit();
  // The browser was restarted, or too many windows were opened since.
  if (error !== undefined) return <Gone words={text.t('visitGone')} onClose={closeWindow} />;
  if (!visit) return <Loading />;
  return (
    <main>
      {visit.kind === 'open' ? <ReaderView visit={visit} /> : <ComposeView visit={visit} />}
    </main>
  );
}
