import { useState } from 'preact/hooks';
import type { FieldVisit } from '../../../src/rpc/methods/ui-fields.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { utf8Text } from '../../ui/text/plain-text.ts';
import { useStoredDraft } from './use-stored-draft.ts';

interface Writing {
  readonly text: string;
  readonly change: (text: string) => void;
  /** What stands in a field that was out of reach before; what was written meanwhile stays, below it. */
  readonly adopt: (session: FieldVisit) => void;
  /** Once it is sealed and handed on. */
  readonly clear: () => void;
}

/**
 * What is written for a site outlives the window and the browser, in the vault; what is not there yet,
 * in memory that ends with the browser. What stands in a field already is kept by the page.
 */
export function useWriting({ kind, origin, text }: FieldVisit): Writing {
  const [before] = useState(() => utf8Text(text) ?? '');
  const [held, setHeld] = useState(before);
  // Of the site that the window was opened for, also when it has reached a frame of another.
  const [name] = useState(`sealed-text ${origin ?? ''}`);
  const [draft, setDraft] = useDraft(name, before);
  const keep = useStoredDraft(name);
  if (kind === 'seal') {
    const adopt = ({ text: found }: FieldVisit) =>
      setHeld((now) => [utf8Text(found) ?? '', now].filter((one) => one !== '').join('\n'));
    return { text: held, change: setHeld, adopt, clear: () => undefined };
  }
  const change = (next: string) => {
    setDraft(next);
    keep(next);
  };
  return { text: draft, change, adopt: () => undefined, clear: () => change('') };
}
