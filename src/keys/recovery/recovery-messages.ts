/*
 * What passes between the owner of a recovery file and their friends, as texts to send by any way: a request to all of them,
 * with the sealed shares of the file, and an answer of each. docs/design/devices.md, "Friends", has their bytes. The check at
 * the end is against mistakes: anyone can make it.
 */
import {
  concat,
  copyOf,
  equal,
  fromBase64url,
  toBase64url,
  u64be,
  utf8,
} from '../../crypto/bytes.ts';
import { SHA256, sha256 } from '../../crypto/hash/sha256.ts';
import { hmac } from '../../crypto/mac/hmac.ts';
import { utf8Text } from '../../format/utf8-text.ts';
import { VaultError } from '../values/errors.ts';
import {
  encodeFacts,
  FACTS_BYTES,
  FRIENDS_MAX,
  parseFacts,
  SEALED_SHARE_BYTES,
  timeAt,
  type RecoveryFacts,
} from './recovery-file.ts';

/** Length of the public key of a request: X-Wing. */
const OFFER_KEY_BYTES = 1_216;
/** Length of a challenge. */
export const CHALLENGE_BYTES = 32;
/** Length of a share in an answer: a message to one X-Wing key without attributes. */
const ANSWERED_SHARE_BYTES = 1_317;
/** Of the name in a request, as UTF-8. */
const ASKER_MAX_BYTES = 255;

const VERSION = 1;
const CHECK_BYTES = 16;
const MAC_BYTES = 32;
const ID_BYTES = 32;
/** Magic, version, kind. */
const FIXED_BYTES = 4 + 1 + 1;

const REQUEST = { magic: utf8('SWRQ'), prefix: 'swr1.' };
const ANSWER = { magic: utf8('SWRA'), prefix: 'swa1.' };
const RECOVERY = 1;
const DRILL = 2;

/** Characters of a text. Longer ones are refused before any work: a request to ten friends has 21,797. */
export const RECOVERY_TEXT_MAX = 24 * 1024;

/** What a request asks for: the shares, or a proof that they can be opened. */
export type Asked =
  | {
      readonly kind: 'recovery';
      /** X-Wing, 1,216 bytes: to whom the shares are sealed. */
      readonly offerKey: Uint8Array;
      /** Who asks, as they say themselves: it proves nothing. 1 to 255 bytes of UTF-8. */
      readonly name: string;
    }
  | {
      readonly kind: 'drill';
      /** 32 random bytes. */
      readonly challenge: Uint8Array;
    };

/** A request to the friends of a file. */
export interface RecoveryRequest {
  readonly facts: RecoveryFacts;
  /** ms since the epoch */
  readonly askedAt: number;
  readonly asked: Asked;
  /** By index, from 1. */
  readonly sealedShares: readonly Uint8Array[];
}

/** A request that was read. It proves nothing. */
export interface ReadRequest extends RecoveryRequest {
  /** 32 bytes, to which its answers are bound. */
  readonly id: Uint8Array;
}

/** A friend's answer. */
export interface RecoveryAnswer {
  readonly kind: Asked['kind'];
  /** Of the request. */
  readonly id: Uint8Array;
  /** Of the share, 1 to 10. */
  readonly index: number;
  /** The share sealed to the asker, or the MAC. */
  readonly body: Uint8Array;
}

/**
 * Writes a request, one line.
 *
 * @throws RangeError, TypeError for a name that is empty, too long or not text
 */
export function requestText({ facts, askedAt, asked, sealedShares }: RecoveryRequest): string {
  const kind = asked.kind === 'recovery' ? RECOVERY : DRILL;
  const times = concat(encodeFacts(facts), u64be(askedAt));
  return textOf(REQUEST, kind, times, encodeAsked(asked), ...sealedShares);
}

function encodeAsked(asked: Asked): Uint8Array {
  if (asked.kind === 'drill') return asked.challenge;
  const name = utf8(asked.name);
  if (name.length === 0 || name.length > ASKER_MAX_BYTES) {
    throw new RangeError(`name must have 1 to ${ASKER_MAX_BYTES} bytes of UTF-8`);
  }
  return concat(asked.offerKey, Uint8Array.of(name.length), name);
}

/**
 * Reads a request.
 *
 * @param text with any spaces and line ends
 * @throws VaultError BAD_REQUEST for any other text, NEWER for one of a later version
 */
export function parseRequest(text: string): ReadRequest {
  const { kind, rest, bytes } = parsed(REQUEST, text);
  if (rest.length < FACTS_BYTES + 8) throw new VaultError('BAD_REQUEST');
  const facts = parseFacts(rest.subarray(0, FACTS_BYTES));
  const askedAt = timeAt(rest, FACTS_BYTES);
  if (!facts || askedAt === undefined) throw new VaultError('BAD_REQUEST');
  const sharesAt = rest.length - facts.count * SEALED_SHARE_BYTES;
  if (sharesAt < FACTS_BYTES + 8) throw new VaultError('BAD_REQUEST');
  const asked = parseAsked(kind, rest.subarray(FACTS_BYTES + 8, sharesAt));
  const sealedShares = Array.from({ length: facts.count }, (_, i) => {
    const at = sharesAt + i * SEALED_SHARE_BYTES;
    return copyOf(rest.subarray(at, at + SEALED_SHARE_BYTES));
  });
  const id = sha256(utf8('SWM1 recovery request\0'), bytes);
  return { facts, askedAt, asked, sealedShares, id };
}

function parseAsked(kind: number, bytes: Uint8Array): Asked {
  if (kind === DRILL && bytes.length === CHALLENGE_BYTES) {
    return { kind: 'drill', challenge: copyOf(bytes) };
  }
  const name = bytes.subarray(OFFER_KEY_BYTES + 1);
  const isWhole = name.length > 0 && bytes[OFFER_KEY_BYTES] === name.length;
  if (kind !== RECOVERY || !isWhole) throw new VaultError('BAD_REQUEST');
  const offerKey = copyOf(bytes.subarray(0, OFFER_KEY_BYTES));
  const text = utf8Text(name);
  if (text === undefined) throw new VaultError('BAD_REQUEST');
  return { kind: 'recovery', offerKey, name: text };
}

/** Writes an answer, one line. */
export function answerText({ kind, id, index, body }: RecoveryAnswer): string {
  const isRecovery = kind === 'recovery';
  return textOf(ANSWER, isRecovery ? RECOVERY : DRILL, id, Uint8Array.of(index), body);
}

/**
 * Reads an answer.
 *
 * @param text with any spaces and line ends
 * @throws VaultError BAD_REQUEST for any other text, NEWER for one of a later version
 */
export function parseAnswer(text: string): RecoveryAnswer {
  const { kind, rest } = parsed(ANSWER, text);
  const bodyBytes = kind === RECOVERY ? ANSWERED_SHARE_BYTES : MAC_BYTES;
  const index = rest[ID_BYTES]!;
  const isKnown = (kind === RECOVERY || kind === DRILL) && rest.length === ID_BYTES + 1 + bodyBytes;
  if (!isKnown || index < 1 || index > FRIENDS_MAX) throw new VaultError('BAD_REQUEST');
  return {
    kind: kind === RECOVERY ? 'recovery' : 'drill',
    id: copyOf(rest.subarray(0, ID_BYTES)),
    index,
    body: copyOf(rest.subarray(ID_BYTES + 1)),
  };
}

/** What the share in an answer is bound to. @param id of the request */
export function answerContext(id: Uint8Array, index: number): Uint8Array {
  return concat(utf8('SWM1 recovery answer\0'), id, Uint8Array.of(index));
}

/** The proof of a drill. @param id of the request @returns 32 bytes */
export function drillMac(key: Uint8Array, id: Uint8Array): Uint8Array {
  return hmac(SHA256, key, utf8('SWM1 recovery drill\0'), id);
}

interface Form {
  readonly magic: Uint8Array;
  readonly prefix: string;
}

function textOf({ magic, prefix }: Form, kind: number, ...parts: readonly Uint8Array[]): string {
  const bytes = concat(magic, Uint8Array.of(VERSION, kind), ...parts);
  return prefix + toBase64url(concat(bytes, checkOf(bytes)));
}

/** @throws VaultError BAD_REQUEST, NEWER */
function parsed({ magic, prefix }: Form, text: string) {
  if (text.length > 2 * RECOVERY_TEXT_MAX) throw new VaultError('BAD_REQUEST');
  const line = text.replace(/\s+/g, '');
  if (!line.startsWith(prefix) || line.length > RECOVERY_TEXT_MAX) {
    throw new VaultError('BAD_REQUEST');
  }
  const bytes = orBad(() => fromBase64url(line.slice(prefix.length)));
  const end = bytes.length - CHECK_BYTES;
  const isWhole =
    end >= FIXED_BYTES &&
    equal(bytes.subarray(0, magic.length), magic) &&
    equal(checkOf(bytes.subarray(0, end)), bytes.subarray(end));
  if (!isWhole) throw new VaultError('BAD_REQUEST');
  const [version, kind] = [bytes[magic.length]!, bytes[magic.length + 1]!];
  if (version !== VERSION) throw new VaultError(version > VERSION ? 'NEWER' : 'BAD_REQUEST');
  return { kind, rest: bytes.subarray(FIXED_BYTES, end), bytes };
}

/** @throws VaultError BAD_REQUEST where the work throws TypeError */
function orBad<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TypeError ? new VaultError('BAD_REQUEST') : error;
  }
}

const checkOf = (bytes: Uint8Array): Uint8Array => sha256(bytes).subarray(0, CHECK_BYTES);
