import { useState } from 'preact/hooks';
import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { pairingMessage, pairingMessageIn } from './pairing-message.ts';

interface MessageFieldsProps {
  /** Begins the ids of the fields. */
  readonly id: string;
  readonly label: string;
  /** The error for what is no message, and for one that the background has refused. */
  readonly bad: MessageKey;
  readonly isRefused: boolean;
  /** Called once a whole message is in one of the fields. */
  readonly onTake: (message: Uint8Array) => void;
}

/** A field for a message of another device as text, and one for its file. No button is needed: a message is whole or not. */
export function MessageFields({ id, label, bad, isRefused, onTake }: MessageFieldsProps) {
  const text = useText();
  const [given, setGiven] = useState('');
  const file = useChosenFile({ maxBytes: Infinity, missing: bad, tooLarge: bad });
  const isWrong = isRefused || (given.trim() !== '' && pairingMessage(given) === undefined);
  const type = (value: string) => {
    setGiven(value);
    const message = pairingMessage(value);
    if (message) onTake(message);
  };
  const takeFile = async () => {
    const chosen = file.chosen();
    const message = chosen && (await pairingMessageIn(chosen));
    if (message) onTake(message);
    else if (chosen) file.refuse(bad);
  };
  return (
    <>
      <Field id={id} label={label} error={isWrong ? text.t(bad) : undefined}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="ltr"
            rows={2}
            spellcheck={false}
            value={given}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
      <FileField
        id={`${id}-file`}
        label={text.t('deviceFile')}
        file={file}
        onChoose={() => void takeFile()}
      />
    </>
  );
}
