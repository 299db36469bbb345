/*
 * Rows and documents of which some fields are sealed: those are in one sealed message beside the other fields, which
 * stay in the clear. What does not open is quarantined, as records of sync services are.
 */
import type { Fields } from '../content.ts';
import { membersOf } from '../content.ts';
import type { SealedMessages } from '../messages.ts';
import { quarantineOf } from '../quarantine.ts';
import type { QuarantineOptions } from '../quarantine.ts';
import { textOfValue, valueOfText } from './values.ts';

/** The field of a stored row that has the sealed ones, as bytes or as text. */
export const SEALED_FIELD = 'sealwrightSealed';
const QUARANTINE_FIELD = 'sealwrightQuarantine';

/** Whether rows are opened that were stored before their fields were sealed. */
export type ClearRows = 'refuse' | 'open';

/** How the sealed message is stored: IndexedDB takes bytes, JSON needs text. */
export interface SealedForm {
  stored(sealed: Uint8Array<ArrayBuffer>): unknown;
  /** @returns undefined for what is not of this form */
  bytes(stored: unknown): Uint8Array<ArrayBuffer> | undefined;
}

/** Options of adapters that seal fields. */
export interface FieldOptions extends QuarantineOptions {
  /**
   * Rows in which these fields are in the clear, as they were stored before: 'refuse' (default) quarantines them as
   * NOT_SEALED, since someone with the disk may have written them; 'open' is for the time of a migration.
   */
  readonly clearRows?: ClearRows | undefined;
}

/** Seals and opens the fields of the rows of one table. */
export class SealedRows {
  readonly #messages: SealedMessages;
  readonly #isSealed: (name: string) => boolean;
  readonly #form: SealedForm;
  readonly #options: FieldOptions;

  /** @param fields names of the fields that are sealed */
  constructor(
    messages: SealedMessages,
    fields: Iterable<string>,
    form: SealedForm,
    options: FieldOptions,
  ) {
    const names = new Set([...fields, QUARANTINE_FIELD]);
    this.#messages = messages;
    this.#isSealed = (name) => names.has(name);
    this.#form = form;
    this.#options = options;
  }

  /**
   * @param key the row's primary key, to which its sealed fields are bound; undefined if it is given at insertion
   * @returns the row as it is stored
   */
  async sealed(key: unknown, row: Fields): Promise<Fields> {
    const clear = membersOf(row, (name) => !this.#isSealed(name) && name !== SEALED_FIELD);
    const secret = membersOf(row, this.#isSealed);
    const quarantine = quarantineOf(row);
    // As it was, unless the app has written into one of the sealed fields.
    if (quarantine && Object.keys(secret).length === 1) {
      return { ...clear, ...this.#keptOf(quarantine.sealed as Fields) };
    }
    const sealed = await this.#messages.seal(textOfValue([keyText(key), secret]));
    return { ...clear, [SEALED_FIELD]: this.#form.stored(sealed) };
  }

  /** @returns the row with its fields, or with its quarantine @throws errors of the whole call */
  async opened(key: unknown, row: Fields): Promise<Fields> {
    const clear = membersOf(row, (name) => !this.#isSealed(name) && name !== SEALED_FIELD);
    const result = await this.#attempt(key, row);
    if (typeof result !== 'string') return { ...clear, ...result };
    const quarantine = { code: result, sealed: this.#keptOf(row) };
    this.#options.onQuarantine?.(String(key), quarantine);
    return { ...clear, [QUARANTINE_FIELD]: quarantine };
  }

  /** The fields, or the code of why they do not open. */
  async #attempt(key: unknown, row: Fields): Promise<Fields | string> {
    if (!(SEALED_FIELD in row)) {
      return this.#options.clearRows === 'open' ? membersOf(row, this.#isSealed) : 'NOT_SEALED';
    }
    const bytes = this.#form.bytes(row[SEALED_FIELD]);
    if (!bytes) return 'BAD_ENVELOPE';
    const result = await this.#messages.tryOpen(bytes);
    if (!result.ok) return result.error.code;
    try {
      const [sealedFor, fields] = valueOfText(new TextDecoder().decode(result.value)) as [
        string | null,
        Fields,
      ];
      // A key that was given at insertion was not known when the row was sealed.
      if (sealedFor !== null && !isFor(sealedFor, key)) return 'WRONG_PLACE';
      return membersOf(fields, this.#isSealed);
    } catch {
      return 'BAD_RECORD';
    }
  }

  /** What a quarantined row has to be stored with again. */
  #keptOf(row: Fields): Fields {
    return membersOf(row, (name) => this.#isSealed(name) || name === SEALED_FIELD);
  }
}

/** What a row is bound to: its key as the database stores it. */
function keyText(key: unknown): string | null {
  return key === undefined ? null : textOfValue(asStored(key));
}

/** Rows that were sealed by older versions are bound to the key as the app wrote it. */
const isFor = (sealedFor: string, key: unknown): boolean =>
  sealedFor === keyText(key) || keyText(valueOfText(sealedFor)) === keyText(key);

/**
 * Indexed Database API 3.0, sections 2.4 "Keys" and 7.3 "Convert a value to a key": bytes are stored as such whatever
 * view they were given by, and −0 is the same key as 0. Other values are their own keys, or none.
 */
function asStored(key: unknown): unknown {
  if (Object.is(key, -0)) return 0;
  if (Array.isArray(key)) return key.map(asStored);
  if (!ArrayBuffer.isView(key)) return key;
  return Uint8Array.from(new Uint8Array(key.buffer, key.byteOffset, key.byteLength)).buffer;
}
