import type { FieldName } from '../../../src/rpc/methods/guard.ts';
import { MAX_FIELD_NAME_CHARACTERS } from '../../../src/rpc/limits.ts';
import { isTextControl, type TextControl } from '../text-control.ts';
import { isProtected } from '../policy.ts';

/**
 * What identifies a field whenever a page shows it: the name under which its form sends it; else its id, label or
 * placeholder. `aria-label` stands for all of a field's labels. A generated id is the last choice.
 *
 * @returns null for a field without any of these, and for one that is never sealed
 */
export function nameOfField(field: Element): FieldName | null {
  if (!isTextControl(field) || isProtected(field)) return null;
  const tag = field.localName as FieldName['tag'];
  for (const by of attributesOf(field)) {
    const value = valuesOf(field, by).find(
      (one) => one !== '' && one.length <= MAX_FIELD_NAME_CHARACTERS,
    );
    if (value !== undefined) return { tag, by, value };
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
  const attributes = ['aria-label', 'placeholder', 'title'].map((by) => field.getAttribute(by));
  return [labelWords(field), ...attributes.map(inOneLine)]
    .map((words) => Array.from(words).slice(0, MAX_LABEL_CHARACTERS).join(''))
    .find((words) => words !== '');
}

/** The words of its `label` elements, else of those that `aria-labelledby` lists; empty without any. */
function labelWords(field: TextControl): string {
  const labels = Array.from(field.labels ?? [], (label) => wordsBeside(field, label));
  return inOneLine(labels.join(' ')) || inOneLine(referred(field, 'aria-labelledby'));
}

/** The texts of the elements that an attribute lists by their ids. */
export function referred(field: TextControl, attribute: string): string {
  const ids = (field.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean);
  if (ids.length === 0) return '';
  const root = field.getRootNode() as Document | ShadowRoot;
  return ids.map((id) => root.getElementById(id)?.textContent.trim() ?? '').join(' ');
}

const inOneLine = (words: string | null): string => (words ?? '').replace(/\s+/g, ' ').trim();

/** A label may hold its field, whose text is not of the label. */
function wordsBeside(field: TextControl, label: Node): string {
  return Array.from(label.childNodes, (node) =>
    node === field ? '' : node.contains(field) ? wordsBeside(field, node) : node.textContent,
  ).join(' ');
}

/** Whether a field has this name. */
export function hasName(field: TextControl, { tag, by, value }: FieldName): boolean {
  return field.localName === tag && valuesOf(field, by).includes(value);
}

function valuesOf(field: TextControl, by: FieldName['by']): readonly string[] {
  const value = field.getAttribute(by) ?? '';
  return by === 'aria-label' ? [value, labelWords(field)] : [value];
}

/**
 * Ids that frameworks generate are counted through all fields that a page has shown: another load or another way to
 * the field gives another one. Most have digits; React's count in letters as well, between colons, guillemets or after
 * `_r_`.
 */
const GENERATED = /[\d:«»]|_r_/i;

function attributesOf({ id }: Element): readonly FieldName['by'][] {
  return GENERATED.test(id)
    ? ['name', 'aria-label', 'placeholder', 'id']
    : ['name', 'id', 'aria-label', 'placeholder'];
}
