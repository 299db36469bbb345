import { useId } from 'preact/hooks';
import { CopyButton, SaveButton } from '../../ui/components/copy-button.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useFirstFocus } from '../../ui/hooks/use-focus.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

interface PasteTextProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onInput: (value: string) => void;
  /** Called with a text that was pasted, which is whole. */
  readonly onPaste: (value: string) => void;
}

/** A field for a text that somebody has sent. What is pasted replaces what was there, and is taken at once. */
export function PasteText(props: PasteTextProps) {
  const { id, label, hint, value, error, onInput, onPaste } = props;
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (pasted === '') return;
    event.preventDefault();
    onInput(pasted);
    onPaste(pasted);
  };
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          dir="ltr"
          rows={2}
          value={value}
          onPaste={paste}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SendTextProps {
  readonly id: string;
  /** To whom it is sent. */
  readonly lead: string;
  readonly value: string;
  readonly fileName: string;
  /** Whether a press has brought it: then the lead takes the focus. */
  readonly isNew?: boolean;
}

/** A text to be sent, which is shown in part, copied or saved. */
export function SendText({ id, lead, value, fileName, isNew = false }: SendTextProps) {
  const text = useText();
  const leadId = useId();
  const first = useFirstFocus<HTMLParagraphElement>(isNew);
  return (
    <div class="stack" id={id}>
      <p id={leadId} ref={first} tabIndex={-1}>
        {lead}
      </p>
      <p
        class="public-key-text"
        dir="ltr"
        id={`${id}-text`}
        role="group"
        aria-labelledby={leadId}
        tabIndex={0}
      >
        {value}
      </p>
      <div class="actions">
        <CopyButton value={value} label={text.t('friendsCopy')} variant="primary" />
        <SaveButton label={text.t('friendsSave')} fileName={fileName} contents={value} />
      </div>
    </div>
  );
}

/** Which files the fields for a recovery file accept: src/keys reads no longer ones. */
export const RECOVERY_FILE = {
  maxBytes: 16 * 2 ** 20,
  missing: 'friendsFileMissing',
  tooLarge: 'friendsFileBad',
} as const;

/** Errors of a recovery file, by the error's code. */
export const FILE_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'friendsFileBad',
  TOO_LARGE: 'friendsFileBad',
  UNSUPPORTED: 'friendsNewer',
};

/** The error of a text or a file, by the error's code. @throws any other error */
export function textError(error: unknown, words: Readonly<Record<string, MessageKey>>): MessageKey {
  const code = errorCode(error);
  if (!Object.hasOwn(words, code)) throw error;
  return words[code]!;
}
