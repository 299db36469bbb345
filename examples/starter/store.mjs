import { readFile, rename, writeFile } from 'node:fs/promises';

/** The sealed notes, in one file. A database takes its place: it needs these four functions, and no text. */
export class Store {
  #file;
  #rows;
  #saved = Promise.resolve();

  constructor(file, rows) {
    this.#file = file;
    this.#rows = new Map(rows);
  }

  static async open(file) {
    const text = await readFile(file, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    });
    return new Store(file, JSON.parse(text));
  }

  all() {
    return Array.from(this.#rows, ([id, sealed]) => ({ id, sealed }));
  }

  put(id, sealed) {
    this.#rows.set(id, sealed);
    return this.#save();
  }

  remove(id) {
    this.#rows.delete(id);
    return this.#save();
  }

  /** One write after the other, each whole: a file that is half written is never read. */
  #save() {
    const saved = this.#saved.then(async () => {
      await writeFile(`${this.#file}.new`, JSON.stringify([...this.#rows]));
      await rename(`${this.#file}.new`, this.#file);
    });
    this.#saved = saved.catch(() => undefined);
    return saved;
  }
}
