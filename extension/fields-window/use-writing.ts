import { useState } from 'preact/hooks';
import type { FieldVisit } from '../../src/rpc/surface-fields.ts';
import { useDraft } from '../ui/use-draft.ts';
import { utf8Text } from '../ui/utf8.ts';

interface Writing {
  readonly text: string;
  readonly change: (text: string) => void;
  /** Once it is sealed and handed on. */
  readonly clear: () => void;
}

/**
 * What is written for a site outlives the window, in memory that ends with the browser. What stands in
 * a field already is kept by the page.
 */
export function useWriting({ kind, origin, text }: FieldVisit): Writing {
  const [draft, setDraft, clearDraft] = useDraft(`sealed-text ${origin ?? ''}`);
  const [held, setHeld] = useState(() => utf8Text(text) ?? '');
  if (kind === 'seal') return { text: held, change: setHeld, clear: () => undefined };
  return { text: draft, change: setDraft, clear: clearDraft };
}
