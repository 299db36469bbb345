import { useState } from 'preact/hooks';
import type { FieldInsertOutcome, FieldVisit } from '../../../src/rpc/methods/ui-fields.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { takesOwnKey, type Audience } from './audience.ts';
import { useFieldSessionEnvironment } from '../environment.ts';
import { sealingKeyFor } from '../../ui/components/sealing-key.tsx';
import { utf8Bytes } from '../../ui/text/plain-text.ts';

/** A text that is sealed, and where it went. */
export interface Sealed {
  readonly armored: string;
  /** Null where it was for the clipboard. */
  readonly outcome: FieldInsertOutcome | null;
  /** False where the browser would not let it onto the clipboard; it is shown all the same. */
  readonly copied: boolean;
}

interface Sealing {
  readonly action: Action;
  readonly sealed: Sealed | undefined;
  readonly start: (text: string, audience: Audience, to: 'field' | 'clipboard') => void;
}

/**
 * Seals, then hands on. What was sealed is shown whatever becomes of it: a field that does not take it
 * loses nothing.
 */
export function useSealing(session: FieldVisit, onInserted: () => void): Sealing {
  const { ui, text: words } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const action = useAction();
  const [sealed, setSealed] = useState<Sealed>();
  const seal = async (text: string, audience: Audience): Promise<Uint8Array> => {
    const { armored } = await ui.call('ui.sealField', {
      visitId: sessionId,
      text: utf8Bytes(text),
      ...(takesOwnKey(audience) && { ref: await sealingKeyFor(audience.ref, ui, words) }),
      ...(audience.who === 'people' && { contacts: [...audience.contacts] }),
    });
    return armored;
  };
  const start: Sealing['start'] = (text, audience, to) => {
    action.run(async () => {
      const bytes = await seal(text, audience);
      const armored = new TextDecoder().decode(bytes);
      const isForField = to === 'field' && session.field === 'there';
      const outcome = isForField
        ? await ui.call('ui.insertSealed', { visitId: sessionId, armored: bytes })
        : null;
      const copied = !isForField && (await isCopied(armored));
      setSealed({ armored, outcome, copied });
      if (outcome?.inserted ?? copied) onInserted();
    });
  };
  return { action, sealed, start };
}

/** Not so where the window has lost the focus meanwhile. */
function isCopied(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
