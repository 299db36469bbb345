import type { TextControl } from '../text-control.ts';
import { isSealedText } from '../find/sealed-runs.ts';
import { isProtected } from '../policy.ts';

/** Whether a field holds unsealed text of the user. Read-only fields do not: only the page writes them. */
export function isUnsealed(field: TextControl): boolean {
  const { value } = field;
  if (value === '' || field.readOnly || field.matches(':disabled') || isProtected(field)) {
    return false;
  }
  return !isSealedText(value);
}
