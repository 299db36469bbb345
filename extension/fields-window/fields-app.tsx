import { VaultGate } from '../gate/vault-gate.tsx';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { View } from '../ui/components/view.tsx';
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
  const { visit, error } = useVisit();
  if (error !== undefined) return <Gone />;
  if (!visit) return <Loading />;
  return (
    <main>
      {visit.kind === 'open' ? <ReaderView visit={visit} /> : <ComposeView visit={visit} />}
    </main>
  );
}

/** The browser was restarted, or too many windows were opened since. */
function Gone() {
  const text = useText();
  const { closeWindow } = useVisitEnvironment();
  return (
    <main>
      <View title={text.t('promptGoneTitle')}>
        <Banner tone="info">{text.t('visitGone')}</Banner>
        <Button variant="primary" class="wide" onClick={closeWindow}>
          {text.t('close')}
        </Button>
      </View>
    </main>
  );
}
