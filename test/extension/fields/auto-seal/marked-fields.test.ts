import { expect } from 'chai';
import { MarkedFields } from '../../../../extension/fields/auto-seal/marked-fields.ts';
import type { TextControl } from '../../../../extension/fields/text-control.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';
import type { FieldName } from '../../../../src/rpc/methods/guard.ts';
import { fakeDocument, fakeField } from './fake-fields.ts';

const NO_EDITORS = { has: () => false, isNewer: () => false };
const MESSAGE: FieldName = { tag: 'textarea', by: 'name', value: 'message' };
const locked = () => Promise.reject(new SealwrightError('LOCKED', 'The vault is locked'));

/** The fields of a page whose guard has asked the background. */
async function pageOf(answer: () => Promise<readonly FieldName[]>, ...fields: TextControl[]) {
  const shown = [...fields];
  const marked = new MarkedFields(fakeDocument(shown), { guardedFields: answer }, NO_EDITORS);
  await marked.learn().catch(() => undefined);
  return { marked, shown };
}

describe('the marked fields of a page', () => {
  const named = (value: string, byDefault = '') => fakeField({ name: 'message' }, value, byDefault);

  it('are all fields with text until the background has answered', () => {
    const field = named('a text', 'a text');
    const marked = new MarkedFields(fakeDocument([field]), { guardedFields: locked }, NO_EDITORS);
    expect(marked.unsealed()).to.deep.equal([field]);
  });

  it('are those of the names that the background has', async () => {
    const other = fakeField({ name: 'other' }, 'a text');
    const field = named('a text', 'a text');
    const { marked } = await pageOf(() => Promise.resolve([MESSAGE]), field, other);
    expect(marked.unsealed()).to.deep.equal([field]);
    expect(marked.isUnsealed(other)).to.equal(false);
  });

  it('are none that are not displayed, in which editors keep their text, unless their user was there', async () => {
    const hidden = Object.assign(named('<p>a text</p>'), { checkVisibility: () => false });
    const { marked } = await pageOf(() => Promise.resolve([MESSAGE]), hidden);
    expect(marked.unsealed()).to.deep.equal([]);
    const editors = { ...NO_EDITORS, has: (field: Element) => field === hidden };
    const guardedFields = () => Promise.resolve([MESSAGE]);
    const visited = new MarkedFields(fakeDocument([hidden]), { guardedFields }, editors);
    await visited.learn();
    expect(visited.unsealed()).to.deep.equal([hidden]);
  });

  describe('while the vault is locked', () => {
    it('are the fields whose value is not the default one', async () => {
      const field = named('restored');
      const { marked } = await pageOf(locked, field, named('of the page', 'of the page'));
      expect(marked.unsealed()).to.deep.equal([field]);
      expect(marked.isUnsealed(field)).to.equal(true);
    });

    it('are fields that were typed in, also when drawn anew with the text as default value', async () => {
      const field = named('typed');
      const { marked, shown } = await pageOf(locked, field);
      marked.noteTyping(field);
      const drawn = named('typed', 'typed');
      shown.splice(0, 1, drawn, fakeField({ name: 'other' }, 'of the page', 'of the page'));
      expect(marked.unsealed()).to.deep.equal([drawn]);
    });

    it('are all fields that had text when the script came late, or the browser restored the page', async () => {
      const field = named('typed', 'typed');
      const later = fakeField({ id: 'later' }, 'of the page', 'of the page');
      const { marked, shown } = await pageOf(locked, field, named('', ''));
      marked.noteAllText();
      shown.push(later);
      expect(marked.unsealed()).to.deep.equal([field]);
    });

    it('are never fields for passwords, and none that are read-only', async () => {
      const password = fakeField({ name: 'p', autocomplete: 'current-password' }, 'a secret');
      const readOnly = Object.assign(named('a text'), { readOnly: true });
      const { marked } = await pageOf(locked, password, readOnly);
      marked.noteAllText();
      expect(marked.unsealed()).to.deep.equal([]);
    });
  });

  it('are known from the moment on at which the vault is unlocked', async () => {
    let answer: () => Promise<readonly FieldName[]> = locked;
    const { marked } = await pageOf(() => answer(), fakeField({ name: 'other' }, 'a text'));
    expect(marked.unsealed()).to.have.length(1);
    answer = () => Promise.resolve([MESSAGE]);
    await marked.learn();
    expect(marked.unsealed()).to.deep.equal([]);
  });
});
