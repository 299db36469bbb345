import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Action {
  readonly busy: boolean;
  readonly error: unknown;
  /** Runs the work unless one is running already; a rejection becomes `error`. */
  readonly run: (work: () => Promise<void>) => void;
  readonly clear: () => void;
}

/** One thing at a time that a button starts: is it running, and how did it fail. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const running = useRef(false);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const settle = useCallback((next: { busy: boolean; error?: unknown }) => {
    if (mounted.current) setState(next);
  }, []);
  const run = useCallback(
    (work: () => Promise<void>) => {
      if (running.current) return;
      running.current = true;
      settle({ busy: true });
      void work()
        .then(
          () => settle({ busy: false }),
          (error: unknown) => settle({ busy: false, error }),
        )
        .finally(() => {
          running.current = false;
        });
    },
    [settle],
  );
  return { ...state, error: state.error, run, clear: () => settle({ busy: false }) };
}
