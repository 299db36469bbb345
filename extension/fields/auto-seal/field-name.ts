import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { MAX_FIELD_NAME_CHARACTERS } from '../../../src/rpc/limits.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isProtected } from '../policy.ts';

/**
 * What a field is known by at its next visit: the name that its form sends it under; else its id, its
 * label, its placeholder. An id with a digit in it may have been counted up for this visit alone, and
 * comes last.
 *
 * @returns null for a field without any of these, and for one that is never sealed
 */
export function nameOfField(field: Element): FieldName | null {
  if (!isTextControl(field) || isProtected(field)) return null;
  const tag = field.localName as FieldName['tag'];
  for (const by of attributesOf(field)) {
    const value = field.getAttribute(by) ?? '';
    if (value !== '' && value.length <= MAX_FIELD_NAME_CHARACTERS) return { tag, by, value };
  }
  return null;
}

export function hasName(field: TextControl, { tag, by, value }: FieldName): boolean {
  return field.localName === tag && field.getAttribute(by) === value;
}

function attributesOf({ id }: Element): readonly FieldName['by'][] {
  return /\d/.test(id)
    ? ['name', 'aria-label', 'placeholder', 'id']
    : ['name', 'id', 'aria-label', 'placeholder'];
}
