/*
 * The table between a page's script and its content script: the page methods, and those that the content script
 * serves itself: for large messages, and for sealed messages as text.
 */
import {
  MAX_ARMORED_BYTES,
  MAX_BLOB_BYTES,
  MAX_PLAINTEXT_BYTES,
  MAX_PREFIX_BYTES,
  MAX_SEALED_BLOB_BYTES,
  MAX_SEALED_BYTES,
  MAX_STREAM_PIECE_BYTES,
  MAX_STREAM_PIECES,
} from '../limits.ts';
import { id, none, openOptions, PAGE_METHODS, page, sealOneOptions } from './page.ts';
import {
  array,
  blob,
  boolean,
  bytes,
  integer,
  nullable,
  object,
  string,
  union,
} from '../validate.ts';
import type { Infer, Validator } from '../validate.ts';

/**
 * From this length on a message is sealed and opened in place by the content script. Shorter ones go to the
 * background, because one message each way costs less than a key for the message and calls of WebCrypto. Measured at
 * 4, 16, 32 and 64 KiB (bench suite "lane"): in Chromium both ways take the same time at 4 KiB, in Firefox at 16 KiB.
 */
export const IN_PLACE_BYTES = 16 * 1024;

const begun = object({ stream: id, bytes: bytes(MAX_PREFIX_BYTES) });
/**
 * Output of a piece of a stream. An opened stream with padding may give a run of zeros that was held
 * back, up to a 32nd of the message: only its length is sent.
 */
const part = bytesOrZeros(4 * MAX_STREAM_PIECE_BYTES, MAX_BLOB_BYTES);
const output = array(part, 8 * MAX_STREAM_PIECES);
const pieces = array(bytes(MAX_STREAM_PIECE_BYTES), MAX_STREAM_PIECES, 1);

const count = integer(0);
const name = string(64);
const sealedInfo = object({
  version: count,
  suite: name,
  purpose: name,
  headerKeyId: nullable(id),
  recipients: count,
  plaintextBytes: nullable(count),
});

/** What the content script answers itself. All other methods of a page go on to the background. */
export const SERVED_METHODS = Object.freeze({
  /** Forwarded while this frame's released keys are not in use. */
  revoke: PAGE_METHODS.revoke,
  /** Forwarded; the result is the armored line in ASCII. */
  sealText: page('grant', 'counted', PAGE_METHODS.sealText.params, bytes(MAX_ARMORED_BYTES), {
    capability: 'seal',
    args: 1,
  }),
  /** `armored` in ASCII. Forwarded as bytes. */
  openText: page(
    'grant',
    'counted',
    object({ armored: bytes(MAX_ARMORED_BYTES), ...openOptions }),
    PAGE_METHODS.openText.result,
    { capability: 'open', args: 1 },
  ),
  /** Exactly one of the two: a message as bytes, or its armored line in ASCII. */
  inspect: page(
    'nothing',
    'pure',
    union(
      'either sealed or armored',
      object({ sealed: bytes(MAX_SEALED_BYTES) }),
      object({ armored: bytes(MAX_ARMORED_BYTES) }),
    ),
    sealedInfo,
    { args: 1, inPrivateWindows: true },
  ),
  /** `place`: as long as the sealed message without recipients, with the body at its end (content/bulk/in-place.ts). */
  sealInPlace: page(
    'grant',
    'counted',
    object({
      place: bytes(MAX_SEALED_BYTES),
      messageBytes: integer(0, MAX_PLAINTEXT_BYTES),
      ...sealOneOptions,
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
    object({ blob: blob(MAX_BLOB_BYTES), ...sealOneOptions }),
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
  beginSealStream: page('grant', 'counted', object(sealOneOptions), begun, {
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
  /** Has to be called until it returns `done`. */
  endStream: page(
    'grant',
    'effect',
    object({ stream: id }),
    object({ parts: output, done: boolean }),
    { api: null },
  ),
  dropStream: page('nothing', 'effect', object({ stream: id }), none, { api: null }),
});

/** What a sealed message says about itself without any key. */
export type SealedInfo = Infer<typeof sealedInfo>;

/** All methods that a page may call through its content script. */
export const CONTENT_METHODS = Object.freeze({ ...PAGE_METHODS, ...SERVED_METHODS });

function bytesOrZeros(maxBytes: number, maxZeros: number): Validator<Uint8Array | number> {
  const some = bytes(maxBytes);
  const zeros = integer(0, maxZeros);
  return (value, path) => (typeof value === 'number' ? zeros(value, path) : some(value, path));
}
