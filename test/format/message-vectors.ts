/*
 * The project's own vectors of the sealed-message format, test/format/vectors/*.json: their types, and how to
 * read them. scripts/make-format-vectors.ts generated them once; they never change.
 */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../src/crypto/bytes.ts';
import type { OpenMessageOptions, SealMessageOptions } from '../../src/format/message.ts';
import type { SealedInfo } from '../../src/format/wire/inspect.ts';
import type { Purpose } from '../../src/format/wire/header.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import { TEST_TYPE, testRecipientTypes } from './test-recipient.ts';

/** Bytes as hex, or "pattern": byte i is 31·i mod 256. */
export type Content = { readonly hex: string } | { readonly patternBytes: number };

/** The inputs that both sides share. Byte strings are hex. */
export interface Knowledge {
  readonly key: string;
  readonly purpose: Purpose;
  readonly origin: string | null;
  readonly associatedData: string;
}

export interface SealInputs extends Knowledge {
  readonly id: string;
  readonly comment: string;
  readonly keyId: string;
  readonly pad: boolean;
  readonly salt: string;
  /** Keys of recipients of type 255; data key and entry ids are then counting bytes 00 01 02 … */
  readonly recipientKeys: readonly string[];
  readonly message: Content;
}

export interface MessageVector extends SealInputs {
  /** null for a long message, of which only the hash is stored. */
  readonly sealed: string | null;
  readonly sealedBytes: number;
  readonly sealedSha256: string;
  readonly info: SealedInfo;
}

export interface RefusedVector extends Knowledge {
  readonly id: string;
  readonly comment: string;
  /** Opened with these identities of type 255, as a shared message; null: as an own message. */
  readonly identityKeys: readonly string[] | null;
  readonly sealed: string;
  readonly error: 'BAD_ENVELOPE' | 'TOO_LARGE' | 'AUTH_FAILED';
}

export interface ArmorVectors {
  readonly valid: readonly { readonly sealed: string; readonly text: string }[];
  readonly refused: readonly { readonly comment: string; readonly text: string }[];
}

/** Web armor: besides, texts that are read, but never written. */
export interface WebArmorVectors extends ArmorVectors {
  readonly read: readonly {
    readonly comment: string;
    readonly text: string;
    readonly sealed: string;
  }[];
}

export function readVectors(file: 'messages.json' | 'streams.json'): readonly MessageVector[];
export function readVectors(file: 'refused.json'): readonly RefusedVector[];
export function readVectors(file: 'armor.json'): ArmorVectors;
export function readVectors(file: 'web-armor.json'): WebArmorVectors;
export function readVectors(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`vectors/${file}`, import.meta.url), 'utf8')) as unknown;
}

export function contentOf(content: Content): Uint8Array {
  return 'hex' in content ? fromHex(content.hex) : pattern(content.patternBytes);
}

/** Byte i is 31·i mod 256. */
export function pattern(lengthBytes: number): Uint8Array {
  const bytes = Uint8Array.from({ length: Math.min(256, lengthBytes) }, (_, i) => i * 31);
  const whole = new Uint8Array(lengthBytes);
  // It repeats every 256 bytes.
  for (let at = 0; at < lengthBytes; at += 256) whole.set(bytes.subarray(0, lengthBytes - at), at);
  return whole;
}

export function sealOptions(vector: SealInputs): SealMessageOptions {
  const random = countingRandom();
  const shared = vector.recipientKeys.length > 0;
  return {
    key: shared ? undefined : fromHex(vector.key),
    keyId: fromHex(vector.keyId),
    purpose: vector.purpose,
    origin: vector.origin ?? undefined,
    associatedData: fromHex(vector.associatedData),
    pad: vector.pad,
    salt: fromHex(vector.salt),
    recipients: shared ? recipients(vector.recipientKeys) : undefined,
    recipientTypes: testRecipientTypes(random),
    random,
  };
}

export function openOptions(
  known: Knowledge,
  identityKeys: readonly string[] | null,
): OpenMessageOptions {
  return {
    key: fromHex(known.key),
    purpose: known.purpose,
    origin: known.origin ?? undefined,
    associatedData: fromHex(known.associatedData),
    accept: identityKeys ? 'shared' : 'own',
    identities: recipients(identityKeys ?? []),
    recipientTypes: testRecipientTypes(),
  };
}

export function identityKeysOf(vector: MessageVector): readonly string[] | null {
  return vector.recipientKeys.length > 0 ? vector.recipientKeys.slice(-1) : null;
}

function recipients(keys: readonly string[]): { type: number; key: Uint8Array }[] {
  return keys.map((key) => ({ type: TEST_TYPE, key: fromHex(key) }));
}

/** 00 01 02 … 255 00 …: replaces randomness in reproducible tests. */
export function countingRandom(): RandomSource {
  let next = 0;
  return { bytes: (lengthBytes) => Uint8Array.from({ length: lengthBytes }, () => next++) };
}
