import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

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

/** Focus goes into a form that a button opens in its place, and back to the button afterwards. */
export function useFormFocus<T extends HTMLElement>(isOpen: boolean): RefObject<T> {
  const place = useRef<T>(null);
  const wasOpen = useRef(false);
  // Before the browser paints: a key stroke into another field must not be followed by a change of focus.
  useLayoutEffect(() => {
    if (isOpen) place.current?.querySelector('input')?.focus();
    else if (wasOpen.current) place.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return place;
}
