import { expect } from 'chai';
import fc from 'fast-check';
import { Pieces } from '../../../../extension/page/streams/pieces.ts';

const LENGTHS = { firstBytes: 5, pieceBytes: 8 };

function addAll(pieces: Pieces, source: Uint8Array): void {
  for (let at = 0; at < source.length;) at += pieces.add(source, at);
}

describe('pieces of a stream', () => {
  it('hold what was added, in their lengths, however it comes', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 9 });
    fc.assert(
      fc.property(chunks, (list) => {
        const pieces = new Pieces(LENGTHS);
        for (const chunk of list) addAll(pieces, chunk);
        pieces.end();
        const taken = pieces.take();
        expect(Buffer.concat(taken)).to.deep.equal(Buffer.concat(list));
        taken.forEach((piece, i) => {
          const whole = i === 0 ? 5 : 8;
          if (i < taken.length - 1) expect(piece.length).to.equal(whole);
          else expect(piece.length).to.be.within(1, whole);
          expect(piece.buffer.byteLength, 'nothing beside it').to.equal(piece.length);
        });
      }),
    );
  });

  it('are whole at their last byte and not before', () => {
    const pieces = new Pieces(LENGTHS);
    for (const [bytes, whole] of [
      [4, 0],
      [1, 1],
      [7, 1],
      [1, 2],
    ] as const) {
      addAll(pieces, new Uint8Array(bytes));
      expect(pieces.wholeCount).to.equal(whole);
    }
    expect(pieces.take().map(({ length }) => length)).to.deep.equal([5, 8]);
    pieces.end();
    expect(pieces.wholeCount, 'nothing is no piece').to.equal(0);
  });

  it('are filled again when they come back with the length of a piece', () => {
    const pieces = new Pieces(LENGTHS);
    addAll(pieces, new Uint8Array(13));
    const [first, second] = pieces.take();
    pieces.keep([first!, second!]);
    addAll(pieces, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
    expect(pieces.take()[0])
      .to.equal(second)
      .and.deep.equal(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    pieces.end();
    expect(pieces.take()).to.deep.equal([Uint8Array.of(9)]);
  });

  it('leave alone what was added', () => {
    const source = Uint8Array.of(0, 1, 2, 3, 4, 5, 6).subarray(1, 6);
    const pieces = new Pieces(LENGTHS);
    addAll(pieces, source);
    const [piece] = pieces.take();
    expect(piece).to.deep.equal(Uint8Array.of(1, 2, 3, 4, 5));
    piece!.fill(9);
    expect(source).to.deep.equal(Uint8Array.of(1, 2, 3, 4, 5));
  });
});
