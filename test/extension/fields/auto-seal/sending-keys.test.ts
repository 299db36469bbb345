import { expect } from 'chai';
import { isSendingKey } from '../../../../extension/fields/auto-seal/resume-actions.ts';
import type { TextControl } from '../../../../extension/fields/text-control.ts';

const ENTER = { key: 'Enter', isComposing: false, ctrlKey: false, metaKey: false, shiftKey: false };

/** A key, and a field with as much of an element as is looked at. */
function sends(field: object, key: object = {}): boolean {
  const event = { ...ENTER, altKey: false, ...key } as KeyboardEvent;
  const type = 'text';
  const area = { type, localName: 'textarea', enterKeyHint: '', rows: 2, clientHeight: 34 };
  return isSendingKey(event, { ...area, ...field } as unknown as TextControl);
}

describe('a key that sends', () => {
  const world = globalThis as { getComputedStyle?: unknown };
  const style = {
    lineHeight: 'normal',
    fontSize: '13.333px',
    paddingTop: '2px',
    paddingBottom: '2px',
  };

  before(() => {
    world.getComputedStyle = () => style;
  });

  after(() => {
    delete world.getComputedStyle;
  });

  it('is Enter in a field of one line, and in none of several', () => {
    expect(sends({ localName: 'input' })).to.equal(true);
    expect(sends({})).to.equal(false);
  });

  it('is Enter in a chat line, by its rows, its hint or its height, and not with Shift', () => {
    for (const chat of [{ rows: 1 }, { enterKeyHint: 'send' }, { clientHeight: 21 }]) {
      expect(sends(chat)).to.equal(true);
      expect(sends(chat, { shiftKey: true })).to.equal(false);
    }
    expect(sends({ enterKeyHint: 'enter' })).to.equal(false);
  });

  it('is no key of a composition, and no other key', () => {
    expect(sends({ localName: 'input' }, { isComposing: true })).to.equal(false);
    expect(sends({ localName: 'input' }, { key: 'a' })).to.equal(false);
  });
});
