import { useState } from 'preact/hooks';
import type { UiFieldSession } from '../../../src/rpc/methods/ui-fields.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { utf8Text } from '../../ui/text/plain-text.ts';
import { useStoredDraft } from './use-stored-draft.ts';

interface Writing {
  readonly text: string;
  readonly change: (text: string) => void;
  /**
   * Takes over the text of a field that was unreachable before, above what was written meanwhile.
   */
  readonly adopt: (session: UiFieldSession) => void;
  /** Deletes text and draft, after the text was sealed and inserted or copied. */
  readonly clear: () => void;
}

/**
 * The text that is being written. A new text has a draft for its site: in the vault, where it
 * survives the browser, and until it is stored there, in session storage. The text of a field has
 * none, because the page still has it.
 */
export function useWriting({ kind, origin, text }: UiFieldSession): Writing {
  const [before] = useState(() => utf8Text(text) ?? '');
  const [fieldText, setFieldText] = useState(before);
  // The draft belongs to the site that the window was opened for, even if it reaches a frame of
  // another site.
  const [name] = useState(`sealed-text ${origin ?? ''}`);
  const [draft, setDraft] = useDraft(name, before);
  const store = useStoredDraft(name);
  if (kind === 'seal') {
    const adopt = ({ text: found }: UiFieldSession) =>
      setFieldText((now) => [utf8Text(found) ?? '', now].filter((one) => one !== '').join('\n'));
    return { text: fieldText, change: setFieldText, adopt, clear: () => undefined };
  }
  const change = (next: string) => {
    setDraft(next);
    store(next);
  };
  return { text: draft, change, adopt: () => undefined, clear: () => change('') };
}
