import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { X } from 'lucide-preact';
import type { ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { ScanCode } from '../forms/scan-code.tsx';
import { useWordList } from '../forms/words.tsx';
import { MessageFields } from './message-fields.tsx';
import { PairingSteps } from './pairing-steps.tsx';
import { isOfferCode, pairingText } from './pairing-message.ts';

/** The person compares the request with the other device. */
interface Choosing {
  readonly name: 'choose';
  readonly offer: Uint8Array;
  readonly asked: ResultOf<'ui.readOffer'>;
}

/** The current step. Nothing of it is kept: a request can be brought again. */
type Step =
  | { readonly name: 'ask' }
  | Choosing
  | { readonly name: 'given'; readonly to: string; readonly given: ResultOf<'ui.giveToDevice'> };

/** What the person has seen on the other device. */
type Shown = ParamsOf<'ui.giveToDevice'>['shown'];

interface GiveKeysProps {
  readonly deviceName: string;
  /** The other device is a member from now on. */
  readonly onGiven: () => Promise<void>;
}

/** Gives all keys to another device: its request, its words or its code, the passphrase, and the answer with its digits. */
export function GiveKeys({ deviceName, onGiven }: GiveKeysProps) {
  const { ui, text } = useEnvironment();
  const ask = useAskPassphrase();
  const action = useAction();
  const [step, setStep] = useState<Step>({ name: 'ask' });
  const [isRefused, setRefused] = useState(false);
  const [stopped, setStopped] = useState<MessageKey>();
  const lead = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => lead.current?.focus(), [step]);
  const stop = (why: MessageKey | undefined) => {
    setStopped(why);
    setStep({ name: 'ask' });
    document.getElementById('give-title')?.focus();
  };
  const read = (offer: Uint8Array) =>
    action.run(async () => {
      setStopped(undefined);
      setRefused(false);
      try {
        setStep({ name: 'choose', offer, asked: await ui.call('ui.readOffer', { offer }) });
      } catch (error) {
        if (!isOfMessage(error)) throw error;
        setRefused(true);
      }
    });
  /** Stops with these words where the background says that this is not what the other device shows. */
  const unlessOther = async (why: MessageKey, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (errorCode(error) !== 'INVALID_ARGUMENT') throw error;
      stop(why);
    }
  };
  const give = async (shown: Shown, { offer, asked }: Choosing) => {
    const question = {
      title: text.t('deviceGiveTitle', asked.name),
      detail: <p>{text.t('deviceGiveMore')}</p>,
      confirm: text.t('deviceGive'),
    };
    let given: ResultOf<'ui.giveToDevice'>;
    const isGiven = await ask(question, async (by) => {
      given = await ui.call('ui.giveToDevice', { by, offer, shown, name: deviceName });
    });
    if (!isGiven) return;
    // The list above grows first: the buttons of the next step stay where they come. The step takes the focus, which it
    // cannot beneath an open dialog.
    await onGiven();
    setStep({ name: 'given', to: asked.name, given: given! });
  };
  const choose = (words: readonly number[], choosing: Choosing) =>
    action.run(() => unlessOther('deviceWordsWrong', () => give({ words: [...words] }, choosing)));
  const scan = (code: string, choosing: Choosing) =>
    action.run(() =>
      unlessOther('deviceCodeOther', async () => {
        // Before the passphrase is asked for.
        await ui.call('ui.readOffer', { offer: choosing.offer, code });
        await give({ code }, choosing);
      }),
    );
  const cancel = (
    <Button id="device-give-cancel" variant="quiet" onClick={() => stop(undefined)}>
      {text.t('cancel')}
    </Button>
  );
  return (
    <section class="stack card" aria-labelledby="give-title" id="give-keys">
      <h2 id="give-title" tabIndex={-1}>
        {text.t('deviceAddTitle')}
      </h2>
      {step.name === 'ask' && (
        <>
          <p class="muted">{text.t('deviceAddLead')}</p>
          <PairingSteps side="gives" />
          {stopped && (
            <Banner tone="error" id="give-stopped">
              <p>{text.t(stopped)}</p>
            </Banner>
          )}
          <MessageFields
            id="device-request"
            label={text.t('deviceRequest')}
            bad="deviceRequestBad"
            isRefused={isRefused}
            onTake={read}
          />
        </>
      )}
      {step.name === 'choose' && (
        <>
          <PairingSteps side="gives" current={1} />
          <h3 id="device-asks" tabIndex={-1} ref={lead}>
            {text.t('deviceAsks', step.asked.name, text.relative(step.asked.at))}
          </h3>
          {step.asked.isStale && (
            <Banner tone="warning" id="device-stale">
              <p>{text.t('deviceStale')}</p>
            </Banner>
          )}
          {step.asked.isFull ? (
            <>
              <Banner tone="error" id="devices-full">
                <p>{text.t('deviceFull')}</p>
              </Banner>
              <div class="actions">{cancel}</div>
            </>
          ) : (
            <>
              <p>{text.t('deviceWhichWords')}</p>
              <WordChoices
                choices={step.asked.choices}
                busy={action.busy}
                onChoose={(words) => choose(words, step)}
              >
                <div class="actions">
                  <Button
                    id="device-no-words"
                    icon={<X size={16} aria-hidden="true" />}
                    onClick={() => stop('deviceNoWordsMore')}
                  >
                    {text.t('deviceNoWords')}
                  </Button>
                  {cancel}
                </div>
                <p id="device-or-code">{text.t('deviceOrCode')}</p>
                <ScanCode
                  id="device-code"
                  busy={action.busy}
                  isWanted={isOfferCode}
                  onRead={(code) => scan(code, step)}
                />
              </WordChoices>
            </>
          )}
        </>
      )}
      {step.name === 'given' && (
        <>
          <PairingSteps side="gives" current={2} />
          <h3 id="device-given" tabIndex={-1} ref={lead}>
            {text.t('deviceDigitsShown', step.to)}
          </h3>
          <p class="device-digits" id="device-digits-shown" dir="ltr">
            {step.given.digits}
          </p>
          <p>{text.t('deviceGivenMore')}</p>
          <Answer parcel={step.given.parcel} />
          <div class="actions">
            <Button id="device-given-done" variant="quiet" onClick={() => stop(undefined)}>
              {text.t('done')}
            </Button>
          </div>
        </>
      )}
      <ErrorBanner error={action.error} />
    </section>
  );
}

/** Whether the background has refused a message itself, and not the call. */
export const isOfMessage = (error: unknown): boolean =>
  ['BAD_ENVELOPE', 'TOO_LARGE'].includes(errorCode(error));

interface WordChoicesProps {
  readonly choices: readonly (readonly number[])[];
  readonly busy: boolean;
  readonly onChoose: (words: readonly number[]) => void;
  /** The other answers. */
  readonly children: ComponentChildren;
}

/** All answers come together, with the words: none moves while another is pressed. */
function WordChoices({ choices, busy, onChoose, children }: WordChoicesProps) {
  const { list, error } = useWordList();
  if (!list && error === undefined) return <Loading />;
  return (
    <>
      <ErrorBanner error={error} />
      {list && (
        <div class="word-choices">
          {choices.map((words, at) => (
            <Button key={at} id={`device-words-${at}`} busy={busy} onClick={() => onChoose(words)}>
              <span dir="ltr" lang="en">
                {words.map((place) => list[place]).join(' ')}
              </span>
            </Button>
          ))}
        </div>
      )}
      {children}
    </>
  );
}

function Answer({ parcel }: { readonly parcel: Uint8Array }) {
  const { text } = useEnvironment();
  const armored = pairingText(parcel);
  return (
    <div class="actions" id="device-answer-out">
      {armored !== undefined && (
        <CopyButton value={armored} label={text.t('deviceCopy')} variant="primary" />
      )}
      <SaveButton
        id="device-answer-save"
        label={text.t('deviceSave')}
        fileName="sealwright.device-answer"
        contents={parcel}
      />
    </div>
  );
}
