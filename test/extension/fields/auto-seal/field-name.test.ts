import { expect } from 'chai';
import {
  hasName,
  labelOfField,
  nameOfField,
} from '../../../../extension/fields/auto-seal/field-name.ts';
import type { TextControl } from '../../../../extension/fields/text-control.ts';

/** As much of an element as is looked at. */
function element(localName: string, attributes: Record<string, string> = {}): TextControl {
  const { type = 'text', id = '' } = attributes;
  const getAttribute = (name: string) => attributes[name] ?? null;
  const getElementById = (one: string) =>
    one === 'of-none' ? null : { textContent: ` words of ${one} ` };
  const getRootNode = () => ({ getElementById });
  return { localName, type, id, getAttribute, getRootNode } as unknown as TextControl;
}

const called = (attributes: Record<string, string>) => {
  const name = nameOfField(element('textarea', attributes));
  return name && [name.by, name.value];
};

describe('fields/guard/field-name', () => {
  it('is what the site sends it under, else its id, its label, its placeholder', () => {
    const all = { name: 'n', id: 'i', 'aria-label': 'l', placeholder: 'p' };
    expect(called(all)).to.deep.equal(['name', 'n']);
    expect(called({ ...all, name: '' })).to.deep.equal(['id', 'i']);
    expect(called({ 'aria-label': 'l', placeholder: 'p' })).to.deep.equal(['aria-label', 'l']);
    expect(called({ placeholder: 'p' })).to.deep.equal(['placeholder', 'p']);
  });

  it('is an id that may be another at each visit only where there is nothing else', () => {
    expect(called({ id: ':r5:', placeholder: 'p' })).to.deep.equal(['placeholder', 'p']);
    expect(called({ id: ':r5:' })).to.deep.equal(['id', ':r5:']);
    for (const id of [':ra:', '«ra»', '_r_a_', 'react-aria-_r_b_', 'note-field-2', 'mui-7']) {
      expect(called({ id, placeholder: 'p' }), id).to.deep.equal(['placeholder', 'p']);
    }
  });

  it('is the words of a label element as those of the attribute', () => {
    const field = labelled({ id: 'note-field-2', placeholder: 'p' }, [
      ' Note ',
      undefined,
      '\n(optional)',
    ]);
    expect(nameOfField(field)).to.deep.equal({
      tag: 'textarea',
      by: 'aria-label',
      value: 'Note (optional)',
    });
    const referring = labelled({ id: 'note-field-2', 'aria-labelledby': 'of-note of-none' });
    expect(nameOfField(referring)).to.deep.include({ by: 'aria-label', value: 'words of of-note' });
  });

  it('is none where there is nothing to go by, or too much', () => {
    expect(called({})).to.equal(null);
    expect(called({ name: 'x'.repeat(200) })).to.deep.equal(['name', 'x'.repeat(200)]);
    expect(called({ name: 'x'.repeat(201) })).to.equal(null);
    expect(called({ name: 'x'.repeat(201), id: 'i' })).to.deep.equal(['id', 'i']);
  });

  it('is none for what is never sealed, and for what is no field of text', () => {
    for (const attributes of [
      { type: 'password' },
      { type: 'checkbox' },
      { autocomplete: 'one-time-code' },
      { autocomplete: 'section-x cc-number' },
    ]) {
      expect(nameOfField(element('input', { name: 'n', ...attributes }))).to.equal(null);
    }
    expect(nameOfField(element('div', { id: 'editor' }))).to.equal(null);
  });

  it('calls a field with the same label after its id was generated anew', () => {
    const name = nameOfField(labelled({ id: 'note-field-2' }, ['Note']))!;
    expect(hasName(labelled({ id: 'note-field-5' }, ['Note']), name)).to.equal(true);
    expect(hasName(labelled({ 'aria-label': 'Note' }), name)).to.equal(true);
    expect(hasName(labelled({ id: 'note-field-2' }, ['Title']), name)).to.equal(false);
  });

  it('calls every field that has it, and no other', () => {
    const name = nameOfField(element('input', { name: 'body' }))!;
    expect(hasName(element('input', { name: 'body', id: 'other' }), name)).to.equal(true);
    expect(hasName(element('textarea', { name: 'body' }), name)).to.equal(false);
    expect(hasName(element('input', { id: 'body' }), name)).to.equal(false);
    expect(hasName(element('input', { name: 'body2' }), name)).to.equal(false);
  });
});

/** A field with these labels; each is made of texts and, at undefined, the field itself. */
function labelled(
  attributes: Record<string, string>,
  ...labels: readonly (readonly (string | undefined)[])[]
): TextControl {
  const field = element('textarea', attributes);
  const nodes = (parts: readonly (string | undefined)[]) =>
    parts.map((part) =>
      part === undefined ? field : { textContent: part, contains: () => false },
    );
  return Object.assign(field, {
    labels: labels.map((parts) => ({ childNodes: nodes(parts), contains: () => true })),
  });
}

describe('what a page calls a field', () => {
  it('is its label without the text in it, else its accessible name, its placeholder, its title', () => {
    const all = { 'aria-label': 'a', placeholder: 'p', title: 't' };
    expect(labelOfField(labelled(all, [' Post\n ', undefined, ' here']))).to.equal('Post here');
    expect(labelOfField(labelled(all))).to.equal('a');
    expect(labelOfField(labelled({ placeholder: 'p', title: 't' }, [' ']))).to.equal('p');
    expect(labelOfField(labelled({ title: 't' }))).to.equal('t');
    expect(labelOfField(labelled({}))).to.equal(undefined);
  });

  it('is cut to what a list has room for, between characters', () => {
    const label = labelOfField(labelled({}, ['\u{1f33b}'.repeat(100)]))!;
    expect(label).to.equal('\u{1f33b}'.repeat(80));
  });
});
