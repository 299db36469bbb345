import { expect } from 'chai';
import {
  isInserted,
  isTruncated,
  type Insertion,
} from '../../../../extension/fields/insert/verify-insert.ts';

const SEALED = 'sw1.9VNXTQEBAgGNHw';

const replacing = (before: string, after: string): Insertion => ({
  before,
  after,
  text: SEALED,
  place: 'all',
  selected: before,
});

const amidst = (before: string, selected: string | undefined, after: string): Insertion => ({
  before,
  after,
  text: SEALED,
  place: 'selection',
  selected,
});

describe('whether a field took a text', () => {
  describe('in the place of everything', () => {
    it('is seen by its being there, and nothing else', () => {
      expect(isInserted(replacing('old', SEALED))).to.equal(true);
      expect(isInserted(replacing('old', `${SEALED}old`))).to.equal(false);
      expect(isInserted(replacing('old', SEALED.slice(0, -1)))).to.equal(false);
      expect(isInserted(replacing('old', `${SEALED}${SEALED}`))).to.equal(false);
      expect(isInserted(replacing('old', 'old'))).to.equal(false);
      expect(isInserted(replacing('', ''))).to.equal(false);
    });

    it('whatever lines the browser draws around it', () => {
      expect(isInserted(replacing('', `${SEALED}\n`))).to.equal(true);
      expect(isInserted(replacing('', `\n\n${SEALED}\n\n`))).to.equal(true);
    });

    it('not where white space came into it', () => {
      expect(isInserted(replacing('', 'sw1.9VNX TQEBAgGNHw'))).to.equal(false);
      expect(isInserted(replacing('', 'sw1.9VNX\nTQEBAgGNHw'))).to.equal(false);
    });

    it('with line ends and spaces as the field has them', () => {
      const change = { ...replacing('', 'a\u00a0b\nc'), text: 'a b\r\nc' };
      expect(isInserted(change)).to.equal(true);
    });
  });

  describe('in the place of the selection', () => {
    it('is seen by its being there, with all around it', () => {
      expect(isInserted(amidst('one two', 'two', `one ${SEALED}`))).to.equal(true);
      expect(isInserted(amidst('one two', '', `one ${SEALED}two`))).to.equal(true);
      expect(isInserted(amidst('one\ntwo', '', `one\n\n${SEALED}\n\ntwo`))).to.equal(true);
    });

    it('not where something else is gone, or what it was to replace is not', () => {
      expect(isInserted(amidst('one two', 'two', SEALED))).to.equal(false);
      expect(isInserted(amidst('one two', 'two', `one two${SEALED}`))).to.equal(false);
      expect(isInserted(amidst('one two', 'two', 'one '))).to.equal(false);
    });

    it('by its being there alone where the rest is not known', () => {
      expect(isInserted({ ...amidst('', undefined, `one ${SEALED}`), before: undefined })).to.equal(
        true,
      );
      expect(isInserted({ ...amidst('', undefined, 'one'), before: undefined })).to.equal(false);
    });
  });
});

describe('a text that the page cut', () => {
  it('is there with its beginning alone', () => {
    expect(isTruncated(replacing('', SEALED.slice(0, 10)))).to.equal(true);
    expect(isTruncated(replacing('', SEALED))).to.equal(false);
    expect(isTruncated(replacing('', ''))).to.equal(false);
    expect(isTruncated(replacing('old', 'old'))).to.equal(false);
  });
});
