import type { StopReason } from '../../../src/rpc/methods/guard.ts';

/**
 * Dispatched on the window by each copy that starts. After an update, Chromium leaves the old one in a
 * world of its own, where the new one cannot find it. A page that dispatches it stops no living guard.
 */
export const STARTED = 'sealwright-guard-started';
/** Dispatched on the opener's window by the guard of a popup: nothing else leads from an opener to its popups. */
export const POPUP = 'sealwright-guard-popup';
/** Asks the guard of another document whether a field there is not sealed: then it cancels the event. */
export const ASKED = 'sealwright-guard-asked';
/** Has the guard of another document seal its fields. It answers on its own window by ANSWERED, with a reason or ''. */
export const WANTED = 'sealwright-guard-wanted';
const ANSWERED = 'sealwright-guard-answered';

/** Longer than a guard takes for a page that answers slowly. A guard that has ended does not answer. */
const ANSWER_WITHIN_MS = 15_000;

/**
 * The guards of the other documents of a site that its scripts can reach: in the frames of its tab at any depth, in its
 * opener's tab, and in the popups that it has opened. A press in one document can send the text of a field in another.
 *
 * The page can dispatch and cancel these events as well. It can have fields sealed by it, and its own presses held.
 */
export class SiteGuards {
  readonly #window: Window;
  readonly #popups = new Set<Window>();

  constructor(window: Window) {
    this.#window = window;
  }

  /** Makes this window known to its opener, if that is of the same site. */
  announce(): void {
    const opener = this.#opener;
    if (!opener || !isOfSite(opener, this.#window.origin)) return;
    opener.dispatchEvent(new MessageEvent(POPUP, { source: this.#window }));
  }

  /** Takes a POPUP event. */
  notePopup({ source }: MessageEvent): void {
    if (source && 'closed' in source) this.#popups.add(source);
  }

  /** Whether a field of another document is not sealed. */
  isUnsealed(): boolean {
    return this.#unsealed().length > 0;
  }

  /** @returns why a field of another document could not be sealed; null if all are sealed */
  async seal(): Promise<StopReason | null> {
    const reasons = await Promise.all(this.#unsealed().map(sealedIn));
    return reasons.find((reason) => reason !== null) ?? (this.isUnsealed() ? 'failed' : null);
  }

  /** Answers WANTED. */
  answer(reason: StopReason | null): void {
    this.#window.dispatchEvent(new CustomEvent(ANSWERED, { detail: reason ?? '' }));
  }

  #unsealed(): Window[] {
    return this.#others().filter(
      (window) => !window.dispatchEvent(new Event(ASKED, { cancelable: true })),
    );
  }

  #others(): Window[] {
    for (const popup of this.#popups) if (popup.closed) this.#popups.delete(popup);
    const windows = new Set<Window>();
    for (const one of [this.#window, this.#opener, ...this.#popups]) {
      if (one?.top) addFrames(one.top, windows);
    }
    windows.delete(this.#window);
    return [...windows].filter((window) => isOfSite(window, this.#window.origin));
  }

  get #opener(): Window | null {
    return this.#window.opener as Window | null;
  }
}

/** A window and its frames. Their number and their windows can be read in windows of other sites, too. */
function addFrames(window: Window, to: Set<Window>): void {
  to.add(window);
  for (let index = 0; index < window.length; index++) {
    const frame = window[index];
    if (frame) addFrames(frame, to);
  }
}

function isOfSite(window: Window, origin: string): boolean {
  try {
    return window.origin === origin;
  } catch {
    return false; // a SecurityError
  }
}

function sealedIn(window: Window): Promise<StopReason | null> {
  return new Promise((resolve) => {
    const onAnswer = ({ detail }: CustomEventInit<unknown>): void => {
      clearTimeout(timer);
      resolve(detail === '' ? null : (detail as StopReason));
    };
    const timer = setTimeout(() => {
      window.removeEventListener(ANSWERED, onAnswer);
      resolve('failed');
    }, ANSWER_WITHIN_MS);
    window.addEventListener(ANSWERED, onAnswer, { once: true });
    window.dispatchEvent(new Event(WANTED));
  });
}
