import { useEffect, useState } from 'preact/hooks';

/**
 * EFF's long list, whose places docs/format.md section 3.4 counts. Loaded when somebody compares.
 * Undefined until it is there: digits say the same.
 */
export function useWordList(): readonly string[] | undefined {
  const [words, setWords] = useState<readonly string[]>();
  useEffect(() => {
    let isWanted = true;
    void import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
      if (isWanted) setWords(dictionary['diceware-common']);
    });
    return () => {
      isWanted = false;
    };
  }, []);
  return words;
}
