import type {
  HeadStore,
  StoredRecord,
} from '../../../../src/client/adapters/heads/collection-with-heads.ts';

/** A server with a clock, whose writes say which version they replace. Each answer comes some turns later. */
export class MemoryServer {
  readonly records = new Map<string, string>();
  readonly heads = new Map<string, string>();
  /** Every version of each record and head, the oldest first, by id. */
  readonly history = new Map<string, string[]>();
  time = 1_000;
  readonly #turns: () => number;

  /** @param turns how many turns of the microtask queue the next answer takes */
  constructor(turns: () => number = () => 1) {
    this.#turns = turns;
  }

  async answer<T>(work: () => T): Promise<T> {
    for (let turns = this.#turns(); turns > 0; turns--) await Promise.resolve();
    return work();
  }

  /** Stores a record, or deletes it. @returns false in a conflict */
  write(id: string, replaces: string | undefined, payload: string | undefined): Promise<boolean> {
    return this.answer(() => {
      if (this.records.get(id) !== replaces) return false;
      this.time += 1;
      if (payload === undefined) this.records.delete(id);
      else this.records.set(id, payload);
      if (payload !== undefined) this.#keep(id, payload);
      return true;
    });
  }

  putHead({ id, payload }: StoredRecord): void {
    this.heads.set(id, payload);
    this.#keep(id, payload);
  }

  #keep(id: string, payload: string): void {
    this.history.set(id, [...(this.history.get(id) ?? []), payload]);
  }
}

const itemsOf = (map: ReadonlyMap<string, string>): StoredRecord[] =>
  [...map].map(([id, payload]) => ({ id, payload }));

/** One page's connection to the server. */
export class MemoryStore implements HeadStore {
  /** Heads and chunks that are stored until the connection fails, once. */
  putsLeft = Infinity;
  readonly #server: MemoryServer;

  constructor(server: MemoryServer) {
    this.#server = server;
  }

  records = () => this.#server.answer(() => itemsOf(this.#server.records));
  heads = () => this.#server.answer(() => itemsOf(this.#server.heads));

  record = (id: string) =>
    this.#server.answer(() => {
      const payload = this.#server.records.get(id);
      return payload === undefined ? undefined : { id, payload };
    });

  put = (item: StoredRecord) =>
    this.#server.answer(() => {
      if (this.putsLeft-- === 0) {
        this.putsLeft = Infinity;
        throw new Error('the connection is lost');
      }
      this.#server.putHead(item);
    });

  /** As Kinto: new records get the time of the newest change. */
  generation = (given: number | undefined) =>
    given === undefined ? this.#server.answer(() => this.#server.time) : Promise.resolve(given);
}
