/*
 * The table of the line between a page's script and its content script: the page methods, and what
 * the content script does itself on the bulk lane. The background knows nothing of the latter.
 */
import {
  MAX_BLOB_BYTES,
  MAX_PLAINTEXT_BYTES,
  MAX_PREFIX_BYTES,
  MAX_SEALED_BLOB_BYTES,
  MAX_SEALED_BYTES,
  MAX_STREAM_PIECE_BYTES,
  MAX_STREAM_PIECES,
} from '../limits.ts';
import { id, none, openOptions, PAGE_METHODS, page, sealOptions } from './page.ts';
import { array, blob, boolean, bytes, integer, object } from '../validate.ts';
import type { Validator } from '../validate.ts';

/**
 * From this length on a message is sealed and opened by the content script, where it lies; shorter
 * ones go to the background, whose one message each way costs less than a key and the calls of
 * WebCrypto. Platform measurements gave 64 KiB; bench suite "lane" has the lengths on either side.
 */
export const IN_PLACE_BYTES = 64 * 1024;

const begun = object({ stream: id, bytes: bytes(MAX_PREFIX_BYTES) });
/**
 * What a piece of a stream completes. A padded stream that is opened may give a run of zeros that
 * was held back, up to a 32nd of the message: its number alone travels. Two pieces complete at most
 * the bytes of both, and what was begun before them.
 */
const part = bytesOrZeros(4 * MAX_STREAM_PIECE_BYTES, MAX_BLOB_BYTES);
const output = array(part, 8 * MAX_STREAM_PIECES);
const pieces = array(bytes(MAX_STREAM_PIECE_BYTES), MAX_STREAM_PIECES, 1);

/** What the content script answers itself. All other methods of a page go on to the background. */
export const SERVED_METHODS = Object.freeze({
  /** Asks the background while the keys of this frame's bulk work stand still. */
  revoke: PAGE_METHODS.revoke,
  /** `place`: as long as the sealed message without recipients, with the body at its end (content/bulk/in-place.ts). */
  sealInPlace: page(
    'grant',
    'counted',
    object({
      place: bytes(MAX_SEALED_BYTES),
      messageBytes: integer(0, MAX_PLAINTEXT_BYTES),
      ...sealOptions,
    }),
    bytes(MAX_SEALED_BYTES),
    { api: null },
  ),
  /** The sealed message in two parts, the second as long as its body. */
  openInPlace: page(
    'grant',
    'counted',
    object({ lead: bytes(MAX_SEALED_BYTES), place: bytes(MAX_SEALED_BYTES), ...openOptions }),
    bytes(MAX_SEALED_BYTES),
    { api: null },
  ),
  sealBlob: page(
    'grant',
    'counted',
    object({ blob: blob(MAX_BLOB_BYTES), ...sealOptions }),
    blob(MAX_SEALED_BLOB_BYTES),
    { args: 1, unhurried: true },
  ),
  openBlob: page(
    'grant',
    'counted',
    object({ blob: blob(MAX_SEALED_BLOB_BYTES), ...openOptions }),
    blob(MAX_SEALED_BLOB_BYTES),
    { args: 1, unhurried: true },
  ),
  /** `bytes`: the first bytes of the stream. */
  beginSealStream: page('grant', 'counted', object(sealOptions), begun, {
    api: 'sealStream',
    args: 0,
  }),
  beginOpenStream: page('grant', 'counted', object(openOptions), begun, {
    api: 'openStream',
    args: 0,
  }),
  /**
   * The next bytes; gives those that they complete. `index` counts pieces from 0. `spares` is the
   * pieces' own memory, given back for later ones: new memory costs more than the cipher.
   */
  streamPieces: page(
    'grant',
    'effect',
    object({ stream: id, index: integer(0), pieces }),
    object({ parts: output, spares: pieces }),
    { api: null },
  ),
  /** To be called again until it says `done`. */
  endStream: page(
    'grant',
    'effect',
    object({ stream: id }),
    object({ parts: output, done: boolean }),
    { api: null },
  ),
  dropStream: page('nothing', 'effect', object({ stream: id }), none, { api: null }),
});

/** All methods that a page may call through its content script. */
export const CONTENT_METHODS = Object.freeze({ ...PAGE_METHODS, ...SERVED_METHODS });

function bytesOrZeros(maxBytes: number, maxZeros: number): Validator<Uint8Array | number> {
  const some = bytes(maxBytes);
  const zeros = integer(0, maxZeros);
  return (value, path) => (typeof value === 'number' ? zeros(value, path) : some(value, path));
}
