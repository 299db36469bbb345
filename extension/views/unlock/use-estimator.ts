import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Estimator } from './strength-estimator.ts';

/** The strength estimator: undefined until it has been loaded; `ready` resolves to it. */
export function useEstimator(): { estimator: Estimator | undefined; ready: Promise<Estimator> } {
  const [estimator, setEstimator] = useState<Estimator>();
  const ready = useMemo(
    () => import('./strength-estimator.ts').then(({ createEstimator }) => createEstimator()),
    [],
  );
  useEffect(() => {
    let wanted = true;
    // A failure to load is shown where the form awaits `ready`.
    ready.then(
      (loaded) => wanted && setEstimator(loaded),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [ready]);
  return { estimator, ready };
}
