import { useText } from '../environment/environment.ts';

/** Shown until the first answer arrives. CSS delays it, so that fast answers cause no flicker. */
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
  /** 0 … 1; absent while the duration is unknown. */
  readonly value?: number;
}

/** A progress bar. */
export function Progress({ label, value }: ProgressProps) {
  return (
    <div class="progress">
      <progress aria-label={label} max={1} {...(value === undefined ? {} : { value })} />
    </div>
  );
}
