import { useEffect, useState } from 'preact/hooks';
import { ErrorBanner } from '../../ui/components/banner.tsx';

/** EFF's long word list, or why it could not be loaded; neither while it is on its way. */
interface WordList {
  readonly list?: readonly string[];
  readonly error?: unknown;
}

/** The list for the indexes of docs/format.md section 3.4. Loaded when words are shown. */
export function useWordList(): WordList {
  const [state, setState] = useState<WordList>({});
  useEffect(() => {
    let isWanted = true;
    const show = (next: WordList) => {
      if (isWanted) setState(next);
    };
    import('@zxcvbn-ts/language-common').then(
      ({ dictionary }) => show({ list: dictionary['diceware-common'] }),
      (error: unknown) => show({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return state;
}

interface WordsProps {
  readonly id?: string;
  /** Indexes of the words in the list. */
  readonly places: readonly number[];
}

/**
 * Words of public keys, numbered, in the order of the indexes. Each has its line before the list is loaded: the buttons
 * below decide about a person, and may not move while one of them is pressed.
 */
export function Words({ id, places }: WordsProps) {
  const { list, error } = useWordList();
  if (error !== undefined) return <ErrorBanner error={error} />;
  return (
    <ol class="words" dir="ltr" lang="en" id={id} aria-busy={!list}>
      {places.map((place, i) => (
        <li key={i}>{list ? list[place] : '\u00a0'}</li>
      ))}
    </ol>
  );
}
