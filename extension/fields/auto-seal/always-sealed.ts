import { armorCandidates } from '../../../src/format/wire/find-armor.ts';
import type { TextControl } from '../text-control.ts';
import { isProtected } from '../policy.ts';

/** Whether a field holds unsealed text of the user. Read-only fields do not: only the page writes them. */
export function isUnsealed(field: TextControl): boolean {
  const { value } = field;
  if (value === '' || field.readOnly || field.matches(':disabled') || isProtected(field)) {
    return false;
  }
  return !isSealed(value);
}

/** Whether a value is one sealed text and nothing else, by its header and length. It is not opened. */
function isSealed(value: string): boolean {
  const text = value.trim();
  return /^[\w.-]+$/.test(text) && armorCandidates([text]).length > 0;
}
