import type { HashName } from '../engine/contract.ts';
import { copyBytes } from './buffer-source.ts';
import { toInteger } from './web-idl.ts';
import type { IntegerBits } from './web-idl.ts';

/**
 * The parameters beside `name` that came with an algorithm, read by the rules of Web IDL: a missing
 * required one and one of the wrong type are TypeErrors, bytes are copied.
 */
export class Members {
  private readonly name: string;
  private readonly source: Readonly<Record<string, unknown>>;
  private readonly toHash: (hash: unknown) => HashName;

  /** @param toHash normalises a HashAlgorithmIdentifier */
  constructor(name: string, source: object, toHash: (hash: unknown) => HashName) {
    this.name = name;
    this.source = source as Readonly<Record<string, unknown>>;
    this.toHash = toHash;
  }

  bytes(member: string): Uint8Array {
    return copyBytes(this.describe(member), this.required(member));
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

  hash(): HashName {
    return this.toHash(this.required('hash'));
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
