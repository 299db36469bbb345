import { expect } from 'chai';
import fc from 'fast-check';
import { PICTURE_MAX_BYTES } from '../../../../extension/manager/forms/picture-head.ts';
import { readPicture, textIn } from '../../../../extension/manager/forms/read-picture.ts';
import { codePicture, modulesOf, picture, plainCode, pngHead } from './code-pictures.ts';

const CODE = `SWD1:${'0123456789ABCDEF'.repeat(4)}`;
const MODULES = modulesOf(CODE);

describe('A code in a picture', function () {
  this.timeout(30_000);

  it('is read from screenshots, of two pixels a module on', () => {
    for (const scale of [2, 3, 4, 8]) {
      expect(textIn(plainCode(MODULES, scale)), String(scale)).to.equal(CODE);
    }
  });

  it('is read in a frame of a camera, however it is turned', () => {
    for (const turned of [0, 5, 30, 90, 135, 180, 270]) {
      const frame = codePicture(MODULES, { width: 640, height: 480, scale: 6, turned });
      expect(textIn(frame), String(turned)).to.equal(CODE);
    }
  });

  it('is read where it is a small part of a photo', () => {
    const photo = codePicture(MODULES, { width: 2_000, height: 1_500, scale: 5, turned: 8 });
    expect(textIn(photo)).to.equal(CODE);
  });

  it('is not found in an empty picture, in noise, and in a single pixel', () => {
    let seed = 7;
    const noise = () => (seed = (seed * 16_807) % 2_147_483_647) % 256;
    const pictures = [
      picture(300, 200, () => 255),
      picture(300, 200, noise),
      picture(1, 1, () => 0),
    ];
    for (const each of pictures) expect(textIn(each)).to.equal(undefined);
  });

  it('is read as it is or not at all where parts of it are hidden', () => {
    const { width, height, data } = plainCode(MODULES, 4);
    const side = fc.integer({ min: 0, max: width - 1 });
    const spot = fc.record({ x: side, y: side, size: fc.integer({ min: 4, max: 80 }) });
    let found = 0;
    fc.assert(
      fc.property(spot, fc.integer({ min: 0, max: 255 }), ({ x, y, size }, shade) => {
        const hidden = data.slice();
        for (let row = y; row < Math.min(height, y + size); row++) {
          const end = Math.min(width, x + size);
          for (let at = row * width + x; at < row * width + end; at++) {
            hidden.fill(shade, 4 * at, 4 * at + 3);
          }
        }
        const text = textIn({ width, height, data: hidden });
        if (text !== undefined) expect(text).to.equal(CODE);
        found += Number(text !== undefined);
      }),
      { numRuns: 100 },
    );
    expect(found).to.be.above(10);
  });
});

describe('A picture that others may have made', () => {
  const never = () => Promise.reject(new Error('was read'));

  it('is refused by its length, without being read', async () => {
    const long = new Blob([new Uint8Array(8)]);
    Object.defineProperty(long, 'size', { value: PICTURE_MAX_BYTES + 1 });
    Object.defineProperty(long, 'arrayBuffer', { value: never });
    expect(await readPicture(long)).to.deep.equal({ fault: 'large' });
  });

  it('is refused by the pixels that it claims, before one is decoded', async () => {
    for (const [width, height] of [
      [65_536, 65_536],
      [2 ** 31 - 1, 2 ** 31 - 1],
      [2 ** 26 + 1, 1],
    ] as const) {
      const bomb = new Blob([new Uint8Array(pngHead(width, height))]);
      expect(await readPicture(bomb)).to.deep.equal({ fault: 'large' });
    }
  });

  it('is refused where it is neither PNG nor JPEG, whatever it is called', async () => {
    const svg = new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/png' });
    for (const other of [svg, new Blob([]), new Blob([new Uint8Array(1_000)])]) {
      expect(await readPicture(other)).to.deep.equal({ fault: 'bad' });
    }
  });
});
