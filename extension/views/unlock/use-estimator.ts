import { useEffect, useRef, useState } from 'preact/hooks';
import type { Estimator } from './strength-estimator.ts';

interface LoadedEstimator {
  /** Undefined until it has been loaded. */
  readonly estimator: Estimator | undefined;
  /** Loads it if that has not begun. */
  readonly ready: () => Promise<Estimator>;
}

/** The strength estimator. @param isWanted whether it is loaded before `ready` is called */
export function useEstimator(isWanted = true): LoadedEstimator {
  const [estimator, setEstimator] = useState<Estimator>();
  const loading = useRef<Promise<Estimator>>();
  const ready = () =>
    (loading.current ??= import('./strength-estimator.ts').then(({ createEstimator }) =>
      createEstimator(),
    ));
  useEffect(() => {
    if (!isWanted) return undefined;
    let isShown = true;
    // A failure to load is shown where the form awaits `ready`.
    ready().then(
      (loaded) => isShown && setEstimator(loaded),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isWanted]);
  return { estimator, ready };
}
