/*
 * What the worker for pictures does (code-reader.ts). Others may have made a picture: nothing of it is decoded before its head
 * was read, and what is decoded has a bound.
 */
import { decodeQR } from 'qr/decode.js';
import { pictureHead, PICTURE_MAX_BYTES, PICTURE_MAX_PIXELS } from './picture-head.ts';

/** Larger pictures are scaled down before a code is looked for. */
const SIDE_MAX = 4_096;

/** What a picture holds: the text of a QR code, or why no text was found. */
export type Reading =
  | { readonly text: string }
  /** No code was found, or it cannot be read; this is no PNG or JPEG file, or a damaged one; it is too large. */
  | { readonly fault: 'none' | 'bad' | 'large' };

/** Reads the code in a file or in a frame of a camera, which is closed. */
export async function readPicture(picture: Blob | ImageBitmap): Promise<Reading> {
  if (!(picture instanceof Blob)) return readBitmap(picture);
  if (picture.size > PICTURE_MAX_BYTES) return { fault: 'large' };
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const head = pictureHead(bytes);
  if (!head) return { fault: 'bad' };
  if (head.width * head.height > PICTURE_MAX_PIXELS) return { fault: 'large' };
  // Under the type that was found, so that no other decoder of the browser sees the bytes.
  const bitmap = await createImageBitmap(new Blob([bytes], { type: head.type })).catch(() => null);
  return bitmap ? readBitmap(bitmap) : { fault: 'bad' };
}

function readBitmap(bitmap: ImageBitmap): Reading {
  const scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [scaled(bitmap.width), scaled(bitmap.height)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  // Where a picture is transparent it is light.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const text = textIn(context.getImageData(0, 0, width, height));
  return text === undefined ? { fault: 'none' } : { text };
}

/** How many of what look like the corners of a code are tried, and how long, in ms: by default as many as fit a film's frame. */
const PATIENCE = { effort: 64, timeLimit: 500 };

/** Pixels of four bytes each: red, green, blue, opacity. */
type Pixels = Pick<ImageData, 'width' | 'height' | 'data'>;

/** The text of the QR code in a picture; undefined where none is found, or it cannot be read. */
export function textIn(pixels: Pixels): string | undefined {
  try {
    return decodeQR(pixels, PATIENCE);
  } catch {
    return undefined; // whatever is wrong with it
  }
}
