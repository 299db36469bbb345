import type { HashName, MacHashName } from '../../engine/contract.ts';
import { toBigint } from '../../crypto/bigint/integers.ts';
import { copyBytes, isBufferSource } from './buffer-source.ts';
import { notSupported } from '../errors.ts';
import { toKey } from '../key.ts';
import type { SubtleKey } from '../key.ts';
import { isObject, toCounter, toInteger, toItems, toText } from './web-idl.ts';
import type { IntegerBits } from './web-idl.ts';

/**
 * The parameters beside `name` that came with an algorithm, read by the rules of Web IDL: a missing
 * required one and one of the wrong type are TypeErrors, bytes are copied.
 */
export class Members {
  private readonly name: string;
  private readonly source: Readonly<Record<string, unknown>>;
  private readonly toHash: (hash: unknown) => HashName;

  /** @param toHash normalizes a HashAlgorithmIdentifier */
  constructor(name: string, source: object, toHash: (hash: unknown) => HashName) {
    this.name = name;
    this.source = source as Readonly<Record<string, unknown>>;
    this.toHash = toHash;
  }

  bytes(member: string): Uint8Array {
    return copyBytes(this.describe(member), this.required(member));
  }

  /** For a name that is no parameter, where ignoring it would have the caller believe in a protection. */
  refuse(member: string, instead: string): void {
    if (this.source[member] === undefined) return;
    throw new TypeError(`${this.name} has no ${member}: ${instead}`);
  }

  /** Empty if absent. */
  optionalBytes(member: string): Uint8Array {
    const value = this.source[member];
    return value === undefined ? new Uint8Array(0) : copyBytes(this.describe(member), value);
  }

  integer(member: string, bits: IntegerBits): number {
    return toInteger(this.describe(member), this.required(member), bits);
  }

  optionalInteger(member: string, bits: IntegerBits): number | undefined {
    const value = this.source[member];
    return value === undefined ? undefined : toInteger(this.describe(member), value, bits);
  }

  /** A BufferSource, or a sequence of them; none if absent. */
  byteStrings(member: string): Uint8Array[] {
    const value = this.source[member];
    if (value === undefined) return [];
    if (isBufferSource(value)) return [copyBytes(this.describe(member), value)];
    return toItems(this.describe(member), value).map((item, i) =>
      copyBytes(`${this.describe(member)}[${i}]`, item),
    );
  }

  /** A 64-bit number, as a number or a bigint. */
  optionalCounter(member: string): bigint | undefined {
    const value = this.source[member];
    return value === undefined ? undefined : toCounter(this.describe(member), value);
  }

  /** A public integer of any size: a bigint, or big-endian bytes. */
  optionalNatural(member: string): bigint | undefined {
    const value = this.source[member];
    if (value === undefined) return undefined;
    if (typeof value !== 'bigint') return toBigint(copyBytes(this.describe(member), value));
    if (value < 0n) throw new TypeError(`${this.describe(member)} must not be negative`);
    return value;
  }

  natural(member: string): bigint {
    this.required(member);
    return this.optionalNatural(member)!;
  }

  text(member: string): string {
    return toText(this.describe(member), this.required(member));
  }

  optionalText(member: string): string | undefined {
    return this.source[member] === undefined ? undefined : this.text(member);
  }

  key(member: string): SubtleKey {
    return toKey(this.describe(member), this.required(member));
  }

  hash(): HashName {
    return this.toHash(this.required('hash'));
  }

  /** The hash's name as it was given. */
  hashName(): string {
    const hash = this.required('hash');
    return toText('hash', isObject(hash) ? (hash as { name?: unknown }).name : hash);
  }

  /** BLAKE2b and BLAKE3 have keyed modes of their own, so HMAC over them is not defined. */
  macHash(): MacHashName {
    const hash = this.hash();
    if (hash === 'BLAKE2b' || hash === 'BLAKE3') {
      throw notSupported(`${this.name} is not defined over ${hash}`);
    }
    return hash;
  }

  private required(member: string): unknown {
    const value = this.source[member];
    if (value === undefined) throw new TypeError(`${this.describe(member)} is missing`);
    return value;
  }

  private describe(member: string): string {
    return `${this.name}: ${member}`;
  }
}
