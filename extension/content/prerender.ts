/** The part of Document that Chromium adds for pages loaded before anyone has asked for them. */
export interface Prerendered extends EventTarget {
  readonly prerendering?: boolean;
}

/** Runs `start` now, or when a prerendered page is shown: until then its frame is not the tab's. */
export function whenActivated(document: Prerendered, start: () => void): void {
  if (!document.prerendering) start();
  else document.addEventListener('prerenderingchange', start, { once: true });
}
