import { Fingerprint } from 'lucide-preact';
import { useEnvironment, type Passkeys } from '../../environment/environment.ts';
import { useAction } from '../../hooks/use-action.ts';
import { usePasskeys } from '../../hooks/use-passkeys.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { Button } from '../buttons/button.tsx';
import { ErrorBanner } from '../banner.tsx';

/** Beside the passphrase, for a vault that a passkey opens; nothing where none does. */
export function PasskeyUnlock({ onUnlocked }: { readonly onUnlocked: () => Promise<void> }) {
  const { ui, text, openManager } = useEnvironment();
  const access = usePasskeys();
  const action = useAction();
  const { data: known } = useQuery('ui.passkeys', {});
  if (!access || known === undefined || known.length === 0) return null;
  const unlockBy = (passkeys: Passkeys) =>
    action.run(async () => {
      const prf = await passkeys.evaluate(known);
      try {
        await ui.call('ui.unlockBy', { by: { prf } });
      } finally {
        prf.fill(0);
        await onUnlocked(); // after an error too: the vault may be known as lost by now
      }
    });
  const isElsewhere = access === 'in-a-tab';
  return (
    <>
      <Button
        id="unlock-passkey"
        class="wide"
        busy={action.busy}
        icon={<Fingerprint size={18} aria-hidden="true" />}
        onClick={() => (isElsewhere ? openManager('keys') : unlockBy(access))}
      >
        {text.t(isElsewhere ? 'unlockPasskeyInTab' : 'unlockPasskey')}
      </Button>
      <ErrorBanner error={action.error} />
    </>
  );
}
