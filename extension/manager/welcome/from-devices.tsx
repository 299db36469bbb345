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
import { FilesOfDevices, type ChosenFiles } from '../devices/files-of-devices.tsx';
import { FoundDevices, FoundFault, type Found } from '../devices/found-circle.tsx';

/** Symbols of a recovery code (src/keys/unlock/recovery-code.ts). */
const SYMBOLS = 28;

/** How much has come, and whether by files: then the others learn of this device by its own file. */
export interface Arrived {
  readonly keys: number;
  readonly contacts: number;
  readonly isByFiles: boolean;
}

/** What is looked at, and by what. Each change makes another one. */
interface Asked {
  readonly code: string;
  /** Of a passkey, in the place of the code. */
  readonly prf?: Uint8Array | undefined;
  /** Without them, what the browser has synced. */
  readonly chosen?: ChosenFiles | undefined;
}

const isWhole = ({ code, prf }: Asked): boolean =>
  prf !== undefined || code.replace(/[\s\p{Pd}]/gu, '').length >= SYMBOLS;

const sourceOf = ({ code, prf, chosen }: Asked) => ({
  by: prf ? { prf } : { recoveryCode: code },
  ...(chosen && { files: chosen.contents }),
});

interface FromDevicesProps {
  readonly onArrived: (arrived: Arrived) => Promise<void>;
}

/**
 * Form for a browser without a vault, or with a lost one: a recovery code of another device, or a passkey, opens what the
 * browser has synced, or files of devices. Whose keys these are is shown as soon as the code is whole, and before anything is
 * taken.
 */
export function FromDevices({ onArrived }: FromDevicesProps) {
  const { ui, text } = useEnvironment();
  const syncConsent = useSyncConsent();
  const [looking, taking] = [useAction(), useAction()];
  const passphrase = useNewPassphrase();
  const suggested = suggestedName(navigator.userAgent);
  const [typedName, setTypedName] = useState(suggested);
  const [asked, setAsked] = useState<Asked>({ code: '' });
  const [found, setFound] = useState<Found>();
  const access = usePasskeys();
  const latest = useRef(asked);
  const field = useRef<HTMLDivElement>(null);
  const { code, prf, chosen } = asked;
  const change = (next: Asked) => {
    if (next.prf !== latest.current.prf) latest.current.prf?.fill(0);
    latest.current = next;
    setAsked(next);
    setFound(undefined);
  };
  /** Looks, and again where what is asked has changed meanwhile. */
  const lookNow = async () => {
    let now: Asked;
    do {
      now = latest.current;
      const answer = await ui.call('ui.lookAtMedium', sourceOf(now));
      if (now === latest.current) setFound(answer);
    } while (now !== latest.current && isWhole(latest.current));
  };
  const look = () => looking.run(lookNow);
  const type = (value: string) => {
    change({ code: value, chosen: latest.current.chosen });
    if (isWhole(latest.current)) look();
  };
  const choose = (files: ChosenFiles | undefined) => {
    change({ ...latest.current, chosen: files });
    if (isWhole(latest.current)) look();
  };
  const touch = (passkeys: Passkeys) =>
    looking.run(async () => {
      type('');
      const output = await passkeys.evaluateForCircle();
      change({ code: '', prf: output, chosen: latest.current.chosen });
      await lookNow();
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
    const consent = chosen ? true : syncConsent.ask();
    taking.run(async () => {
      if (!(await passphrase.check()) || !(await consent)) return;
      const answer = await ui.call('ui.restoreFromMedium', {
        ...sourceOf(asked),
        passphrase: passphrase.value,
        name: fittingName(typedName) || suggested,
      });
      if (answer.outcome !== 'arrived') {
        setFound(answer);
        return;
      }
      passphrase.clear();
      change({ code: '' });
      await chosen?.folder?.keep().catch(() => undefined); // it can be chosen again
      const { keys, contacts } = answer;
      await onArrived({ keys, contacts, isByFiles: chosen !== undefined });
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
      <FilesOfDevices chosen={chosen} onChoose={choose} takesFolder />
      <div aria-live="polite">
        {found?.outcome === 'opened' && <FoundDevices {...found} files={chosen?.files} />}
        {found && found.outcome !== 'opened' && (
          <FoundFault
            fault={found.outcome}
            isByPasskey={prf !== undefined}
            files={chosen?.files}
            places={found.files}
          />
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
