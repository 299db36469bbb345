import { referred } from '../auto-seal/field-name.ts';
import type { TextControl } from '../text-control.ts';

/** Computed properties that the editor takes from its field. Their text has the same size and place then. */
const COPIED = [
  'caret-color',
  'color',
  'color-scheme',
  'direction',
  'font-family',
  'font-feature-settings',
  'font-kerning',
  'font-size',
  'font-stretch',
  'font-style',
  'font-variant',
  'font-weight',
  'letter-spacing',
  'line-height',
  'overflow-wrap',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'padding-top',
  'tab-size',
  'text-align',
  'text-indent',
  'text-transform',
  'unicode-bidi',
  'white-space',
  'word-break',
  'word-spacing',
  'writing-mode',
] as const;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;

/** Attributes that the keyboard, the spell checker and assistive technology use. */
const ATTRIBUTES = [
  'aria-invalid',
  'aria-required',
  'autocapitalize',
  'dir',
  'enterkeyhint',
  'inputmode',
  'lang',
  'required',
  'spellcheck',
] as const;

/** The size of the handle by which a textarea is resized: the editor leaves it uncovered. */
const HANDLE = '17px';

/** A rectangle of the window, in CSS pixels. */
export interface Place {
  readonly left: number;
  readonly top: number;
  /** The size before transforms, and the scale that these apply. */
  readonly width: number;
  readonly height: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly clip: string;
  /** Whether all of the field is shown: what is clipped may be beyond the end of the document. */
  readonly isWhole: boolean;
}

/**
 * Gives the editor's control the look of the field's text. The field itself draws the box around it.
 *
 * @param isTurned whether that box has another shape, so that the control draws its own
 */
export function copyLook(field: TextControl, control: TextControl, isTurned: boolean): void {
  const from = getComputedStyle(field);
  const { style } = control;
  for (const name of COPIED) style.setProperty(name, from.getPropertyValue(name));
  for (const side of SIDES) {
    style.setProperty(`border-${side}-width`, from.getPropertyValue(`border-${side}-width`));
  }
  // Text over an opaque canvas would hide the field: a frame is transparent if its scheme is the same.
  const scheme = from.colorScheme;
  const { documentElement, defaultView } = control.ownerDocument;
  documentElement.style.colorScheme = scheme;
  (defaultView!.frameElement as HTMLElement).style.colorScheme = scheme;
  // Where colours are forced, the text of the field cannot be hidden, but covered.
  const isOpaque = isTurned || matchMedia('(forced-colors: active)').matches;
  style.backgroundColor = isOpaque ? 'Field' : 'transparent';
  if (isTurned) style.color = style.caretColor = 'FieldText';
  for (const name of ATTRIBUTES) {
    const value = field.getAttribute(name);
    if (value === null) control.removeAttribute(name);
    else control.setAttribute(name, value);
  }
  control.setAttribute('aria-label', nameOf(field));
  control.setAttribute('aria-description', descriptionOf(field));
  control.setAttribute('aria-placeholder', field.placeholder);
}

/** Hides the text of a field. Chromium does not animate `-webkit-text-fill-color`. */
export function hiddenText(field: TextControl): Keyframe[] {
  const style = getComputedStyle(field);
  const { color } = style;
  const hidden: Record<string, string> = { color: 'transparent', textShadow: 'none' };
  // Borders may have the colour of the text.
  for (const side of ['Top', 'Right', 'Bottom', 'Left'] as const) {
    const name = `border${side}Color` as const;
    if (style[name] === color) hidden[name] = color;
  }
  return [hidden, hidden];
}

/** The accessible name, in the order of HTML-AAM 1.0, "Input Type Text". */
function nameOf(field: TextControl): string {
  // Of a label around the field, the field's own text is no part.
  const labels = [...(field.labels ?? [])].map(({ textContent }) =>
    textContent.replace(field.textContent || /$/, '').trim(),
  );
  const named = referred(field, 'aria-labelledby') || field.getAttribute('aria-label');
  return named || labels.join(' ') || field.title || field.placeholder;
}

/** A title that is not the name describes (HTML-AAM 1.0). */
function descriptionOf(field: TextControl): string {
  const described = referred(field, 'aria-describedby') || field.getAttribute('aria-description');
  return described || (nameOf(field) === field.title ? '' : field.title);
}

/** The parent in the tree that is displayed: a slot's, or the host of a shadow tree. */
function* ancestorsOf(element: Element): Generator<Element> {
  let next: Node | null = element;
  while (next) {
    next = (next as Element).assignedSlot ?? next.parentNode;
    if (next && 'host' in next) next = next.host as Element;
    if (next && 'localName' in next) yield next as Element;
  }
}

/** Whether an element is rotated, skewed, mirrored or in perspective. */
function isTurnedBy({ transform, rotate, perspective }: CSSStyleDeclaration): boolean {
  if (perspective !== 'none' || (rotate !== 'none' && rotate !== '')) return true;
  if (transform === 'none' || transform === '') return false;
  const { is2D, a, b, c, d } = new DOMMatrixReadOnly(transform);
  return !is2D || b !== 0 || c !== 0 || a <= 0 || d <= 0;
}

/** What of the surroundings of a field decides where its editor is, and is not read at each frame. */
export interface Surroundings {
  /** The innermost dialog, popover or full-screen element: what is outside of it is below or inert. */
  readonly container: Element;
  /** Elements that clip the field. */
  readonly clips: readonly Element[];
  readonly zIndex: string;
  /** Whether the field moves with the document as this is scrolled. */
  readonly isInDocument: boolean;
  /** Whether the field is no upright rectangle: its editor stands upright in the middle of it then. */
  readonly isTurned: boolean;
}

export function surroundingsOf(field: TextControl): Surroundings {
  const clips: Element[] = [];
  const { documentElement } = field.ownerDocument;
  let zIndex = 'auto';
  const ownStyle = getComputedStyle(field);
  let isTurned = isTurnedBy(ownStyle);
  // Of the outermost box so far: it decides which ancestor contains it, and so clips it.
  let { position } = ownStyle;
  for (const element of ancestorsOf(field)) {
    if (element.matches(':modal, :popover-open, :fullscreen')) {
      return { container: element, clips, zIndex, isInDocument: false, isTurned };
    }
    const style = getComputedStyle(element);
    isTurned ||= isTurnedBy(style);
    if (style.zIndex !== 'auto') ({ zIndex } = style);
    if (!contains(style, position)) continue;
    if (doesClip(element, style)) clips.push(element);
    ({ position } = style);
  }
  const isInDocument = position !== 'fixed';
  return { container: documentElement, clips, zIndex, isInDocument, isTurned };
}

/** Whether a box of this style contains descendants of such a position (CSS Positioned Layout 3, section 2.1). */
function contains(style: CSSStyleDeclaration, position: string): boolean {
  const { transform, filter, backdropFilter, contain, willChange } = style;
  const isForAll =
    [transform, filter, backdropFilter].some((value) => value !== 'none' && value !== '') ||
    /paint|layout|strict|content/.test(contain) ||
    /transform|filter/.test(willChange);
  if (isForAll || (position !== 'fixed' && position !== 'absolute')) return true;
  return position === 'absolute' && style.position !== 'static';
}

function doesClip(element: Element, { overflow, display }: CSSStyleDeclaration): boolean {
  const { documentElement, body } = element.ownerDocument;
  if (overflow === 'visible' || display === 'contents' || display === 'inline') return false;
  if (element === documentElement) return false;
  // That of the body is the window's, if the root has none (CSS Overflow 3, section 3.3).
  return element !== body || getComputedStyle(documentElement).overflow !== 'visible';
}

/** @returns null for a field that is not displayed */
export function placeOf(field: TextControl, { clips, isTurned }: Surroundings): Place | null {
  const { offsetWidth: width, offsetHeight: height } = field;
  const box = field.getBoundingClientRect();
  if (box.width === 0 || box.height === 0 || !field.checkVisibility({ visibilityProperty: true })) {
    return null;
  }
  const clip = clipOf(box, clips);
  const isWhole = clip === undefined;
  if (isTurned) {
    const left = box.left + (box.width - width) / 2;
    const top = box.top + (box.height - height) / 2;
    return { left, top, width, height, scaleX: 1, scaleY: 1, clip: 'none', isWhole };
  }
  const { left, top } = box;
  const [scaleX, scaleY] = [box.width / width, box.height / height];
  const common = { left, top, width, height, scaleX, scaleY };
  return { ...common, clip: clip ?? handleClip(field), isWhole };
}

/** Boxes of tables and of zoomed pages are clipped by parts of a pixel. */
const CLIPPED_MIN = 1;

/** Where the field is clipped, in its own pixels; undefined where all of it is shown, but for parts of a pixel. */
function clipOf(box: DOMRect, clips: readonly Element[]): string | undefined {
  const inset = { top: 0, right: 0, bottom: 0, left: 0 };
  for (const element of clips) {
    const by = element.getBoundingClientRect();
    inset.top = Math.max(inset.top, by.top - box.top);
    inset.left = Math.max(inset.left, by.left - box.left);
    inset.bottom = Math.max(inset.bottom, box.bottom - by.bottom);
    inset.right = Math.max(inset.right, box.right - by.right);
  }
  const { top, right, bottom, left } = inset;
  if (Math.max(top, right, bottom, left) < CLIPPED_MIN) return undefined;
  return `inset(${top}px ${right}px ${bottom}px ${left}px)`;
}

function handleClip(field: TextControl): string {
  if (field.localName !== 'textarea' || getComputedStyle(field).resize === 'none') return 'none';
  const edge = `calc(100% - ${HANDLE})`;
  return `polygon(0 0, 100% 0, 100% ${edge}, ${edge} ${edge}, ${edge} 100%, 0 100%)`;
}
