import { useRef, useState } from 'preact/hooks';
import { FileSearch, Fingerprint, MonitorSmartphone } from 'lucide-preact';
import { MAX_RECOVERY_CODE_CHARACTERS } from '../../../src/rpc/limits.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useEnvironment, type Passkeys } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { usePasskeys } from '../../ui/hooks/use-passkeys.ts';
import { NewPassphraseFields } from '../../views/unlock/new-passphrase-fields.tsx';
import { useNewPassphrase } from '../../views/unlock/use-new-passphrase.ts';
import { useSyncConsent } from '../devices/browser-sync.tsx';
import { DEVICE_NAME_BYTES, fittingName, suggestedName } from '../devices/pairing-message.ts';
import { FoundDevices, FoundFault, type Found } from '../devices/found-circle.tsx';

/** Symbols of a recovery code (src/keys/unlock/recovery-code.ts). */
const SYMBOLS = 28;

/** How much has come. */
export interface Arrived {
  readonly keys: number;
  readonly contacts: number;
}

interface FromDevicesProps {
  readonly onArrived: (arrived: Arrived) => Promise<void>;
}

/**
 * Form for a browser without a vault, or with a lost one: a recovery code of another device, or a passkey, opens what the
 * browser has synced. Whose keys these are is shown as soon as the code is whole, and before anything is taken.
 */
export function FromDevices({ onArrived }: FromDevicesProps) {
  const { ui, text } = useEnvironment();
  const syncConsent = useSyncConsent();
  const [looking, taking] = [useAction(), useAction()];
  const passphrase = useNewPassphrase();
  const suggested = suggestedName(navigator.userAgent);
  const [typedName, setTypedName] = useState(suggested);
  const [code, setCode] = useState('');
  const [found, setFound] = useState<Found>();
  const access = usePasskeys();
  const [output, setOutput] = useState<Uint8Array>();
  const typed = useRef('');
  const field = useRef<HTMLDivElement>(null);
  const look = () =>
    looking.run(async () => {
      const recoveryCode = typed.current;
      const answer = await ui.call('ui.lookAtMedium', { by: { recoveryCode } });
      if (typed.current === recoveryCode) setFound(answer);
    });
  const type = (value: string) => {
    typed.current = value;
    setCode(value);
    setFound(undefined);
    output?.fill(0);
    setOutput(undefined);
    if (value.replace(/[\s\p{Pd}]/gu, '').length >= SYMBOLS) look();
  };
  const touch = (passkeys: Passkeys) =>
    looking.run(async () => {
      type('');
      const prf = await passkeys.evaluateForCircle();
      setOutput(prf);
      setFound(await ui.call('ui.lookAtMedium', { by: { prf } }));
    });
  if (access === undefined) return <Loading />; // the button of passkeys is above other fields
  const isOpened = found?.outcome === 'opened';
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isOpened) {
      if (code === '') field.current?.querySelector('input')?.focus();
      else look();
      return;
    }
    const consent = syncConsent.ask();
    taking.run(async () => {
      if (!(await passphrase.check()) || !(await consent)) return;
      const answer = await ui.call('ui.restoreFromMedium', {
        by: output ? { prf: output } : { recoveryCode: code },
        passphrase: passphrase.value,
        name: fittingName(typedName) || suggested,
      });
      if (answer.outcome !== 'arrived') {
        setFound(answer);
        return;
      }
      passphrase.clear();
      type('');
      await onArrived(answer);
    });
  };
  const Icon = isOpened ? MonitorSmartphone : FileSearch;
  return (
    <form class="stack card" aria-labelledby="from-devices-title" onSubmit={submit}>
      <h2 id="from-devices-title">{text.t('devicesTitle')}</h2>
      <p class="muted">{text.t('arrivalLead')}</p>
      <div ref={field}>
        <TextField
          id="arrival-code"
          label={text.t('slotRecoveryCode')}
          hint={text.t('arrivalCodeHint')}
          maxLength={MAX_RECOVERY_CODE_CHARACTERS}
          value={code}
          onInput={type}
        />
        {access !== null && access !== 'in-a-tab' && (
          <Button
            id="arrival-passkey"
            variant="quiet"
            busy={looking.busy}
            icon={<Fingerprint size={16} aria-hidden="true" />}
            onClick={() => touch(access)}
          >
            {text.t('arrivalPasskey')}
          </Button>
        )}
      </div>
      <div aria-live="polite">
        {found?.outcome === 'opened' && <FoundDevices {...found} />}
        {found && found.outcome !== 'opened' && (
          <FoundFault fault={found.outcome} isByPasskey={output !== undefined} />
        )}
      </div>
      <NewPassphraseFields
        id="arrival-passphrase"
        label={text.t('newPassphrase')}
        hint={text.t('newPassphraseHint')}
        passphrase={passphrase}
      />
      <TextField
        id="arrival-name"
        label={text.t('deviceName')}
        maxLength={DEVICE_NAME_BYTES}
        value={typedName}
        onInput={setTypedName}
      />
      {syncConsent.note}
      <ErrorBanner error={taking.error ?? looking.error} />
      <div class="actions">
        <Button
          id="arrival-take"
          type="submit"
          variant="primary"
          busy={looking.busy || taking.busy}
          icon={<Icon size={18} aria-hidden="true" />}
        >
          {text.t(isOpened ? 'arrivalTake' : 'arrivalFind')}
        </Button>
      </div>
    </form>
  );
}
