/*
 * Large messages are sent in the memory that their results will fill, so that a call of 64 MiB needs one
 * copy of its argument and no other memory. content/bulk/in-place.ts has the layout of the parts.
 */
import {
  bodyLength,
  CHUNK_BYTES,
  LARGE_CHUNK_BYTES,
  paddedLength,
  PREFIX_BYTES,
  sealedLength,
} from '../../../src/format/wire/sealed-length.ts';
import { SafeUint8Array, viewOf } from '../../../src/rpc/primordials.ts';
import { viewedBytes } from '../arguments.ts';
import { setBytes, typedArrayParts } from '../primordials.ts';

/** Offset of the suite in a sealed message (docs/format.md section 2), and the suite of 16 KiB chunks. */
const SUITE_AT = 5;
const SMALL_SUITE = 1;

/** @throws SealwrightError INVALID_ARGUMENT as `viewedBytes` does */
export function placeForSealing(name: string, message: unknown, pad: boolean | undefined) {
  const source = viewedBytes(name, message);
  const messageBytes = typedArrayParts.byteLength(source);
  const place = new SafeUint8Array(sealedLength(messageBytes, { pad }));
  const bodyBytes = pad ? paddedLength(messageBytes) : messageBytes;
  setBytes(place, source, typedArrayParts.byteLength(place) - bodyBytes);
  return { place, messageBytes };
}

/** @throws SealwrightError INVALID_ARGUMENT as `viewedBytes` does */
export function placeForOpening(name: string, sealed: unknown) {
  const source = viewedBytes(name, sealed);
  const total = typedArrayParts.byteLength(source);
  const leadBytes = total - bodyBytesOf(source, total);
  return {
    lead: new SafeUint8Array(viewOf(source, 0, leadBytes)),
    place: new SafeUint8Array(viewOf(source, leadBytes, total)),
  };
}

/** The length of the body by unchecked bytes. The content script checks it; a wrong one costs a copy. */
function bodyBytesOf(sealed: Uint8Array, total: number): number {
  const chunkBytes = sealed[SUITE_AT] === SMALL_SUITE ? CHUNK_BYTES : LARGE_CHUNK_BYTES;
  return bodyLength(total - PREFIX_BYTES, chunkBytes) ?? 0;
}
