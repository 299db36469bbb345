/** Dispatched on the opener's window by a guard in a popup: nothing else leads from an opener to its popups. */
export const POPUP = 'sealwright-guard-popup';

/**
 * The documents of a site that scripts of one of them can reach: the frames of its tab at any depth, those of
 * its opener's tab, and of the popups that it has opened. Each has a guard of its own; the text of a field in
 * one of them can be sent at a press in another.
 */
export class SiteDocuments {
  /** That of the script. */
  readonly own: Document;
  readonly #window: Window;
  readonly #popups = new Set<Window>();

  constructor(own: Document) {
    this.own = own;
    this.#window = own.defaultView!;
  }

  /** Makes the documents of this window known to its opener, if that is of the same site. */
  announce(): void {
    const opener = this.#opener;
    if (!opener || !documentOf(opener, this.#window.origin)) return;
    opener.dispatchEvent(new MessageEvent(POPUP, { source: this.#window }));
  }

  /** Takes a POPUP event. One that the page made leads to documents of the same site, too, or to none. */
  notePopup({ source }: MessageEvent): void {
    if (source && 'closed' in source) this.#popups.add(source);
  }

  /** Dispatches an event with a text on the windows of the other documents. */
  tell(type: string, detail: string): void {
    for (const { defaultView } of this.all().slice(1)) {
      defaultView?.dispatchEvent(new CustomEvent(type, { detail }));
    }
  }

  /** All documents, the own one first. */
  all(): Document[] {
    const { origin } = this.#window;
    for (const popup of this.#popups) if (popup.closed) this.#popups.delete(popup);
    const tabs = [this.#window, this.#opener, ...this.#popups].map((one) => one?.top);
    const windows = new Set<Window>([this.#window]);
    for (const tab of tabs) if (tab) addFrames(tab, windows);
    return [...windows]
      .map((each) => documentOf(each, origin))
      .filter((document) => document !== undefined);
  }

  get #opener(): Window | null {
    return this.#window.opener as Window | null;
  }
}

/** A window and its frames, in order. The number of frames and their windows can be read in other sites' windows too. */
function addFrames(window: Window, to: Set<Window>): void {
  to.add(window);
  for (let index = 0; index < window.length; index++) {
    const frame = window[index];
    if (frame) addFrames(frame, to);
  }
}

/** The document of a window; undefined where it is one of another origin. */
function documentOf(window: Window, origin: string): Document | undefined {
  try {
    return window.origin === origin ? window.document : undefined;
  } catch {
    return undefined; // a SecurityError
  }
}
