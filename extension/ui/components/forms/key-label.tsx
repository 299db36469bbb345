import { useState } from 'preact/hooks';
import { MAX_LABEL_CHARACTERS } from '../../../../src/rpc/limits.ts';
import { TextField } from './text-field.tsx';
import { useText } from '../../environment/environment.ts';
import { useDraft } from '../../hooks/use-draft.ts';

/** The name of a key while it is typed. Its draft is stored; an empty name is an error. */
export interface KeyLabel {
  readonly value: string;
  readonly isMissing: boolean;
  readonly set: (value: string) => void;
  readonly clear: () => void;
  /** Shows an error if the name is empty. @returns the trimmed name; '' if it is empty */
  readonly check: () => string;
}

/** State of a key's name. @param draft the name under which the draft is stored */
export function useKeyLabel(draft: string, initial = ''): KeyLabel {
  const [value, set, clear] = useDraft(draft, initial);
  const [isMissing, setMissing] = useState(false);
  const check = () => {
    const label = value.trim();
    setMissing(label === '');
    return label;
  };
  return { value, isMissing, set, clear, check };
}

interface KeyLabelFieldProps {
  readonly id: string;
  readonly label: KeyLabel;
  readonly hint?: string;
}

/** The text field for a `KeyLabel`. */
export function KeyLabelField({ id, label, ...hint }: KeyLabelFieldProps) {
  const text = useText();
  return (
    <TextField
      id={id}
      label={text.t('keyLabel')}
      maxLength={MAX_LABEL_CHARACTERS}
      value={label.value}
      error={label.isMissing ? text.t('keyLabelMissing') : undefined}
      onInput={label.set}
      {...hint}
    />
  );
}
