import { onRewritten } from '../../platform/channels/rewritten.ts';
import { findSealed } from '../find/find-sealed.ts';
import type { FoundText } from '../find/find-sealed.ts';
import { MarkLayer } from './mark-layer.ts';

/** The shortest time between two scans. A scan takes milliseconds and runs while the page is idle. */
const REST_MS = 300;
/** A pause is at least this many times as long as the last scan, so that large pages stay responsive. */
const REST_PER_WALK = 20;

/** Dependencies of PageMarks. */
export interface PageMarksDeps {
  readonly document: Document;
  readonly label: string;
  readonly onPress: (found: FoundText) => void;
}

const CHANGES = { childList: true, characterData: true, subtree: true } as const;

/** Finds sealed texts in a page as it changes, and shows a mark at each. */
export class PageMarks {
  readonly #document: Document;
  readonly #layer: MarkLayer;
  readonly #observer = new MutationObserver(() => this.#changed());
  readonly #ending = new AbortController();
  readonly #onInput = (): void => this.#changed();
  readonly #onMove = (): void => this.#moved();
  readonly #watched = new WeakSet<Node>();
  #scanMs = 0;
  #scanTimer: ReturnType<typeof setTimeout> | undefined;
  #placeFrame = 0;

  constructor(deps: PageMarksDeps) {
    this.#document = deps.document;
    this.#layer = new MarkLayer(deps);
  }

  get count(): number {
    return this.#layer.count;
  }

  start(): void {
    this.scan();
    this.#listen();
    const endListening = onRewritten(this.#document, () => this.#listen());
    this.#ending.signal.addEventListener('abort', endListening);
  }

  #listen(): void {
    const { signal } = this.#ending;
    const soon = { capture: true, passive: true, signal };
    this.#document.addEventListener('input', this.#onInput, soon);
    // The layer scrolls with the page, but not with scrolling elements in it.
    this.#document.addEventListener('scroll', this.#onMove, soon);
    this.#document.defaultView?.addEventListener('resize', this.#onMove, { signal });
  }

  stop(): void {
    this.#ending.abort();
    this.#observer.disconnect();
    clearTimeout(this.#scanTimer);
    cancelAnimationFrame(this.#placeFrame);
    this.#layer.remove();
  }

  scan(): void {
    const before = performance.now();
    const { found, shadows } = findSealed(this.#document);
    for (const root of [this.#document, ...shadows]) this.#watch(root);
    this.#layer.show(found);
    this.#scanMs = performance.now() - before;
  }

  #watch(root: Node): void {
    if (this.#watched.has(root)) return;
    this.#watched.add(root);
    this.#observer.observe(root, CHANGES);
  }

  #changed(): void {
    this.#moved();
    if (this.#scanTimer !== undefined) return;
    const restMs = Math.max(REST_MS, REST_PER_WALK * this.#scanMs);
    this.#scanTimer = setTimeout(() => {
      this.#scanTimer = undefined;
      requestIdleCallback(() => !this.#ending.signal.aborted && this.scan(), { timeout: 1000 });
    }, restMs);
  }

  #moved(): void {
    if (this.#layer.count === 0 || this.#placeFrame !== 0) return;
    this.#placeFrame = requestAnimationFrame(() => {
      this.#placeFrame = 0;
      this.#layer.place();
    });
  }
}
