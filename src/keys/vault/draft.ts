import { utf8 } from '../../crypto/bytes.ts';
import { Contents, nothingYet } from './contents.ts';
import type { Changes } from './contents.ts';
import { VaultError } from '../values/errors.ts';
import { frozenJson } from '../values/json.ts';
import type { ManifestEntry } from '../values/manifest.ts';
import type { VaultRecord } from '../values/record.ts';
import { nameOfSlot } from '../unlock/slots.ts';
import type { Slot } from '../unlock/slots.ts';

/** The slots that a commit adds, and the stored names of those that it removes. */
export interface SlotChanges {
  readonly added: readonly Slot[];
  readonly removed: ReadonlySet<string>;
}

/** Opens a stored record; rejects with VaultError CORRUPT where both copies are damaged. */
type OpenRecord = (entry: ManifestEntry) => Promise<VaultRecord>;

/**
 * The vault as one commit may change it. The draft shows its own changes at once; other readers see
 * them only when all are saved. Only records that are asked for are opened. Use it inside the
 * commit's callback only, and await nothing slow there: the vault's lock is held.
 */
export class VaultDraft {
  readonly #contents: Contents;
  readonly #nameOf: (id: string) => string;
  readonly #open: OpenRecord;
  readonly #puts = new Map<string, VaultRecord | null>();
  readonly #slots: { added: Slot[]; removed: Set<string> } = { added: [], removed: new Set() };

  constructor(contents: Contents, nameOf: (id: string) => string, open: OpenRecord) {
    this.#contents = contents;
    this.#nameOf = nameOf;
    this.#open = open;
  }

  /** One record, changes included. @throws VaultError CORRUPT where both copies are damaged */
  async get(id: string): Promise<VaultRecord | undefined> {
    const name = this.#nameOf(id);
    const put = this.#puts.get(name);
    if (put !== undefined) return put ?? undefined;
    const entry = this.#contents.entry(name);
    return entry && this.#open(entry);
  }

  /** All records of a type, changes included, in no order. @throws VaultError as `get` does */
  async list(type: string): Promise<VaultRecord[]> {
    const put = [...this.#puts.values()].filter((record) => record?.type === type);
    const kept = this.#contents
      .entries()
      .filter((entry) => entry.type === type && !this.#puts.has(entry.name));
    const old = await Promise.all(kept.map((entry) => this.#open(entry)));
    return [...old, ...(put as VaultRecord[])];
  }

  /**
   * Adds or replaces a record.
   *
   * @throws TypeError where id or type is empty or not a string, or the value is not plain JSON
   */
  put({ id, type, value, schema }: VaultRecord): void {
    checkText('id', id);
    checkText('type', type);
    const frozen = { id, type, value: frozenJson(value) };
    const record = Object.freeze(schema === undefined ? frozen : { ...frozen, schema });
    this.#puts.set(this.#nameOf(id), record);
  }

  /** Removes a record; one that does not exist is not a change. */
  remove(id: string): void {
    this.#puts.set(this.#nameOf(id), null);
  }

  /** Stored names of the slots that open the vault, this commit's changes included. */
  get slotNames(): readonly string[] {
    const { added, removed } = this.#slots;
    const kept = this.#contents.generation.manifest.slots.filter(({ name }) => !removed.has(name));
    return [...kept.map(({ name }) => name), ...added.map(nameOfSlot)];
  }

  /** The slots that were added and removed so far. */
  get slotChanges(): SlotChanges {
    return this.#slots;
  }

  /** Adds a way to open the vault: `slot` seals this vault's key. */
  addSlot(slot: Slot): void {
    this.#slots.added.push(slot);
  }

  /** Removes a slot that the vault had before; one that it does not have is not a change. */
  removeSlot(name: string): void {
    const { slots } = this.#contents.generation.manifest;
    if (slots.some((slot) => slot.name === name)) this.#slots.removed.add(name);
  }

  /** The records that really change: one that is replaced by the same value does not. */
  async changes(): Promise<Changes> {
    const changes = new Map<string, VaultRecord | null>();
    for (const [name, record] of this.#puts) {
      const entry = this.#contents.entry(name);
      const isSame =
        record === null
          ? entry === undefined
          : entry?.type === record.type && sameRecord(await this.#before(entry), record);
      if (!isSame) changes.set(name, record);
    }
    return changes;
  }

  /** The stored record; undefined where it cannot be read, so that the new one replaces it. */
  async #before(entry: ManifestEntry): Promise<VaultRecord | undefined> {
    try {
      return await this.#open(entry);
    } catch (error) {
      if (error instanceof VaultError && error.code === 'CORRUPT') return undefined;
      throw error;
    }
  }
}

/** A draft of a vault that is in memory alone, and never stored: to try what a commit would do to an empty vault. */
export function scratchDraft(): VaultDraft {
  const contents = new Contents(nothingYet(0));
  return new VaultDraft(
    contents,
    (id) => id,
    () => Promise.reject(new VaultError('CORRUPT')),
  );
}

function sameRecord(a: VaultRecord | undefined, b: VaultRecord): boolean {
  return a !== undefined && JSON.stringify(a.value) === JSON.stringify(b.value);
}

function checkText(name: string, text: unknown): void {
  if (typeof text !== 'string' || text === '') throw new TypeError(`${name}: must be a name`);
  utf8(text); // refuses lone surrogates
}
