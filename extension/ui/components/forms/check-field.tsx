interface CheckFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox with its label and an explanation. */
export function CheckField({ id, label, hint, checked, onChange }: CheckFieldProps) {
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <p class="hint choice-hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
