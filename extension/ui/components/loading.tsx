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
  /** Whether the mark comes down above it (Stamping). */
  readonly stamps?: boolean;
}

/** A progress bar. */
export function Progress({ label, value, stamps = false }: ProgressProps) {
  return (
    <div class="progress">
      {stamps && <Stamping size={72} />}
      <progress aria-label={label} max={1} {...(value === undefined ? {} : { value })} />
    </div>
  );
}

/**
 * The mark, which comes down again and again as a seal does: where something is being sealed. It stands still for who
 * wants no motion.
 *
 * @param size - in CSS pixels
 */
export function Stamping({ size }: { readonly size: number }) {
  return (
    <span class="stamping" aria-hidden="true">
      <Mark size={size} />
    </span>
  );
}
