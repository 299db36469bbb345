import { useState } from 'preact/hooks';
import { HandHelping, PhoneCall } from 'lucide-preact';
import type { ShownRequest } from '../../../src/rpc/methods/ui-contacts.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useFirstFocus } from '../../ui/hooks/use-focus.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { Words } from '../forms/words.tsx';
import { PasteText, SendText, textError } from './recovery-text.tsx';

const REQUEST_ERRORS = {
  BAD_ENVELOPE: 'friendsRequestBad',
  INVALID_ARGUMENT: 'friendsRequestBad', // nothing, or far too much
  UNSUPPORTED: 'friendsNewer',
  EXPIRED: 'friendsRequestOld',
  NEEDS_KEY: 'friendsRequestOther',
} as const;
const NAME_CHARACTERS = 80;

/** Form for a friend: reads a request, says who asks as far as anything proves it, and answers. */
export function HelpFriend() {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const ask = useAskPassphrase();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [read, setRead] = useState<{ readonly request: string; readonly shown: ShownRequest }>();
  const [answer, setAnswer] = useState<string>();
  const begin = (value: string) => {
    setTyped(value);
    setError(undefined);
    setRead(undefined);
    setAnswer(undefined);
  };
  const look = (request: string) =>
    action.run(async () => {
      begin(request);
      try {
        setRead({ request, shown: await ui.call('ui.readRequest', { request }) });
      } catch (refused) {
        setError(text.t(textError(refused, REQUEST_ERRORS)));
      }
    });
  const give = ({ request, shown }: NonNullable<typeof read>) =>
    action.run(async () => {
      const title = text.t(shown.kind === 'drill' ? 'friendsProve' : 'friendsGive');
      let given = '';
      const isGiven = await ask({ title }, async (by) => {
        given = (await ui.call('ui.answerRequest', { by, request })).answer;
      });
      // The answer takes the focus, which it cannot beneath an open dialog.
      if (isGiven) setAnswer(given);
    });
  return (
    <form
      class="stack card"
      aria-labelledby="friends-help-title"
      id="help-friend"
      onSubmit={(event) => {
        event.preventDefault();
        look(typed);
      }}
    >
      <h2 id="friends-help-title">{text.t('friendsHelpTitle')}</h2>
      <p class="muted">{text.t('friendsHelpLead')}</p>
      <PasteText
        id="friend-request"
        label={text.t('friendsRequest')}
        hint={text.t('friendsRequestHint')}
        value={typed}
        error={error}
        onInput={begin}
        onPaste={look}
      />
      <ErrorBanner error={action.error} />
      {!read && (
        <Button id="read-request" type="submit" busy={action.busy}>
          {text.t('friendsRead')}
        </Button>
      )}
      {read && <Request shown={read.shown} />}
      {read && answer === undefined && (
        <Button
          id="answer-request"
          variant="primary"
          busy={action.busy}
          icon={<HandHelping size={18} aria-hidden="true" />}
          onClick={() => give(read)}
        >
          {text.t(read.shown.kind === 'drill' ? 'friendsProve' : 'friendsGive')}
        </Button>
      )}
      {answer !== undefined && (
        <SendText
          id="friend-answer"
          lead={text.t('friendsSendBack')}
          value={answer}
          fileName="sealwright-answer.txt"
          isNew
        />
      )}
    </form>
  );
}

/** What a request says, and what of it is proven. */
function Request({ shown }: { readonly shown: ShownRequest }) {
  const { text } = useEnvironment();
  const { kind, name, created, threshold, count, dealer, words } = shown;
  const first = useFirstFocus<HTMLDivElement>();
  return (
    <div class="stack" id="request-shown" ref={first} tabIndex={-1}>
      {name !== null && (
        <p id="request-name">{text.t('friendsAskedBy', plainText(name, NAME_CHARACTERS))}</p>
      )}
      <p id="request-dealer">{dealerWords()}</p>
      <p>{text.t('friendsDealt', text.date(created), threshold, count)}</p>
      {kind === 'drill' ? (
        <Banner tone="info">{text.t('friendsDrillShown')}</Banner>
      ) : (
        <>
          <Banner tone="warning" title={text.t('friendsCallTitle')} id="call-them">
            <p>
              <PhoneCall size={16} aria-hidden="true" /> {text.t('friendsCall')}
            </p>
          </Banner>
          <Words id="request-words" places={words} />
          <p>{text.t('friendsCallWhy')}</p>
        </>
      )}
    </div>
  );

  function dealerWords(): string {
    if (!dealer) return text.t('friendsDealerUnknown');
    if (dealer.name === null) return text.t('friendsDealerSelf');
    const { verified } = dealer;
    const compared =
      verified === null
        ? text.t('contactUnverified')
        : text.t('contactVerified', text.date(verified));
    return text.t('friendsDealer', dealer.name, compared);
  }
}
