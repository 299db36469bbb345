/** A form control that a person writes text into. */
export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Types of `<input>` that a person writes text into (HTML, "The input element"). */
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'search', 'url', 'email', 'tel']);

/**
 * Whether an element is a text control, password fields included: the policy (policy.ts) refuses
 * those. The element's name decides and not its class, because frames have classes of their own.
 */
export function isTextControl(element: Element): element is TextControl {
  if (element.localName === 'textarea') return true;
  if (element.localName !== 'input') return false;
  const { type } = element as HTMLInputElement;
  return TEXT_TYPES.has(type) || type === 'password';
}

/** The least width and height of a field that a user sees, in CSS pixels. */
const SEEN_MIN = 4;

/** Whether more than a few pixels of it are drawn. Editors that draw their text themselves receive keys in one that is not. */
export function isSeen(area: HTMLElement): boolean {
  if (!area.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  for (let element: HTMLElement | null = area; element; element = element.parentElement) {
    const { width, height } = element.getBoundingClientRect();
    const clips = element === area || getComputedStyle(element).overflow !== 'visible';
    if (clips && (width < SEEN_MIN || height < SEEN_MIN)) return false;
  }
  const { right, bottom } = area.getBoundingClientRect();
  return right + scrollX > 0 && bottom + scrollY > 0;
}
