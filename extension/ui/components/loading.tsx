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
