interface ProgressProps {
  readonly label: string;
  /** 0 … 1; absent while nobody knows how long it takes. */
  readonly value?: number;
}

export function Progress({ label, value }: ProgressProps) {
  return (
    <div class="progress">
      <progress aria-label={label} max={1} {...(value === undefined ? {} : { value })} />
    </div>
  );
}
