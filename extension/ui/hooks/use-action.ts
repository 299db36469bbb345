import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** The state of one action, and how to run it. */
export interface Action {
  readonly busy: boolean;
  readonly error: unknown;
  /** Runs the work, unless other work is running. A rejection becomes `error`. */
  readonly run: (work: () => Promise<void>) => void;
  /** Removes `error`. */
  readonly clear: () => void;
}

/** Runs the work of a button, one at a time, and holds whether it is running and how it failed. */
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

/**
 * For a form that a button opens in its own place: moves the focus into the form, and back to the
 * button afterwards.
 *
 * @param opener - selects the button in the element; by default its first one
 * @returns the ref for the element around both
 */
export function useFormFocus<T extends HTMLElement>(
  isOpen: boolean,
  opener = 'button',
): RefObject<T> {
  const place = useRef<T>(null);
  const wasOpen = useRef(false);
  // Before the browser paints, so that the focus does not move while the user types elsewhere.
  useLayoutEffect(() => {
    if (isOpen) place.current?.querySelector('input')?.focus();
    else if (wasOpen.current) place.current?.querySelector<HTMLElement>(opener)?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return place;
}
