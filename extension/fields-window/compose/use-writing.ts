import { useState } from 'preact/hooks';
import type { OpenedField, UiFieldSession } from '../../../src/rpc/methods/ui-fields.ts';
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
  /** Keeps an edited text as a new one of the site, because the field has lost the old one. */
  readonly detach: () => void;
}

const ignored = () => undefined;

/**
 * The text that is being written. A new text has a draft for its site: in the vault, where it
 * survives the browser, and until it is stored there, in session storage. An opened text that is
 * edited has one of its own from the first change on. The text of a field has none, because the page
 * still has it.
 */
export function useWriting({ kind, origin, text }: UiFieldSession, edited?: OpenedField): Writing {
  const [before] = useState(() => (edited ? textToEdit(edited) : (utf8Text(text) ?? '')));
  const [fieldText, setFieldText] = useState(before);
  // The draft belongs to the site that the window was opened for, even if it reaches a frame of
  // another site.
  const [name] = useState(() =>
    ['sealed-text', origin ?? '', ...(edited ? [edited.draft.edited] : [])].join(' '),
  );
  const [draft, setDraft, clearDraft] = useDraft(name, before);
  const store = useStoredDraft(name, edited?.draft.edited);
  if (kind === 'seal') {
    const adopt = ({ text: found }: UiFieldSession) =>
      setFieldText((now) => [utf8Text(found) ?? '', now].filter((one) => one !== '').join('\n'));
    return { text: fieldText, change: setFieldText, adopt, clear: ignored, detach: ignored };
  }
  const change = (next: string) => {
    setDraft(next);
    store.soon(next);
  };
  const clear = () => {
    clearDraft();
    store.now('');
  };
  return { text: draft, change, adopt: ignored, clear, detach: () => store.detach(draft) };
}

/** What was written to replace the text, else the text itself. */
function textToEdit({ text, draft }: OpenedField): string {
  return utf8Text(draft.text.length > 0 ? draft.text : text) ?? '';
}
