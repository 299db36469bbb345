import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

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
