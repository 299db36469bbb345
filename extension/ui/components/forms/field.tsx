import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  /** Renders the control with the attributes that connect it to its label, hint and error. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

/**
 * What is written in the extension's pages may be secret. These attributes keep it off the disk
 * (form history and session restore of both browsers leave out fields with autocomplete="off") and
 * away from spelling and writing aids, which may send text to a server.
 */
const PRIVATE = {
  autocomplete: 'off',
  spellcheck: false,
  writingsuggestions: 'false',
} as const;

/** Attributes for the control of a `Field`. */
export interface FieldAttributes extends Readonly<typeof PRIVATE> {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** A labelled control with a hint and an error, connected for screen readers. */
export function Field({ id, label, hint, error, children }: FieldProps) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        ...PRIVATE,
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': Boolean(error),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} control={id} error={error} />
    </div>
  );
}

interface FieldErrorProps {
  readonly id: string;
  /** The id of the control that is wrong. */
  readonly control: string;
  readonly error: string | undefined;
}

/**
 * What is wrong with a control, announced when it comes. If a press of a button in the same form has brought it, the focus
 * moves to the control, which is to be changed next; of several wrong ones to the first.
 */
export function FieldError({ id, control, error }: FieldErrorProps) {
  const controlId = useRef(control);
  controlId.current = control;
  useLayoutEffect(() => {
    const pressed = document.activeElement;
    if (!error || !(pressed instanceof HTMLButtonElement)) return;
    const wrong = document.getElementById(controlId.current);
    if (wrong?.closest('form, section, dialog')?.contains(pressed)) wrong.focus();
  }, [error]);
  return (
    <p class="field-error" id={id} aria-live="polite">
      {error}
    </p>
  );
}
