/*
 * How bytes cross a runtime port. Firefox, and Chromium from 148 with the manifest's
 * "message_serialization": "structured_clone", carry a Uint8Array as it is; elsewhere messages are
 * JSON and bytes travel as base64 beside the message. Both ends find out when a channel opens: the
 * background sends a Uint8Array, and the other side answers what it received.
 *
 *   background → { v: 1, kind: 'hello', probe: Uint8Array[5, 57, 1] }
 *   background ← { v: 1, kind: 'hello', codec: 'clone' }
 */
import { attach, detach } from './attachments.ts';
import { MAX_PIECE_BYTES, PROTOCOL_VERSION } from '../envelope.ts';
import { hasOwn, isUint8Array } from '../primordials.ts';
import { array, literal, object, string } from '../validate.ts';
import type { Infer } from '../validate.ts';

/** How a message with bytes is represented on a runtime port. */
export interface Codec {
  readonly name: 'clone' | 'base64';
  encode(message: unknown): unknown;
  /** Undefined when the value is not what `encode` makes. Never throws. */
  decode(wire: unknown): unknown;
}

const clone: Codec = { name: 'clone', encode: (message) => message, decode: (wire) => wire };

const path = array(string(64), 8, 1);
/** Nothing larger than a piece travels inline. */
const base64Text = string(4 * Math.ceil(MAX_PIECE_BYTES / 3));
const attached = array(object({ path, base64: base64Text }), 20_000);

const base64: Codec = {
  name: 'base64',
  encode(message) {
    const { body, attachments } = detach(message);
    const bytes = attachments.map((part) => ({ path: part.path, base64: toBase64(part.bytes) }));
    return { body, bytes };
  },
  decode(wire) {
    try {
      if (typeof wire !== 'object' || wire === null || !hasOwn(wire, 'bytes')) return undefined;
      const { body, bytes } = wire as { body: unknown; bytes: unknown };
      return restore(body, attached(bytes, 'bytes'));
    } catch {
      // Another shape, or not base64: the message is dropped.
      return undefined;
    }
  },
};

function restore(body: unknown, parts: Infer<typeof attached>): unknown {
  const isWhole = parts.every((part) => attach(body, part.path, fromBase64(part.base64)));
  return isWhole ? body : undefined;
}

const CODECS = { clone, base64 } as const;
const PROBE: readonly number[] = [5, 57, 1];

/** The first message on a port, from the background: it shows how bytes arrive. */
export const greeting = () => ({
  v: PROTOCOL_VERSION,
  kind: 'hello',
  probe: Uint8Array.from(PROBE),
});

/** The answer to a greeting: the codec for both directions. */
export const greetingAnswer = (codec: Codec) => ({
  v: PROTOCOL_VERSION,
  kind: 'hello',
  codec: codec.name,
});

/** The codec that the channel of this greeting can carry; undefined if it is not a greeting. */
export function codecOfGreeting(message: unknown): Codec | undefined {
  if (!isHello(message) || !hasOwn(message, 'probe')) return undefined;
  const { probe } = message as { probe: unknown };
  const arrived = isUint8Array(probe) && PROBE.every((byte, i) => probe[i] === byte);
  return arrived ? clone : base64;
}

/** The codec that the other side has chosen; undefined if this is not an answer to a greeting. */
export function codecOfAnswer(message: unknown): Codec | undefined {
  if (!isHello(message) || !hasOwn(message, 'codec')) return undefined;
  const { codec } = message as { codec: unknown };
  try {
    return CODECS[literal('clone', 'base64')(codec, 'codec')];
  } catch {
    // A codec we do not speak.
    return undefined;
  }
}

function isHello(message: unknown): message is object {
  if (typeof message !== 'object' || message === null) return false;
  const { v, kind } = message as { v?: unknown; kind?: unknown };
  return v === PROTOCOL_VERSION && kind === 'hello';
}

/** String.fromCharCode takes a limited number of arguments; 32 KiB is safe everywhere. */
const CHARACTERS_AT_ONCE = 32 * 1024;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += CHARACTERS_AT_ONCE) {
    binary += String.fromCharCode(...bytes.subarray(i, i + CHARACTERS_AT_ONCE));
  }
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
