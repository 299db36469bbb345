import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';

/**
 * A text field's value whose draft survives closing the popup, until `clear`.
 *
 * @param key the name under which the draft is stored
 * @returns the value, its setter, and `clear`, which restores `initial` and deletes the draft
 */
export function useDraft(key: string, initial = ''): [string, (value: string) => void, () => void] {
  const { drafts } = useEnvironment();
  const [value, setValue] = useState(initial);
  const touched = useRef(false);
  // Before the browser paints: otherwise a key stroke that came earlier would be replaced by
  // `initial`.
  useLayoutEffect(() => {
    touched.current = false;
    setValue(initial);
    void drafts.get(key).then((draft) => {
      // Text that was typed before storage answered takes precedence over the draft.
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
