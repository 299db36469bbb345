/*
 * The table of the line between a page's script and its content script: the page methods, and what
 * the content script does itself on the bulk lane. The background knows nothing of the latter.
 */
import {
  MAX_BLOB_BYTES,
  MAX_SEALED_BLOB_BYTES,
  MAX_PREFIX_BYTES,
  MAX_SEALED_BYTES,
  MAX_STREAM_PIECE_BYTES,
} from './limits.ts';
import { id, none, openOptions, PAGE_METHODS, page, sealOptions } from './page-methods.ts';
import { blob, boolean, bytes, integer, object } from './validate.ts';

const begun = object({ stream: id, bytes: bytes(MAX_PREFIX_BYTES) });
/** A padded stream that is opened may give a run of zeros that was held back. */
const output = bytes(16 * MAX_SEALED_BYTES);

export const LANE_METHODS = Object.freeze({
  ...PAGE_METHODS,
  sealBlob: unhurried(
    page(
      'grant',
      'counted',
      object({ blob: blob(MAX_BLOB_BYTES), ...sealOptions }),
      blob(MAX_SEALED_BLOB_BYTES),
    ),
  ),
  openBlob: unhurried(
    page(
      'grant',
      'counted',
      object({ blob: blob(MAX_SEALED_BLOB_BYTES), ...openOptions }),
      blob(MAX_SEALED_BLOB_BYTES),
    ),
  ),
  /** `bytes`: what the stream begins with. */
  beginSealStream: page('grant', 'counted', object(sealOptions), begun),
  beginOpenStream: page('grant', 'counted', object(openOptions), begun),
  /** The next bytes; gives those that they complete. `index` counts from 0. */
  streamPiece: page(
    'grant',
    'effect',
    object({ stream: id, index: integer(0), bytes: bytes(MAX_STREAM_PIECE_BYTES) }),
    object({ bytes: output }),
  ),
  /** To be called again until it says `done`. */
  endStream: page(
    'grant',
    'effect',
    object({ stream: id }),
    object({ bytes: output, done: boolean }),
  ),
  dropStream: page('nothing', 'effect', object({ stream: id }), none),
});

function unhurried<M extends object>(row: M): M & { readonly unhurried: true } {
  return { ...row, unhurried: true };
}
