/*
 * The one envelope of every channel: page ⇄ content script, and extension page or content script ⇄
 * background. A message is wrapped once and unwrapped once, by `parseMessage`. Values that do not
 * parse are dropped.
 *
 *   { v: 1, kind: 'request', id: 'a51…-7', method: 'random', params: { length: 16 } }
 *   { v: 1, kind: 'response', id: 'a51…-7', ok: true, result: Uint8Array(16) }
 */
import { isErrorCode } from './errors.ts';
import type { WireError } from './errors.ts';
import { MAX_ARMORED_BYTES } from './limits.ts';
import { hasOwn } from './primordials.ts';
import {
  array,
  bytes,
  either,
  integer,
  InvalidValue,
  literal,
  object,
  optional,
  string,
} from './validate.ts';
import type { Infer, Validator } from './validate.ts';

/** Grows when an older peer could misread a message. Peers of another version are not understood. */
export const PROTOCOL_VERSION = 1;

/** A piece of a large payload is at most this long: a message that takes the receiver's thread for about 1 ms. */
export const MAX_PIECE_BYTES = 512 * 1024;
/** Of one parcel: the largest argument of a method, and room for its smaller neighbours. */
export const MAX_PARCEL_BYTES = MAX_ARMORED_BYTES + 1024 * 1024;

/** Bytes in one batch: as many as travel in one message. */
export const MAX_MANY_BYTES = 64 * 1024;
/** Messages in one batch. */
export const MAX_MANY = 256;

const anything: Validator<unknown> = (value) => value;
const id = string(64, 1);
const v = literal(PROTOCOL_VERSION);
const count = integer(0);
/** Own properties from a message down to a place in it; array indexes in decimal. */
const path = array(string(64), 8, 1);

const errorCode: Validator<WireError['code']> = (value, at) => {
  if (!isErrorCode(value)) throw new InvalidValue(at, 'an error code');
  return value;
};
/** An error as it crosses a context, alone or as one item's of a batch. */
export const wireError = object({
  code: errorCode,
  message: string(1000),
  data: optional(anything),
});
/** A message to pages without a request. */
export const eventName = literal('lock', 'unlock', 'grantchange', 'disconnect');

const KINDS = {
  // `follow`: the caller wants progress messages.
  request: object({
    v,
    kind: literal('request'),
    id,
    method: string(64),
    params: anything,
    follow: optional(literal(true)),
  }),
  response: either(
    'ok',
    object({ v, kind: literal('response'), id, ok: literal(true), result: anything }),
    object({ v, kind: literal('response'), id, ok: literal(false), error: wireError }),
  ),
  progress: object({ v, kind: literal('progress'), id, bytes: count, total: optional(count) }),
  abort: object({ v, kind: literal('abort'), id }),
  // `origin`: for frames of that origin only. Content scripts check it and forward the name.
  event: object({ v, kind: literal('event'), name: eventName, origin: optional(string(2048)) }),
  // Keep an idle worker alive while a response is missing, and show that the channel works.
  ping: object({ v, kind: literal('ping') }),
  pong: object({ v, kind: literal('pong') }),
  // A message whose bytes follow in pieces (transport/chunks.ts): `lengths[i]` bytes belong at `paths[i]`.
  parcel: object({
    v,
    kind: literal('parcel'),
    parcel: count,
    body: anything,
    paths: array(path, 20_000, 1),
    lengths: array(integer(0, MAX_PARCEL_BYTES), 20_000, 1),
  }),
  piece: object({ v, kind: literal('piece'), parcel: count, bytes: bytes(MAX_PIECE_BYTES) }),
  // The sender has given up the parcel.
  drop: object({ v, kind: literal('drop'), parcel: count }),
  // Small requests or responses of one task (transport/batching-channel.ts), each a whole message.
  many: object({ v, kind: literal('many'), messages: array(anything, MAX_MANY, 1) }),
  // How many bytes have arrived; 0 is "go ahead".
  ack: object({ v, kind: literal('ack'), parcel: count, received: count }),
} as const;

type Kind = keyof typeof KINDS;
/** A parsed message of one kind. */
export type MessageOf<K extends Kind> = Infer<(typeof KINDS)[K]>;
/** A parsed message of any kind. */
export type Message = { [K in Kind]: MessageOf<K> }[Kind];
/** The name of an event, as pages listen to it. */
export type EventName = Infer<typeof eventName>;
/** Names of own properties from a message down to a value in it. */
export type Path = Infer<typeof path>;

/**
 * The kind of message that a value claims to be; nothing else of it has been read. For code that
 * forwards messages, so that each is parsed once. Never throws, whatever the value does.
 */
export function kindOf(value: unknown): Kind | undefined {
  try {
    if (typeof value !== 'object' || value === null || !hasOwn(value, 'kind')) return undefined;
    const { kind } = value as { kind: unknown };
    return typeof kind === 'string' && hasOwn(KINDS, kind) ? (kind as Kind) : undefined;
  } catch {
    // A getter or proxy that throws (only in one's own context).
    return undefined;
  }
}

/** The message in a value from outside, or undefined. Never throws, whatever the value does. */
export function parseMessage(value: unknown): Message | undefined {
  const kind = kindOf(value);
  if (kind === undefined) return undefined;
  try {
    return KINDS[kind](value, 'message');
  } catch {
    // An unlisted shape, or a getter or proxy that throws (only in one's own context).
    return undefined;
  }
}

/** A request. `follow`: the caller wants progress messages. */
export const request = (
  id: string,
  method: string,
  params: unknown,
  follow = false,
): MessageOf<'request'> => ({
  v: PROTOCOL_VERSION,
  kind: 'request',
  id,
  method,
  params,
  ...(follow && { follow }),
});

/** The response to a request that succeeded. */
export const success = (id: string, result: unknown): MessageOf<'response'> => ({
  v: PROTOCOL_VERSION,
  kind: 'response',
  id,
  ok: true,
  result,
});

/** The response to a request that failed. */
export const failure = (id: string, error: WireError): MessageOf<'response'> => ({
  v: PROTOCOL_VERSION,
  kind: 'response',
  id,
  ok: false,
  error,
});

/** How many bytes of a call are done, and of how many, where that is known. */
export const progress = (id: string, bytes: number, total?: number): MessageOf<'progress'> => ({
  v: PROTOCOL_VERSION,
  kind: 'progress',
  id,
  bytes,
  ...(total !== undefined && { total }),
});

/** Tells the other end that the caller no longer waits for a request. */
export const abort = (id: string): MessageOf<'abort'> => ({
  v: PROTOCOL_VERSION,
  kind: 'abort',
  id,
});

/** What `tabs.sendMessage` carries to content scripts, and content scripts to their page. */
export const event = (name: EventName, origin?: string): MessageOf<'event'> => ({
  v: PROTOCOL_VERSION,
  kind: 'event',
  name,
  ...(origin !== undefined && { origin }),
});

/** A batch of at most `MAX_MANY` messages. */
export const many = (messages: unknown[]): MessageOf<'many'> => ({
  v: PROTOCOL_VERSION,
  kind: 'many',
  messages,
});

/** Asks for a sign of life. */
export const PING: MessageOf<'ping'> = { v: PROTOCOL_VERSION, kind: 'ping' };
/** The answer to a ping. */
export const PONG: MessageOf<'pong'> = { v: PROTOCOL_VERSION, kind: 'pong' };
