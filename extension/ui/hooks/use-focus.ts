import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/**
 * For what a press has brought, such as the next step: takes the focus as it appears, so that a screen reader reads it.
 *
 * @param isWanted - false where it was there from the beginning
 * @returns the ref for the element, which needs `tabIndex={-1}` if it is no control
 */
export function useFirstFocus<T extends HTMLElement>(isWanted = true): RefObject<T> {
  const place = useRef<T>(null);
  useLayoutEffect(() => {
    if (isWanted) place.current?.focus();
  }, []);
  return place;
}

/**
 * Moves the focus to what long work has brought, unless the user has gone on in another form.
 *
 * @param own - selects the form that began the work
 */
export function focusAfterWork(brought: HTMLElement | null, own: string): void {
  const field = document.activeElement;
  const isElsewhere = field?.matches('input, textarea, select') && !field.closest(own);
  if (!isElsewhere) brought?.focus();
}

/**
 * Keeps the focus in the view where the element that has it is removed, such as a row that was deleted or the button of a
 * step that is done: browsers give it to the body then, and a keyboard user starts again at the top of the page. It goes
 * to the heading of the innermost part that is still there (an element around the removed one with `aria-labelledby`).
 * A focus that an effect has placed meanwhile, or that the user took away by a press elsewhere, stays as it is.
 *
 * @param fallback - the id of the heading where no such part is left
 */
export function useKeptFocus(fallback: string): void {
  useEffect(() => {
    /** The element that has the focus, and those around it, from the inside. */
    let path: readonly Element[] = [];
    const note = ({ target }: Event) => {
      path = target instanceof Element ? pathOf(target) : [];
    };
    // Where the element is removed, a browser may tell that it has lost the focus before it is gone.
    const leave = () =>
      queueMicrotask(() => {
        if (isNowhere() && path[0]?.isConnected) path = [];
      });
    const keep = () => {
      if (!isNowhere() || path.length === 0 || path[0]!.isConnected) return;
      const heading = headingOf(path) ?? document.getElementById(fallback);
      path = [];
      if (!heading) return;
      if (heading.tabIndex < 0) heading.tabIndex = -1; // a summary has its place in the order of Tab
      heading.focus({ preventScroll: true });
    };
    const removals = new MutationObserver(keep);
    removals.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', leave);
    return () => {
      removals.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', leave);
    };
  }, [fallback]);
}

const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let one: Element | null = element; one; one = one.parentElement) path.push(one);
  return path;
}

/** The heading of the innermost part of the path that is in the page. */
function headingOf(path: readonly Element[]): HTMLElement | undefined {
  for (const part of path) {
    const heading = part.isConnected && document.getElementById(labelOf(part));
    if (heading) return heading;
  }
  return undefined;
}

const labelOf = (part: Element): string => part.getAttribute('aria-labelledby') ?? '';
