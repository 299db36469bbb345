import type { TextControl } from '../../../../extension/fields/text-control.ts';

/** As much of a text control as the guard looks at. */
export function fakeField(attributes: Record<string, string>, value = '', defaultValue = '') {
  const localName = 'textarea';
  const matches = () => false;
  const getAttribute = (name: string) => attributes[name] ?? null;
  const own = { id: attributes.id ?? '', type: 'textarea', value, defaultValue, readOnly: false };
  const checkVisibility = () => true;
  const calls = { matches, getAttribute, checkVisibility };
  return { ...own, localName, ...calls } as unknown as TextControl & { value: string };
}

/** A document with these fields, and without shadow trees. */
export function fakeDocument(fields: readonly TextControl[], window?: object): Document {
  const querySelectorAll = (selector: string) => (selector.includes('input') ? fields : []);
  return { querySelectorAll, defaultView: window } as unknown as Document;
}
