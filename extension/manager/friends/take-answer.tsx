import { useState } from 'preact/hooks';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { PasteText, textError } from './recovery-text.tsx';

type Taken = ResultOf<'ui.takeAnswer'>;

const TEXT_ERRORS = {
  BAD_ENVELOPE: 'friendsAnswerBad',
  INVALID_ARGUMENT: 'friendsAnswerBad', // nothing, or far too much
  UNSUPPORTED: 'friendsNewer',
} as const;

interface TakeAnswerProps {
  /** Of the field. */
  readonly id: string;
  readonly buttonId: string;
  readonly onTaken: () => Promise<void>;
}

/** Takes the answers of friends, one after the other: the field is empty again after each. */
export function TakeAnswer({ id, buttonId, onTaken }: TakeAnswerProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const type = (typed: string) => {
    setValue(typed);
    setError(undefined);
  };
  const take = (answer: string) =>
    action.run(async () => {
      try {
        const taken = await ui.call('ui.takeAnswer', { answer });
        if (taken.outcome !== 'taken') {
          setError(problem(taken, text));
          return;
        }
        setValue('');
        setError(undefined);
        toast(text.t('friendsAnswerRight', friendOf(taken, text)));
        await onTaken();
      } catch (refused) {
        setError(text.t(textError(refused, TEXT_ERRORS)));
      }
    });
  return (
    <>
      <PasteText
        id={id}
        label={text.t('friendsAnswer')}
        hint={text.t('friendsAnswerHint')}
        value={value}
        error={error}
        onInput={type}
        onPaste={take}
      />
      <ErrorBanner error={action.error} />
      <Button id={buttonId} busy={action.busy} onClick={() => take(value)}>
        {text.t('friendsTake')}
      </Button>
    </>
  );
}

function problem(taken: Taken, text: Text): string {
  if (taken.outcome === 'other') return text.t('friendsAnswerOther');
  return text.t('friendsAnswerWrong', friendOf(taken, text));
}

const friendOf = ({ index, name }: Taken, text: Text): string =>
  name ?? text.t('friendsNumber', index);
