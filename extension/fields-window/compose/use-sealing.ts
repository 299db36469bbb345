import { useState } from 'preact/hooks';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import type { FieldInsertOutcome, UiFieldSession } from '../../../src/rpc/methods/ui-fields.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction, type Action } from '../../ui/hooks/use-action.ts';
import { recipientsOf, type Audience } from '../../views/audience/audience.ts';
import { useFieldSessionEnvironment } from '../environment.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';

/** A sealed text, and whether it was inserted or copied. */
export interface Sealed {
  readonly armored: string;
  /** The result of the insertion; null if the text was meant for the clipboard. */
  readonly outcome: FieldInsertOutcome | null;
  /** Whether the browser let the text onto the clipboard. */
  readonly copied: boolean;
}

interface Sealing {
  readonly action: Action;
  readonly sealed: Sealed | undefined;
  readonly start: (text: string, audience: Audience, to: 'field' | 'clipboard') => void;
}

/**
 * Seals a text, then inserts or copies it. The sealed text is in the state in any case, so that a
 * field that does not accept it loses nothing.
 *
 * @param onInserted called after the text was inserted or copied
 * @param onLost called when the field is gone, or no longer has what the text was to replace
 */
export function useSealing(
  session: UiFieldSession,
  onInserted: () => void,
  onLost: () => void,
): Sealing {
  const { ui, text: words } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const action = useAction();
  const [sealed, setSealed] = useState<Sealed>();
  const seal = async (text: string, audience: Audience): Promise<string> => {
    const message = await ui.call('ui.sealField', {
      sessionId,
      text: utf8Bytes(text),
      ...(await recipientsOf(audience, ui, words)),
    });
    return webArmor(message.sealed);
  };
  const start: Sealing['start'] = (text, audience, to) => {
    action.run(async () => {
      const armored = await seal(text, audience);
      const isForField = to === 'field' && session.field === 'there';
      const outcome = isForField
        ? await ui.call('ui.insertSealed', { sessionId, armored: utf8Bytes(armored) })
        : null;
      const copied = !isForField && (await copy(armored));
      setSealed({ armored, outcome, copied });
      if (outcome?.inserted ?? copied) onInserted();
      else if (outcome?.reason === 'gone' || outcome?.reason === 'changed') onLost();
    });
  };
  return { action, sealed, start };
}

/**
 * Copies a text. Resolves to false if the browser refuses, because the window lost the focus
 * meanwhile.
 */
function copy(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
