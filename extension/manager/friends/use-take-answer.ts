import { useState } from 'preact/hooks';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { textError } from './recovery-text.tsx';

type Taken = ResultOf<'ui.takeAnswer'>;

const TEXT_ERRORS = { BAD_ENVELOPE: 'friendsAnswerBad', UNSUPPORTED: 'friendsNewer' } as const;

/** State of a field that takes answers. */
export interface AnswerField {
  readonly action: Action;
  readonly value: string;
  readonly error: string | undefined;
  readonly type: (value: string) => void;
  readonly take: (value: string) => void;
}

/** Takes the answers of friends, one after the other: the field is empty again after each. */
export function useTakeAnswer(onTaken: () => Promise<void>): AnswerField {
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
  return { action, value, error, type, take };
}

function problem(taken: Taken, text: Text): string {
  if (taken.outcome === 'other') return text.t('friendsAnswerOther');
  return text.t('friendsAnswerWrong', friendOf(taken, text));
}

const friendOf = ({ index, name }: Taken, text: Text): string =>
  name ?? text.t('friendsNumber', index);
