import { expect } from 'chai';
import fc from 'fast-check';
import { recordParts, recordText } from '../../../src/rpc/methods/sync-record.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const partsOf = (bytes: Uint8Array) => {
  const parts = recordParts(bytes);
  return (
    parts && [parts.id, parts.generation, parts.payload].map((part) => Buffer.from(part).toString())
  );
};

describe('rpc/records of sync services', () => {
  it('have the three texts back, of any characters', () => {
    const id = fc.string({ unit: 'grapheme', maxLength: 60 });
    const generation = fc.nat().map(String);
    fc.assert(
      fc.property(id, generation, fc.string({ unit: 'grapheme' }), (...texts) => {
        expect(partsOf(utf8(recordText(...texts)))).to.deep.equal(texts);
      }),
    );
  });

  it('at the edges of their lengths', () => {
    for (const character of ['a', 'ü', '€', '😀']) {
      for (const length of [0, 1, 42, 43, 63, 64, 127, 128, 256, 512]) {
        const id = character.repeat(length / character.length);
        expect(partsOf(utf8(recordText(id, '1'.repeat(127), 'p')))?.[0]).to.equal(id);
      }
    }
  });

  it('are undefined where their head says more than there is', () => {
    for (const bytes of [
      [],
      [0],
      [0, 0],
      [0, 1, 0],
      [0, 1, 1, 0x61],
      [127, 127, 127],
      [1, 0, 0, 1],
    ]) {
      expect(recordParts(Uint8Array.from(bytes))).to.equal(undefined);
    }
    expect(partsOf(Uint8Array.of(0, 0, 0))).to.deep.equal(['', '', '']);
  });

  it('are views of the bytes at any place', () => {
    const bytes = utf8(`xx${recordText('id', '7', 'payload')}`);
    expect(partsOf(bytes.subarray(2))).to.deep.equal(['id', '7', 'payload']);
  });
});
