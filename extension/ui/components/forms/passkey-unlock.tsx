import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Fingerprint } from 'lucide-preact';
import { useEnvironment, type Passkeys } from '../../environment/environment.ts';
import { useAction } from '../../hooks/use-action.ts';
import { usePasskeys } from '../../hooks/use-passkeys.ts';
import { isPending, useQuery } from '../../hooks/use-query.ts';
import { Button } from '../buttons/button.tsx';
import { ErrorBanner } from '../banner.tsx';

interface PasskeyUnlockProps {
  /** False while the vault is unlocked by a passphrase. */
  readonly isOffered: boolean;
  readonly onUnlocked: () => Promise<void>;
  /** What is below the button, and appears with it. */
  readonly children: ComponentChildren;
}

/** A button that unlocks with a passkey, where the vault has one and the browser gives one. */
export function PasskeyUnlock({ isOffered, onUnlocked, children }: PasskeyUnlockProps) {
  const { ui, text, openManager } = useEnvironment();
  const access = usePasskeys();
  const action = useAction();
  useEffect(() => {
    if (!isOffered) action.clear();
  }, [isOffered]);
  const query = useQuery('ui.passkeys', {});
  const { data: known = [] } = query;
  if (access === undefined || isPending(query)) return null;
  const unlockBy = (passkeys: Passkeys) =>
    action.run(async () => {
      const prf = await passkeys.evaluate(known);
      try {
        await ui.call('ui.unlockBy', { by: { prf } });
      } finally {
        prf.fill(0);
        await onUnlocked(); // after an error too: the vault's state may be 'lost' now
      }
    });
  const isElsewhere = access === 'in-a-tab';
  return (
    <>
      {access && isOffered && known.length > 0 && (
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
      )}
      {children}
    </>
  );
}
