import { useText } from '../environment/environment.ts';

/** Stands in while the first answer is awaited; shown late by CSS, so that fast answers do not flash. */
export function Loading() {
  const text = useText();
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {text.t('loading')}
    </p>
  );
}

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
