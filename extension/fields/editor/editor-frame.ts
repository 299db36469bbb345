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

/** As for marks (../marks): a press before this time was meant for the field. */
const STANDING_MS = 500;
/** Beside the handle by which a textarea is resized. */
const BUTTON_STYLE =
  'display: none; position: fixed; inset-block-end: 1px; inset-inline-end: 18px; max-width: calc(100vw - 19px); max-height: 100vh; ' +
  'box-sizing: border-box; margin: 0; padding: 1px 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; ' +
  'border: 1px solid #0b626d; border-radius: 4px; background: #fff; color: #0b626d; font: 12px/1.4 system-ui; cursor: pointer;';

interface ButtonEvents {
  readonly onPress: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
  /** A visit of the button is one of the field. */
  readonly onEnter: () => void;
  readonly onLeave: () => void;
}

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
  #button: HTMLButtonElement | undefined;
  /** When it was shown, in ms of the document's clock. */
  #buttonSince = 0;

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
    const focused = control?.ownerDocument.activeElement;
    return root.activeElement === this.#host && (focused === control || focused === this.#button);
  }

  /** Adds a button over the end of the field, hidden at first. */
  addButton(label: string, { onPress, onKey, onEnter, onLeave }: ButtonEvents): void {
    const button = this.#control!.ownerDocument.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.hidden = true;
    button.style.cssText = BUTTON_STYLE;
    button.addEventListener('click', (event) => {
      const isMeant = event.isTrusted && performance.now() - this.#buttonSince >= STANDING_MS;
      if (isMeant) onPress();
    });
    button.addEventListener('focus', onEnter);
    button.addEventListener('blur', onLeave);
    button.addEventListener('keydown', (event) => {
      if (event.key === 'Tab' && event.shiftKey) {
        event.preventDefault();
        this.#control?.focus();
      } else if (event.key === 'Tab') onKey(event);
    });
    this.#control!.after(button);
    this.#button = button;
  }

  showButton(isShown: boolean): void {
    if (!this.#button || this.#button.hidden !== isShown) return;
    if (!isShown && this.#button.matches(':focus')) this.#control?.focus();
    this.#button.hidden = !isShown;
    this.#button.style.display = isShown ? 'block' : 'none';
    this.#buttonSince = performance.now();
  }

  /** @returns whether the button is shown, and has the focus now */
  focusButton(): boolean {
    if (!this.#button || this.#button.hidden) return false;
    this.#button.focus();
    return true;
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
    set(style, 'position', isInDocument && place?.isWhole ? 'absolute' : 'fixed');
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
