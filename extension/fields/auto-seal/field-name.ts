import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { MAX_FIELD_NAME_CHARACTERS } from '../../../src/rpc/limits.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isProtected } from '../policy.ts';

/**
 * The attribute that identifies a field in later page loads: the name under which its form sends it;
 * else its id, label or placeholder. An id with a digit may be generated for one page load, and is the
 * last choice.
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

/** Characters of a label that are kept. */
const MAX_LABEL_CHARACTERS = 80;

/**
 * What the page calls a field: its label, else its accessible name, placeholder or title. Undefined where it has none
 * of these.
 */
export function labelOfField(field: TextControl): string | undefined {
  const labels = Array.from(field.labels ?? [], (label) => wordsBeside(field, label));
  const attributes = ['aria-label', 'placeholder', 'title'].map((by) => field.getAttribute(by));
  return [labels.join(' '), ...attributes]
    .map((words) => (words ?? '').replace(/\s+/g, ' ').trim())
    .map((words) => Array.from(words).slice(0, MAX_LABEL_CHARACTERS).join(''))
    .find((words) => words !== '');
}

/** A label may hold its field, whose text is not of the label. */
function wordsBeside(field: TextControl, label: Node): string {
  return Array.from(label.childNodes, (node) =>
    node === field ? '' : node.contains(field) ? wordsBeside(field, node) : node.textContent,
  ).join(' ');
}

/** Whether a field has this name. */
export function hasName(field: TextControl, { tag, by, value }: FieldName): boolean {
  return field.localName === tag && field.getAttribute(by) === value;
}

function attributesOf({ id }: Element): readonly FieldName['by'][] {
  return /\d/.test(id)
    ? ['name', 'aria-label', 'placeholder', 'id']
    : ['name', 'id', 'aria-label', 'placeholder'];
}
