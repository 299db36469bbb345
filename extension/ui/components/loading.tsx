import { Mark } from '../picture/mark.tsx';
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
  /** Whether the mark comes down above it again and again, as a seal does: where something is being sealed. */
  readonly stamps?: boolean;
}

/** A progress bar. */
export function Progress({ label, value, stamps = false }: ProgressProps) {
  return (
    <div class="progress">
      {stamps && (
        <span class="stamping" aria-hidden="true">
          <Mark size={72} />
        </span>
      )}
      <progress aria-label={label} max={1} {...(value === undefined ? {} : { value })} />
    </div>
  );
}
