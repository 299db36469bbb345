import { wipe } from './bytes.ts';

/** Printed instead of the bytes. */
const REDACTED = '[secret]';

/**
 * Secret bytes in an object that may be logged by mistake. JSON, string conversion, `console.log` and Node's
 * `util.inspect` show `[secret]`; only `bytes` returns the bytes.
 *
 * A class that owns a secret has it as a property, and a getter returns the bytes: accessors of a class are
 * neither printed nor copied by a spread.
 */
export class Secret {
  readonly #bytes: Uint8Array;

  /** @param bytes not copied; owned by this object, and `wipe` overwrites them */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The bytes themselves, not a copy; zeros after `wipe`. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Overwrites the bytes with zeros. */
  wipe(): void {
    wipe(this.#bytes);
  }

  /** @returns `[secret]` */
  toString(): string {
    return REDACTED;
  }

  /** @returns `[secret]` */
  toJSON(): string {
    return REDACTED;
  }

  /** Called by `util.inspect` and `console.log` of Node. @returns `[secret]` */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}
