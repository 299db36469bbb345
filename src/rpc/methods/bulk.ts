/*
 * The rows that content scripts call for large messages: the background gives out the key of one
 * message, and the content script seals or opens that message in place. Pages cannot call these. For
 * the background they are calls of the page's document like all others.
 */
import { MAX_BLOB_BYTES, MAX_PREFIX_BYTES, MAX_SEALED_BLOB_BYTES } from '../limits.ts';
import { id, none, openOptions, page, sealOneOptions } from './page.ts';
import { boolean, bytes, integer, literal, object, optional } from '../validate.ts';
import type { Infer } from '../validate.ts';

/**
 * Shapes of the keys of one message, as the background gives them out. They seal or open no other
 * message.
 */
export const MESSAGE_KEYS = {
  /** AES-256-GCM. */
  key: bytes(32),
  baseNonce: bytes(12),
  chunkBytes: literal(16_384, 1_048_576),
  padded: boolean,
} as const;

const messageKeys = {
  ...MESSAGE_KEYS,
  /** KeyInfo.id of the key, for later calls of `holdsGrant`. */
  keyId: id,
};

/** The rows for content scripts that seal and open messages in place. */
export const BULK_METHODS = Object.freeze({
  /** Takes one use, as `seal` does. `totalBytes`: of the message, where that is known. */
  releaseSeal: page(
    'grant',
    'counted',
    object({
      purpose: literal('page', 'stream'),
      totalBytes: optional(integer(0, MAX_BLOB_BYTES)),
      ...sealOneOptions,
    }),
    object({ prefix: bytes(MAX_PREFIX_BYTES), ...messageKeys }),
    { capability: 'seal', bytesIn: 'totalBytes' },
  ),
  /** Takes one use, as `open` does. `totalBytes`: of the sealed message, where that is known. */
  releaseOpen: page(
    'grant',
    'counted',
    object({
      head: bytes(MAX_PREFIX_BYTES),
      totalBytes: optional(integer(0, MAX_SEALED_BLOB_BYTES)),
      ...openOptions,
    }),
    object({ chunksOffset: integer(0, MAX_PREFIX_BYTES), ...messageKeys }),
    { capability: 'open', bytesIn: 'totalBytes' },
  ),
  /** Whether work with released keys may go on; if not, NOT_GRANTED, EXPIRED or LOCKED. */
  holdsGrant: page(
    'grant',
    'pure',
    object({ keyId: id, capability: literal('seal', 'open') }),
    none,
  ),
});

/** What the background gives out to seal one message. */
export type SealRelease = Infer<(typeof BULK_METHODS)['releaseSeal']['result']>;
/** What the background gives out to open one message. */
export type OpenRelease = Infer<(typeof BULK_METHODS)['releaseOpen']['result']>;
