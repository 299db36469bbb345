import { equal, fromHex } from '../../../src/crypto/bytes.ts';

/** Longer files are refused without being read: more than a photo has. */
export const PICTURE_MAX_BYTES = 2 ** 25;
/** Width by height. A pixel takes four bytes once it is decoded. */
export const PICTURE_MAX_PIXELS = 2 ** 26;

/** What the first bytes of a picture say, before any of its pixels is decoded. */
export interface PictureHead {
  readonly type: 'image/png' | 'image/jpeg';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The signature, and the length and name of the chunk that has to come first (ISO/IEC 15948, 5.2 and 11.2.2). */
const PNG_START = fromHex('89504e470d0a1a0a0000000d49484452');
/** The marker of the start, and the first byte of the next one (ISO/IEC 10918-1, B.1). */
const JPEG_START = fromHex('ffd8ff');

/** Width and height of a PNG or JPEG file; undefined for another or a damaged one. */
export function pictureHead(bytes: Uint8Array): PictureHead | undefined {
  const read = startsWith(bytes, PNG_START) ? pngSize : startsWith(bytes, JPEG_START) && jpegSize;
  if (!read) return undefined;
  try {
    const size = read(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    if (!size || size.width === 0 || size.height === 0) return undefined;
    return { type: read === pngSize ? 'image/png' : 'image/jpeg', ...size };
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the file ends before
    throw error;
  }
}

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  equal(bytes.subarray(0, start.length), start);

interface Size {
  readonly width: number;
  readonly height: number;
}

const pngSize = (view: DataView): Size => ({
  width: view.getUint32(PNG_START.length),
  height: view.getUint32(PNG_START.length + 4),
});

/** The size is in the first frame header, behind segments such as those of cameras. */
function jpegSize(view: DataView): Size | undefined {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    const length = view.getUint16(at + 2);
    if (!hasLength(marker) || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15: not the tables of Huffman (C4) and arithmetic coding (CC), nor the reserved one (C8). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Not a restart, a start or an end: none of them comes before the frame. */
const hasLength = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9);
