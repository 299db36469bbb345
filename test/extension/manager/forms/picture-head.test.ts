import { expect } from 'chai';
import fc from 'fast-check';
import { pictureHead } from '../../../../extension/manager/forms/picture-head.ts';
import { concat, fromHex } from '../../../../src/crypto/bytes.ts';
import { pngHead } from './code-pictures.ts';

const START = fromHex('ffd8');
/** A segment of a JPEG file. */
const segment = (marker: number, contents: Uint8Array): Uint8Array => {
  const length = contents.length + 2;
  return concat(Uint8Array.of(0xff, marker, length >> 8, length & 0xff), contents);
};
/** 8 bits a sample, 3,024 rows of 4,032, three components. */
const frame = (marker: number) => segment(marker, fromHex('080bd00fc003000000'));
const exif = segment(0xe1, new Uint8Array(65_000));
const tables = segment(0xc4, new Uint8Array(40));
const JPEG = concat(START, exif, exif, tables, frame(0xc2));

describe('The head of a picture', () => {
  it('says the size of PNG files', () => {
    for (const [width, height] of [
      [1, 1],
      [1_920, 1_080],
      [2 ** 31 - 1, 7],
    ] as const) {
      const read = pictureHead(pngHead(width, height));
      expect(read).to.deep.equal({ type: 'image/png', width, height });
    }
  });

  it('says the size of JPEG files, behind what cameras write before it', () => {
    const expected = { type: 'image/jpeg', width: 4_032, height: 3_024 };
    expect(pictureHead(JPEG)).to.deep.equal(expected);
    for (const marker of [0xc0, 0xc1, 0xc2, 0xc9, 0xcf]) {
      expect(pictureHead(concat(START, frame(marker)))).to.deep.equal(expected);
    }
  });

  it('is missing where the file ends before, or has no pixels', () => {
    const png = pngHead(640, 480).subarray(0, 24);
    for (let length = 0; length < 24; length++) {
      expect(pictureHead(png.subarray(0, length)), String(length)).to.equal(undefined);
    }
    const end = JPEG.length - 2; // the last two bytes say how the components are sampled
    for (let length = 0; length < end - 2; length += length < end - 40 ? 997 : 1) {
      expect(pictureHead(JPEG.subarray(0, length)), String(length)).to.equal(undefined);
    }
    for (const empty of [pngHead(0, 480), pngHead(640, 0)]) {
      expect(pictureHead(empty)).to.equal(undefined);
    }
    const noRows = segment(0xc0, fromHex('0800000fc003000000'));
    expect(pictureHead(concat(START, noRows))).to.equal(undefined);
  });

  it('is missing in other files, and for JPEG files without a frame', () => {
    const others = ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', 'RIFF....WEBPVP8 '];
    for (const other of others) {
      expect(pictureHead(new TextEncoder().encode(other)), other).to.equal(undefined);
    }
    const scan = segment(0xda, new Uint8Array(10));
    for (const wrong of [
      concat(START, exif),
      concat(START, tables, scan, Uint8Array.of(1, 2, 3)),
      concat(START, fromHex('ffd9'), frame(0xc0)), // an end before the frame
      concat(START, fromHex('ffe10000'), frame(0xc0)), // a segment shorter than its length
      concat(START, fromHex('ff00'), frame(0xc0)),
    ]) {
      expect(pictureHead(wrong)).to.equal(undefined);
    }
  });

  it('is read or refused for whatever bytes, with a size where it is read', () => {
    const starts = fc.constantFrom(START, pngHead(1, 1).subarray(0, 16), new Uint8Array(0));
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const read = pictureHead(concat(start, rest));
        if (read) expect(Math.min(read.width, read.height)).to.be.above(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
