import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';

/** A text field's value that survives closing the popup, until `clear`. */
export function useDraft(key: string, initial = ''): [string, (value: string) => void, () => void] {
  const { drafts } = useEnvironment();
  const [value, setValue] = useState(initial);
  const touched = useRef(false);
  // Before the browser paints: a key stroke that came before this would be replaced by `initial`.
  useLayoutEffect(() => {
    touched.current = false;
    setValue(initial);
    void drafts.get(key).then((draft) => {
      // What was typed while storage answered wins over what it answers.
      if (draft !== undefined && !touched.current) setValue(draft);
    });
  }, [drafts, key, initial]);
  const change = (next: string) => {
    touched.current = true;
    setValue(next);
    void drafts.set(key, next);
  };
  const clear = () => {
    touched.current = true;
    setValue(initial);
    void drafts.remove(key);
  };
  return [value, change, clear];
}
