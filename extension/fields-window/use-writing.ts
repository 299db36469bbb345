import { useState } from 'preact/hooks';
import type { FieldVisit } from '../../src/rpc/surface-fields.ts';
import { useDraft } from '../ui/use-draft.ts';
import { utf8Text } from '../ui/utf8.ts';
import { useKeptDraft } from './use-kept-draft.ts';

interface Writing {
  readonly text: string;
  readonly change: (text: string) => void;
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
  const name = `sealed-text ${origin ?? ''}`;
  const [draft, setDraft] = useDraft(name, before);
  const keep = useKeptDraft(name);
  if (kind === 'seal') return { text: held, change: setHeld, clear: () => undefined };
  const change = (next: string) => {
    setDraft(next);
    keep(next);
  };
  return { text: draft, change, clear: () => change('') };
}
