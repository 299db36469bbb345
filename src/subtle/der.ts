/**
 * The part of DER (ITU-T X.690) that the keys of this library need: definite lengths, positive
 * integers. Anything that is not DER is refused.
 */
import { concat } from '../crypto/bytes.ts';
import { dataError } from './errors.ts';

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const NULL = 0x05;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
/** Context-specific, primitive, number 0. */
const TAGGED = 0x80;
/** Context-specific, constructed, number 0; the others follow. */
const EXPLICIT = 0xa0;

/** Reads one value after the other. Each method throws DataError if another type follows. */
export class DerReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  sequence(): DerReader {
    return new DerReader(this.value(SEQUENCE));
  }

  /** Of a positive number: big-endian, without leading zeros. */
  integer(): Uint8Array {
    const value = this.value(INTEGER);
    const [first = 0x80, second = 0x80] = value;
    const hasSpareZero = value.length > 1 && first === 0 && second < 0x80;
    if (first >= 0x80 || hasSpareZero) throw malformed();
    return first === 0 ? value.subarray(1) : value;
  }

  octetString(): Uint8Array {
    return this.value(OCTET_STRING);
  }

  /** Of whole bytes. */
  bitString(): Uint8Array {
    const value = this.value(BIT_STRING);
    if (value[0] !== 0) throw malformed();
    return value.subarray(1);
  }

  objectIdentifier(): Uint8Array {
    return this.value(OBJECT_IDENTIFIER);
  }

  /** [0] IMPLICIT OCTET STRING. */
  taggedOctetString(): Uint8Array {
    return this.value(TAGGED);
  }

  /** NULL. */
  nothing(): void {
    if (this.value(NULL).length > 0) throw malformed();
  }

  /** [number] EXPLICIT OPTIONAL. @returns undefined if something else follows */
  explicit(number: number): DerReader | undefined {
    const tag = EXPLICIT + number;
    return this.bytes[this.at] === tag ? new DerReader(this.value(tag)) : undefined;
  }

  /**
   * Passes over [0] IMPLICIT Attributes OPTIONAL of PrivateKeyInfo (RFC 5208, section 5), which must be its end: each is a
   * name and a set of values.
   */
  attributes(): void {
    const attributes = this.explicit(0);
    while (attributes?.hasMore() === true) {
      const attribute = attributes.sequence();
      attribute.objectIdentifier();
      attribute.value(SET);
      attribute.end();
    }
    this.end();
  }

  nextIsInteger(): boolean {
    return this.bytes[this.at] === INTEGER;
  }

  nextIsTagged(): boolean {
    return this.bytes[this.at] === TAGGED;
  }

  hasMore(): boolean {
    return this.at < this.bytes.length;
  }

  /** @throws DataError if anything is left */
  end(): void {
    if (this.hasMore()) throw malformed();
  }

  private value(tag: number): Uint8Array {
    if (this.byte() !== tag) throw malformed();
    const length = this.length();
    const end = this.at + length;
    if (end > this.bytes.length) throw malformed();
    const value = this.bytes.subarray(this.at, end);
    this.at = end;
    return value;
  }

  /** X.690, sections 8.1.3 and 10.1: in as few bytes as possible. */
  private length(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    const count = first - 0x80;
    if (count === 0 || count > 3) throw malformed();
    let length = 0;
    for (let i = 0; i < count; i++) length = 256 * length + this.byte();
    if (length < 0x80 || length < 256 ** (count - 1)) throw malformed();
    return length;
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw malformed();
    return byte;
  }
}

/** SEQUENCE of encoded values. */
export function derSequence(...parts: readonly Uint8Array[]): Uint8Array {
  return derValue(SEQUENCE, concat(...parts));
}

/** @param magnitude big-endian, with any leading zeros */
export function derInteger(magnitude: Uint8Array): Uint8Array {
  const start = magnitude.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? new Uint8Array(0) : magnitude.subarray(start);
  const needsSign = digits.length === 0 || digits[0]! >= 0x80;
  return derValue(INTEGER, needsSign ? concat(Uint8Array.of(0), digits) : digits);
}

/** OCTET STRING. */
export function derOctetString(bytes: Uint8Array): Uint8Array {
  return derValue(OCTET_STRING, bytes);
}

/** [0] IMPLICIT OCTET STRING. */
export function derTaggedOctetString(bytes: Uint8Array): Uint8Array {
  return derValue(TAGGED, bytes);
}

/** BIT STRING of whole bytes. */
export function derBitString(bytes: Uint8Array): Uint8Array {
  return derValue(BIT_STRING, concat(Uint8Array.of(0), bytes));
}

/**
 * OBJECT IDENTIFIER.
 *
 * @param encoded its contents as DER has them
 */
export function derObjectIdentifier(encoded: Uint8Array): Uint8Array {
  return derValue(OBJECT_IDENTIFIER, encoded);
}

function derValue(tag: number, content: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(tag, ...derLength(content.length)), content);
}

function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 + digits.length, ...digits];
}

function malformed(): DOMException {
  return dataError('The key is not in DER, or not of this kind');
}
