import { EDITOR_HOST } from '../../platform/fields/shadow-root.ts';
import type { EditorHost } from '../find/focused.ts';
import type { TextControl } from '../text-control.ts';
import type { Place, Surroundings } from './appearance.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';

/** Set through CSSOM, which content security policies allow. `all` resets rules of the page. */
const HOST_STYLE =
  'all: initial !important; position: fixed !important; left: 0 !important; top: 0 !important; ' +
  'transform-origin: 0 0 !important; visibility: hidden;';
const FRAME_STYLE =
  'all: initial; display: block; width: 100%; height: 100%; border: 0; background: none;';
const BODY_STYLE = 'margin: 0; background: none; overflow: hidden;';
const CONTROL_STYLE =
  'all: unset; display: block; box-sizing: border-box; width: 100vw; height: 100vh; margin: 0; ' +
  'border: 0 solid transparent; resize: none; overflow: auto; outline-offset: -2px; cursor: text;';

/**
 * A text control in a frame without an address, in a closed shadow tree. The page cannot reach the frame:
 * `window.frames` does not list frames of shadow trees, and events of a frame do not leave it. It inherits
 * no style sheets and no fonts of the page, by which a page could find out which characters are shown.
 */
export class EditorFrame {
  readonly #host: EditorHost;
  readonly #root: ShadowRoot;
  /** Adds the listeners to a control, and its text. */
  readonly #furnish: (control: TextControl, window: Window) => void;
  #control: TextControl | undefined;

  constructor(document: Document, furnish: (control: TextControl, window: Window) => void) {
    this.#host = document.createElementNS(XHTML, EDITOR_HOST);
    this.#host.style.cssText = HOST_STYLE;
    this.#root = this.#host.attachShadow({ mode: 'closed' });
    this.#furnish = furnish;
  }

  /** Undefined while the frame is in no document: it loses its content then. */
  get control(): TextControl | undefined {
    return this.#host.isConnected ? this.#control : undefined;
  }

  get hasFocus(): boolean {
    const root = this.#host.getRootNode() as Document | ShadowRoot;
    const control = this.control;
    return root.activeElement === this.#host && control?.ownerDocument.activeElement === control;
  }

  /** Shows the frame in this element, with a new control if it is not there yet. */
  attach(container: Element, field: TextControl): void {
    this.#host.sealwrightField = field;
    const isSame = this.#control?.localName === field.localName;
    if (this.#host.parentNode === container && isSame) return;
    const { ownerDocument } = container;
    const frame = ownerDocument.createElementNS(XHTML, 'iframe') as HTMLIFrameElement;
    frame.style.cssText = FRAME_STYLE;
    // No script of a page runs in it, nor of this extension in the world of pages.
    frame.sandbox.add('allow-same-origin');
    this.#root.replaceChildren(frame);
    container.append(this.#host);
    const inner = frame.contentDocument!;
    inner.body.style.cssText = BODY_STYLE;
    const control = inner.createElement(field.localName) as TextControl;
    control.style.cssText = CONTROL_STYLE;
    // Browsers store the text of fields with their sessions, but not of these.
    control.autocomplete = 'off';
    inner.body.append(control);
    this.#control = control;
    this.#furnish(control, frame.contentWindow!);
  }

  /** @param place null: it is not shown */
  place(place: Place | null, { zIndex, isInDocument }: Surroundings): void {
    const { style } = this.#host;
    // What the browser moves itself is in its place before the next frame, and at a press.
    set(style, 'position', isInDocument ? 'absolute' : 'fixed');
    set(style, 'visibility', place ? 'visible' : 'hidden');
    if (!place) return;
    const { left, top, width, height, scaleX, scaleY, clip } = place;
    set(style, 'width', `${width}px`);
    set(style, 'height', `${height}px`);
    set(style, 'z-index', zIndex);
    set(style, 'clip-path', clip);
    // Each is placed in another element if there is one that is transformed, or positioned.
    const now = this.#host.getBoundingClientRect();
    const [x, y] = this.#moved;
    const moved = [x + left - now.left, y + top - now.top] as const;
    if (Math.abs(moved[0] - x) + Math.abs(moved[1] - y) > 0.01) this.#moved = moved;
    const [toX, toY] = this.#moved;
    set(style, 'transform', `translate(${toX}px, ${toY}px) scale(${scaleX}, ${scaleY})`);
  }

  #moved: readonly [x: number, y: number] = [0, 0];

  remove(): void {
    this.#host.remove();
    this.#control = undefined;
  }
}

/** Writing a style that is there already makes the browser compute styles anew. */
function set(style: CSSStyleDeclaration, name: string, value: string): void {
  const before = style.getPropertyValue(name);
  if (before !== value) style.setProperty(name, value, 'important');
}
