import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Copy, Download, MonitorSmartphone } from 'lucide-preact';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import type { UiJoining, UiOffer } from '../../../src/rpc/methods/ui-devices.ts';
import { useAnnounce, useToast } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { download } from '../../ui/environment/download.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { QrCode } from '../forms/qr-code.tsx';
import { Words } from '../forms/words.tsx';
import { isOfMessage } from './give-keys.tsx';
import { JoinReport } from './join-report.tsx';
import { MessageFields } from './message-fields.tsx';
import { PairingSteps } from './pairing-steps.tsx';
import { pairingText, typedDigits } from './pairing-message.ts';

/** The other device shows so many (src/keys/pairing/parcel.ts). */
const DIGITS = 6;
const REQUEST_FILE = 'sealwright.device-request';

interface JoinDeviceProps {
  readonly deviceName: string;
  /** This device is a member from now on. */
  readonly onJoined: () => Promise<void>;
}

/** Takes the keys of another device: the request, the answer, the digits, and what will change. */
export function JoinDevice({ deviceName, onJoined }: JoinDeviceProps) {
  const { text } = useEnvironment();
  const announce = useAnnounce();
  const query = useQuery('ui.ownOffer', {});
  const [taken, setTaken] = useState<{ readonly name: string; readonly isForked: boolean }>();
  const [ended, setEnded] = useState<MessageKey>();
  const { data: offer, error, reload } = query;
  // What comes above the next step comes with it.
  const changed = async (why?: MessageKey) => {
    document.getElementById('join-title')?.focus();
    await reload();
    setEnded(why);
  };
  return (
    <section class="stack card" aria-labelledby="join-title" id="join-device">
      <h2 id="join-title" tabIndex={-1}>
        {text.t('deviceJoinTitle')}
      </h2>
      {taken && (
        <Banner tone="good" id="device-taken" title={text.t('deviceTaken', taken.name)}>
          <p>{text.t('deviceTakenMore')}</p>
          {taken.isForked && <p>{text.t('deviceForked')}</p>}
        </Banner>
      )}
      {ended && (
        <Banner tone="error" id="device-ended">
          <p>{text.t(ended)}</p>
        </Banner>
      )}
      <ErrorBanner error={error} />
      {isPending(query) && <Loading />}
      {offer === null && <MakeRequest deviceName={deviceName} onMade={changed} />}
      {offer && (
        <TakeAnswer
          key={offer.until}
          offer={offer}
          onEnded={changed}
          onTaken={async (name, isForked) => {
            await onJoined(); // The list above grows before the next request can be made.
            await changed();
            setTaken({ name, isForked });
            announce(text.t('deviceTaken', name));
          }}
        />
      )}
    </section>
  );
}

interface MakeRequestProps {
  readonly deviceName: string;
  readonly onMade: () => Promise<void>;
}

/** Either button makes the request, and gives it out as its name says. */
function MakeRequest({ deviceName, onMade }: MakeRequestProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const make = (giveOut: (offer: Uint8Array) => Promise<void> | void) =>
    action.run(async () => {
      const { offer } = await ui.call('ui.makeOffer', { name: deviceName });
      await giveOut(offer);
      await onMade();
    });
  return (
    <>
      <p class="muted">{text.t('deviceJoinLead')}</p>
      <PairingSteps side="joins" />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="device-request-copy"
          variant="primary"
          busy={action.busy}
          icon={<Copy size={16} aria-hidden="true" />}
          onClick={() =>
            make(async (offer) => {
              await navigator.clipboard.writeText(pairingText(offer)!);
              toast(text.t('copied'));
            })
          }
        >
          {text.t('deviceCopy')}
        </Button>
        <Button
          id="device-request-save"
          busy={action.busy}
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => make((offer) => download(REQUEST_FILE, new Blob([offer as BlobPart])))}
        >
          {text.t('deviceSave')}
        </Button>
      </div>
    </>
  );
}

interface TakeAnswerProps {
  readonly offer: UiOffer;
  /** @param why the request is over; absent where the user withdrew it */
  readonly onEnded: (why?: MessageKey) => Promise<void>;
  readonly onTaken: (name: string, isForked: boolean) => Promise<void>;
}

/** The words and the code of the request, and the form for its answer. */
function TakeAnswer({ offer, onEnded, onTaken }: TakeAnswerProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const [parcel, setParcel] = useState<Uint8Array>();
  const [isRefused, setRefused] = useState(false);
  const [digits, setDigits] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [other, setOther] = useState(false);
  const [joining, setJoining] = useState<UiJoining>();
  const form = useRef<HTMLFormElement>(null);
  const focusDigits = () =>
    form.current?.querySelector<HTMLInputElement>('#device-digits')?.focus();
  const wantsAnswer = useRef(false);
  useLayoutEffect(() => {
    if (parcel) focusDigits();
    else if (wantsAnswer.current) form.current?.querySelector('textarea')?.focus();
    wantsAnswer.current = false;
  }, [parcel]);
  const show = async (checked: ResultOf<'ui.checkParcel'>) => {
    if (checked.outcome === 'opened') setJoining(checked.joining);
    else if (checked.outcome === 'other-offer') {
      setOther(true);
      setParcel(undefined);
      setDigits('');
    } else if (checked.outcome === 'wrong-digits' && checked.triesLeft > 0) {
      setWrong(text.t('deviceDigitsWrong', checked.triesLeft));
      setDigits('');
      focusDigits();
    } else await onEnded('deviceRequestEnded');
  };
  const check = () => {
    const isWhole = typedDigits(digits).length === DIGITS;
    setWrong(isWhole ? undefined : text.t('deviceDigits'));
    setOther(false);
    setRefused(!parcel);
    if (!parcel || !isWhole) return;
    action.run(async () => {
      try {
        await show(await ui.call('ui.checkParcel', { parcel, digits: typedDigits(digits) }));
      } catch (error) {
        if (!isOfMessage(error)) throw error;
        setParcel(undefined);
        setRefused(true);
        wantsAnswer.current = true;
      }
    });
  };
  const take = (name: string) =>
    action.run(async () => {
      try {
        const { isForked } = await ui.call('ui.takeParcel', {
          parcel: parcel!,
          digits: typedDigits(digits),
        });
        await onTaken(name, isForked);
      } catch (error) {
        if (errorCode(error) !== 'EXPIRED') throw error;
        await onEnded('deviceRequestEnded');
      }
    });
  const withdraw = () =>
    action.run(async () => {
      await ui.call('ui.endOffer', {});
      await onEnded();
    });
  const armored = pairingText(offer.offer)!;
  if (joining) {
    return (
      <>
        <JoinReport joining={joining} />
        <ErrorBanner error={action.error} />
        <div class="actions">
          <Button
            id="device-take"
            variant="primary"
            busy={action.busy}
            icon={<MonitorSmartphone size={16} aria-hidden="true" />}
            onClick={() => take(joining.name)}
          >
            {text.t('deviceTake')}
          </Button>
          <Button id="device-take-cancel" busy={action.busy} onClick={withdraw}>
            {text.t('cancel')}
          </Button>
        </div>
      </>
    );
  }
  return (
    <form
      class="stack"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      <PairingSteps side="joins" current={parcel ? 2 : 1} />
      <div class="own-request">
        <div class="stack">
          <p>{text.t('deviceOwnWords')}</p>
          <Words id="device-own-words" places={offer.words} />
        </div>
        <div class="stack" id="device-own-code">
          <p>{text.t('deviceOwnCode')}</p>
          <QrCode content={offer.code} label={text.t('deviceOwnCodeLabel')} ecc="M" />
        </div>
      </div>
      <p class="hint">{text.t('deviceUntil', text.relative(offer.until))}</p>
      <div class="actions" id="device-request-out">
        <CopyButton value={armored} label={text.t('deviceCopy')} />
        <SaveButton label={text.t('deviceSave')} fileName={REQUEST_FILE} contents={offer.offer} />
        <Button id="device-withdraw" variant="quiet" busy={action.busy} onClick={withdraw}>
          {text.t('deviceWithdraw')}
        </Button>
      </div>
      {other && (
        <Banner tone="error" id="device-other-request">
          <p>{text.t('deviceOtherRequest')}</p>
        </Banner>
      )}
      {parcel ? (
        <p id="device-answer-taken">{text.t('deviceAnswerTaken', text.bytes(parcel.length))}</p>
      ) : (
        <MessageFields
          id="device-answer"
          label={text.t('deviceAnswer')}
          bad="deviceAnswerBad"
          isRefused={isRefused}
          onTake={(message) => {
            setRefused(false);
            setParcel(message);
          }}
        />
      )}
      <TextField
        id="device-digits"
        label={text.t('deviceDigits')}
        maxLength={10}
        value={digits}
        error={wrong}
        onInput={setDigits}
      />
      <ErrorBanner error={action.error} />
      <Button id="device-check" type="submit" variant="primary" busy={action.busy}>
        {text.t('deviceContinue')}
      </Button>
    </form>
  );
}
