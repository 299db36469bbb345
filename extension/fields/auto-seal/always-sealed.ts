import { armorCandidates } from '../../../src/format/wire/find-armor.ts';
import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { textControls } from '../find/page-text.ts';
import type { TextControl } from '../text-control.ts';
import { isProtected } from '../policy.ts';
import { hasName } from './field-name.ts';

/** Fields of a document and its shadow trees that hold text which is to be sealed before it leaves. */
export function unsealedFields(document: Document, names: readonly FieldName[]): TextControl[] {
  if (names.length === 0) return [];
  const isMarked = (field: TextControl) => names.some((name) => hasName(field, name));
  return textControls(document).filter((field) => isMarked(field) && isUnsealed(field));
}

/** Whether a person's text stands in it as they wrote it. What the page alone can write is not theirs. */
export function isUnsealed(field: TextControl): boolean {
  const { value } = field;
  if (value === '' || field.readOnly || field.matches(':disabled') || isProtected(field)) {
    return false;
  }
  return !isSealed(value);
}

/** One sealed text and nothing else, by its header and its length; whether it opens is not asked. */
function isSealed(value: string): boolean {
  const text = value.trim();
  return /^[\w.-]+$/.test(text) && armorCandidates([text]).length > 0;
}
