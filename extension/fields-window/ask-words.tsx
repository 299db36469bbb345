import { useId, useRef, useState } from 'preact/hooks';
import type { OpenedField } from '../../src/rpc/methods/ui-fields.ts';
import { ErrorBanner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { PassphraseField } from '../ui/components/forms/passphrase-field.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { useAction } from '../ui/hooks/use-action.ts';
import { errorCode } from '../ui/text/error-words.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { passphrasesMeant } from '../ui/text/typed-words.ts';
import { candidatesIn } from './candidates.ts';
import { useFieldSessionEnvironment } from './environment.ts';

interface AskWordsProps {
  readonly sealed: Uint8Array;
  readonly onOpened: (opened: OpenedField) => void;
}

/** Opens one text with what its sender tells by another way, as an item of the list. */
export function AskWords({ sealed, onOpened }: AskWordsProps) {
  const { ui, text } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const action = useAction();
  const id = useId(); // several texts may ask
  const [value, setRaw] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [error, setError] = useState<MessageKey>();
  const input = useRef<HTMLInputElement>(null);
  const setValue = (next: string) => {
    setRaw(next);
    setError(undefined);
  };
  const refuse = (why: MessageKey) => {
    setError(why);
    input.current?.focus();
  };
  const open = async ([passphrase, ...others]: readonly string[]): Promise<OpenedField> => {
    try {
      return await ui.call('ui.openField', {
        sessionId,
        found: sealed,
        candidates: candidatesIn(sealed),
        passphrase: passphrase!,
      });
    } catch (failure) {
      if (others.length === 0 || errorCode(failure) !== 'AUTH_FAILED') throw failure;
      return open(others);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (value === '') {
      refuse('passphraseMissing');
      return;
    }
    action.run(async () => {
      try {
        onOpened(await open(passphrasesMeant(value)));
      } catch (failure) {
        if (errorCode(failure) !== 'AUTH_FAILED') throw failure;
        refuse('openFileWrongWords');
      }
    });
  };
  return (
    <li class="card">
      <form class="stack ask-words" onSubmit={submit}>
        <PassphraseField
          id={`words-${id}`}
          label={text.t('openFileWords')}
          hint={text.t('openFileWordsHint')}
          autocomplete="current-password"
          value={value}
          revealed={revealed}
          inputRef={input}
          error={error && text.t(error)}
          onReveal={setRevealed}
          onInput={setValue}
        />
        <ErrorBanner error={action.error} />
        <div class="actions">
          <Button type="submit" variant="primary" busy={action.busy}>
            {text.t('readerOpen')}
          </Button>
        </div>
      </form>
    </li>
  );
}
