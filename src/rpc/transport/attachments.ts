/*
 * The bytes in a message, taken out and put back: chunks.ts sends them in pieces, the base64 codec
 * writes them as text, window channels transfer them. A place is a path of own properties, listed
 * beside the message, so no value inside a message can pass itself off as bytes.
 */
import type { Path } from '../envelope.ts';
import {
  bufferByteLength,
  create,
  hasOwn,
  isArray,
  isUint8Array,
  keys,
  SafeUint8Array,
  typedArrayBuffer,
  typedArrayByteLength,
} from '../primordials.ts';

/** A byte array of a message, and its place in it. */
export interface Attachment {
  readonly path: Path;
  readonly bytes: Uint8Array;
}

/** A message without its byte arrays, and the byte arrays. */
export interface Detached {
  /** The message with null where bytes were. Parts without bytes are shared with the original. */
  readonly body: unknown;
  readonly attachments: Attachment[];
}

/** No message of the table is deeper. */
const MAX_DEPTH = 8;

/** Takes all bytes out of a message of our own making. The message itself is left as it is. */
export function detach(message: unknown): Detached {
  const attachments: Attachment[] = [];
  return { body: strip(message, [], attachments), attachments };
}

function strip(value: unknown, path: Path, found: Attachment[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isUint8Array(value)) {
    found[found.length] = { path, bytes: value };
    return null;
  }
  if (path.length === MAX_DEPTH) return value;
  const before = found.length;
  const copy = (isArray(value) ? [] : create(null)) as Record<string, unknown>;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    copy[name] = strip((value as typeof copy)[name], extended(path, name), found);
  }
  return found.length === before ? value : copy;
}

function extended(path: Path, name: string): Path {
  const longer: Path = [];
  for (let i = 0; i < path.length; i++) longer[i] = path[i]!;
  longer[path.length] = name;
  return longer;
}

/**
 * Puts one attachment back into a body that came from outside.
 * @returns whether there was such a place: own properties all the way, and null at the end.
 */
export function attach(body: unknown, path: Path, bytes: Uint8Array): boolean {
  let holder = body;
  for (let i = 0; i < path.length; i++) {
    const name = path[i]!;
    if (typeof holder !== 'object' || holder === null || !hasOwn(holder, name)) return false;
    const record = holder as Record<string, unknown>;
    if (i < path.length - 1) holder = record[name];
    else if (record[name] !== null) return false;
    else record[name] = bytes;
  }
  return path.length > 0;
}

/** Visits all byte arrays of a message, as deep as `detach` looks. */
export function eachBytes(message: unknown, visit: (bytes: Uint8Array) => void, depth = 0): void {
  if (typeof message !== 'object' || message === null) return;
  if (isUint8Array(message)) {
    visit(message);
    return;
  }
  if (depth === MAX_DEPTH) return;
  const names = keys(message);
  for (let i = 0; i < names.length; i++) {
    eachBytes((message as Record<string, unknown>)[names[i]!], visit, depth + 1);
  }
}

/** The sum of all byte lengths in a message. */
export function payloadBytes(message: unknown): number {
  let total = 0;
  eachBytes(message, (bytes) => (total += typedArrayByteLength(bytes)));
  return total;
}

/** Whether the view covers its whole buffer: structured clone copies whole buffers, not views. */
export function isCompact(bytes: Uint8Array): boolean {
  return bufferByteLength(typedArrayBuffer(bytes)) === typedArrayByteLength(bytes);
}

/** The same bytes with a buffer of their own. */
export function compact(bytes: Uint8Array): Uint8Array {
  return isCompact(bytes) ? bytes : new SafeUint8Array(bytes);
}
