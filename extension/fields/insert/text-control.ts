export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Types of `<input>` that a person writes text into (HTML, "The input element"). */
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'search', 'url', 'email', 'tel']);

/** By name and not by class: an element of a frame is of that frame's classes. */
export function isTextControl(element: Element): element is TextControl {
  if (element.localName === 'textarea') return true;
  if (element.localName !== 'input') return false;
  const { type } = element as HTMLInputElement;
  // Passwords are fields too, for the policy to forbid.
  return TEXT_TYPES.has(type) || type === 'password';
}
