import { expect } from 'chai';
import { FieldScript, type FieldAccess } from '../../../extension/fields/field-script.ts';

/** A text field that is connected to the document, as far as the script looks at it. */
const FIELD = {
  localName: 'textarea',
  isConnected: true,
  getAttribute: () => null,
} as unknown as Element;

const EDITOR = {
  localName: 'div',
  isConnected: true,
  getAttribute: () => null,
} as unknown as Element;

const ACCESS: FieldAccess = {
  fieldAt: () => FIELD,
  isPlain: (field) => field === FIELD,
  readText: () => 'a text',
  limitOf: () => 100,
  insertText: () => Promise.resolve({ inserted: true }),
};

describe('the script that answers the background about a page', () => {
  const world = globalThis as { document?: unknown };

  before(() => (world.document = { activeElement: null, getSelection: () => null }));
  after(() => delete world.document);

  it('answers about a mark without access to fields', async () => {
    const script = new FieldScript();
    script.state.marked = ['sw1.AAAA'];
    expect(script.beginMarked('1')).to.deep.include({ field: 'none', found: [['sw1.AAAA']] });
    expect(script.report('1')).to.deep.include({ found: [['sw1.AAAA']] });
    expect(await script.insert('1', 'sw1.BBBB')).to.deep.equal({ inserted: false, reason: 'gone' });
    expect(script.report('2')).to.equal(null);
  });

  it('shows an opened text in the editor of its field, as long as the field holds that', () => {
    const field = Object.assign(Object.create(FIELD) as object, { value: 'sw1.AAAA' });
    const shown: unknown[][] = [];
    const script = new FieldScript();
    Object.assign(script.state, { marked: ['sw1.AAAA'], markedField: field });
    expect(script.beginMarked('1')).to.include({ inPlace: false, editable: false });
    expect(script.show('1', 'a text')).to.equal(false);
    const editors = { has: () => true, show: (...args: unknown[]) => shown.push(args) };
    Object.assign(script.state, { editors });
    expect(script.report('1')).to.include({ inPlace: true, editable: false });
    expect(script.show('1', 'a text')).to.equal(true);
    field.value = 'sw1.BBBB';
    expect(script.report('1')).to.include({ inPlace: false });
    expect([script.show('1', 'a text'), script.show('2', 'a text')]).to.deep.equal([false, false]);
    expect(shown).to.deep.equal([[field, 'a text']]);
  });

  it('lets the text at a mark be changed where its field holds nothing else', () => {
    const field = Object.assign(Object.create(FIELD) as object, { value: ' sw1.AAAA\n' });
    const script = new FieldScript({}, ACCESS);
    Object.assign(script.state, { marked: ['sw1.AAAA'], markedField: field });
    expect(script.beginMarked('1')).to.include({ field: 'there', editable: true });
    field.value = 'Dear all, sw1.AAAA';
    expect(script.beginMarked('2')).to.include({ field: 'there', editable: false });
  });

  it('continues the sessions of an earlier injection, with the access of that one', async () => {
    const marks = new FieldScript();
    marks.state.marked = ['sw1.AAAA'];
    marks.beginMarked('1');
    const fields = new FieldScript(marks, ACCESS);
    expect(fields.begin('2', 'seal')).to.include({ field: 'there', text: 'a text', limit: 100 });
    const again = new FieldScript(fields);
    expect(again.report('1')).to.deep.include({ found: [['sw1.AAAA']] });
    expect(again.report('2')).to.include({ text: 'a text', limit: 100 });
    expect(await again.insert('2', 'sw1.BBBB')).to.deep.equal({ inserted: true });
  });

  it('replaces the one sealed text of a field, as long as the field holds that', async () => {
    let held = ' sw1.AAAA\n';
    const places: (string | undefined)[] = [];
    const script = new FieldScript(
      {},
      {
        ...ACCESS,
        fieldAt: () => EDITOR,
        readText: () => held,
        insertText: (_field, _text, place) => {
          places.push(place);
          return Promise.resolve({ inserted: true });
        },
      },
    );
    expect(script.begin('1', 'open')).to.deep.include({ editable: true, text: '' });
    expect(await script.insert('1', 'sw1.BBBB')).to.deep.equal({ inserted: true });
    held = 'sw1.AAAA';
    const changed = { inserted: false, reason: 'changed' };
    expect(await script.insert('1', 'sw1.BBBB')).to.deep.equal(changed);
    for (held of ['sw1.AAAA and more', 'sw1.AAAA\nBBBB', 'sw1.AAAA sw1.BBBB', 'see sw1.AAAA']) {
      expect(script.begin('2', 'open'), held).to.include({ editable: false });
      expect(await script.insert('2', 'sw1.CCCC')).to.deep.equal(changed);
    }
    expect(places).to.deep.equal(['all']);
  });
});
