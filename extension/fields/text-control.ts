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
