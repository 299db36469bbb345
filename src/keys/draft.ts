import { utf8 } from '../crypto/bytes.ts';
import type { Contents } from './contents.ts';
import { VaultError } from './errors.ts';
import { frozenJson } from './json.ts';
import type { VaultRecord } from './record.ts';

/** What a commit changes: a record by its stored name, or null where it goes. */
export type Changes = ReadonlyMap<string, VaultRecord | null>;

/**
 * The vault as a commit may change it. Sees its own changes at once; nobody else sees any before
 * all are saved. Use it inside the commit's callback only, and do not await anything slow there:
 * the vault's lock is held.
 */
export class VaultDraft {
  readonly #contents: Contents;
  readonly #nameOf: (id: string) => string;
  readonly #changes = new Map<string, VaultRecord | null>();

  /** @param contents with every readable record opened */
  constructor(contents: Contents, nameOf: (id: string) => string) {
    this.#contents = contents;
    this.#nameOf = nameOf;
  }

  get changes(): Changes {
    return this.#changes;
  }

  /** @throws VaultError CORRUPT where both copies of this record are damaged */
  get(id: string): VaultRecord | undefined {
    return this.#byName(this.#nameOf(id));
  }

  /** @throws VaultError CORRUPT where both copies of such a record are damaged */
  list(type: string): VaultRecord[] {
    const kept = this.#contents.entries().filter((entry) => !this.#changes.has(entry.name));
    const old = kept.filter((entry) => entry.type === type).map(({ name }) => this.#byName(name)!);
    const changed = [...this.#changes.values()].filter((record) => record?.type === type);
    return [...old, ...(changed as VaultRecord[])];
  }

  /**
   * Adds or replaces a record.
   *
   * @throws TypeError where id or type is no non-empty string, or the value is not plain JSON
   */
  put({ id, type, value }: VaultRecord): void {
    checkText('id', id);
    checkText('type', type);
    const record = Object.freeze({ id, type, value: frozenJson(value) });
    const name = this.#nameOf(id);
    if (sameRecord(this.#contents.opened(name), record)) this.#changes.delete(name);
    else this.#changes.set(name, record);
  }

  /** Removing what is not there is no change. */
  remove(id: string): void {
    const name = this.#nameOf(id);
    if (this.#contents.entry(name) === undefined) this.#changes.delete(name);
    else this.#changes.set(name, null);
  }

  #byName(name: string): VaultRecord | undefined {
    const changed = this.#changes.get(name);
    if (changed !== undefined) return changed ?? undefined;
    const record = this.#contents.opened(name);
    if (record === undefined && this.#contents.entry(name)) throw new VaultError('CORRUPT');
    return record;
  }
}

function sameRecord(a: VaultRecord | undefined, b: VaultRecord): boolean {
  return (
    a !== undefined && a.type === b.type && JSON.stringify(a.value) === JSON.stringify(b.value)
  );
}

function checkText(name: string, text: unknown): void {
  if (typeof text !== 'string' || text === '') throw new TypeError(`${name}: must be a name`);
  utf8(text); // refuses lone surrogates
}
