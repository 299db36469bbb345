import { expect } from 'chai';
import { Sealing } from '../../../../extension/fields/auto-seal/sealing.ts';
import type { FieldEditor } from '../../../../extension/fields/editor/field-editor.ts';
import { fakeField } from './fake-fields.ts';

describe('sealing the text of an editor', () => {
  const browser = globalThis as { InputEvent?: unknown };

  before(() => (browser.InputEvent = Event));
  after(() => delete browser.InputEvent);

  it('takes what was typed while an earlier text was being put into the field', async () => {
    let heldText = '';
    const field = Object.assign(fakeField({ name: 'message' }), { maxLength: -1 });
    const state = {
      field,
      text: 'first',
      get isNewer() {
        return state.text !== heldText;
      },
      takeFromPage: () => undefined,
      noteHeld: (_value: string, text: string) => (heldText = text),
    };
    const editor = state as unknown as FieldEditor;
    // The page hears of the first sealed text, and its user goes on typing.
    const dispatchEvent = () => (state.text = 'first and second');
    Object.assign(field, { dispatchEvent });
    const background = { seal: (text: string) => Promise.resolve(`sealed ${text}`) };
    const sealing = new Sealing(background, { of: () => editor, fieldOf: () => field });
    const [atPause, atPress] = [sealing.seal(field), sealing.seal(field)];
    expect(await atPause).to.equal(null);
    expect(field.value).to.equal('sealed first');
    expect(await atPress).to.equal(null);
    expect(field.value).to.equal('sealed first and second');
  });
});
