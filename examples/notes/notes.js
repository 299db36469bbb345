import { merge } from './merge.js';

/**
 * The notes in memory, opened, over their sealed rows. Every change is sealed and on the disk before
 * it is shown as saved. Tells of what is new by the event "change", and of what is new to the server
 * by "edit".
 *
 *   note: { id, text, edited, deleted, conflictOf?, generation, seen, modified?, unsent, waiting?, trouble? }
 *
 * `generation` grows with every change and is sealed with the note; `seen` is the last one that the
 * server had. A server cannot turn a note back: what is older than `seen` does not open. `waiting`
 * is what came from the server and did not open, beside the version that did.
 */
export class Notes extends EventTarget {
  #records;
  #collection;
  #notes = new Map();
  #turn = Promise.resolve();

  /** @param collection of the client's `sealedCollection` */
  constructor(records, collection) {
    super();
    this.#records = records;
    this.#collection = collection;
  }

  /** What is to be shown, the newest first. */
  get list() {
    const shown = [...this.#notes.values()].filter(({ deleted }) => !deleted);
    return shown.sort((a, b) => b.edited - a.edited);
  }

  get(id) {
    return this.#notes.get(id);
  }

  /** Opens what lies here. @throws LOCKED and what else is about all of them */
  async open() {
    const rows = await this.#records.all();
    const notes = await Promise.all(rows.map((row) => this.#opened(row)));
    this.#notes = new Map(notes.map((note) => [note.id, note]));
    this.#changed();
  }

  add(content) {
    return this.#inTurn(() => this.#add(content));
  }

  write(id, text) {
    return this.#inTurn(async () => {
      const note = this.#notes.get(id);
      return note.text === text ? note : this.#save({ ...note, text });
    });
  }

  /** A deletion is a record like others: the server does not see which of them are deletions. */
  remove(id) {
    return this.#inTurn(() => {
      const { conflictOf, ...note } = this.#notes.get(id);
      return this.#save({ ...note, text: '', deleted: true });
    });
  }

  /** Takes a deletion back: the note has this text again. */
  restore(id, text) {
    return this.#inTurn(() => this.#save({ ...this.#notes.get(id), text, deleted: false }));
  }

  /** Of a conflict: two versions become two notes. */
  keepBoth(id) {
    return this.#inTurn(() => {
      const { conflictOf, ...note } = this.#notes.get(id);
      return this.#save(note);
    });
  }

  /** After a rotation: everything under the newest key. */
  resealAll() {
    return this.#inTurn(() => {
      const mine = [...this.#notes.values()].filter(({ trouble }) => !trouble);
      return this.#put(mine.map((note) => ({ ...later(note), unsent: true })));
    });
  }

  /** Once keys have come, what did not open may open. */
  retry() {
    return this.#inTurn(async () => {
      for (const row of await this.#records.all()) {
        if (row.waiting) await this.#takeOne(row.waiting);
        else if (this.#notes.get(row.id)?.trouble) await this.#takeOne(row);
      }
      this.#changed();
    });
  }

  // ------------------------------------------------------------------ for sync.js

  /** What the server does not have yet, sealed. */
  async unsent() {
    return (await this.#records.all()).filter(({ unsent }) => unsent);
  }

  /** Another server has none of them. */
  sendAll() {
    return this.#inTurn(async () => {
      const anew = { modified: undefined, unsent: true };
      const rows = await this.#records.all();
      await this.#records.put(rows.map((row) => ({ ...row, ...anew })));
      for (const [id, note] of this.#notes) this.#notes.set(id, { ...note, ...anew });
    });
  }

  /** They are on the server, as they were then: what has been changed since is still unsent. */
  sent(rows) {
    return this.#inTurn(async () => {
      const isCurrent = ({ id, generation }) => this.#notes.get(id).generation === generation;
      await this.#acknowledge(rows.filter(isCurrent));
      this.#changed();
    });
  }

  /** Takes in what the server has. @param changes [{ id, payload, modified }] */
  take(changes) {
    return this.#inTurn(async () => {
      const rows = new Map((await this.#records.all()).map((row) => [row.id, row]));
      const isEcho = ({ id, payload }) => rows.get(id)?.payload === payload;
      // What we have sent comes back, and tells the server's time of it.
      const echoes = changes.filter(isEcho);
      await this.#acknowledge(echoes.map((echo) => ({ ...rows.get(echo.id), ...echo })));
      for (const change of changes.filter((one) => !isEcho(one))) await this.#takeOne(change);
      if (changes.length > 0) this.#changed();
    });
  }

  async #acknowledge(rows) {
    const known = rows.map((row) => ({ ...row, seen: row.generation, unsent: false }));
    await this.#records.put(known);
    for (const { id, seen, modified } of known) {
      this.#notes.set(id, { ...this.#notes.get(id), seen, modified, unsent: false });
    }
  }

  async #takeOne({ id, payload, modified }) {
    const mine = this.#notes.get(id);
    const seen = mine?.seen ?? 0;
    const row = { id, payload, generation: seen, seen, modified, unsent: false };
    const theirs = await this.#opened(row);
    if (!theirs.trouble) await this.#takeOpened(mine, { ...theirs, seen: theirs.generation }, row);
    else if (mine && !mine.trouble) await this.#keepWaiting(mine, theirs.trouble, row);
    else {
      await this.#records.put([row]);
      this.#notes.set(id, theirs);
    }
  }

  async #takeOpened(mine, theirs, row) {
    const { note, copy } = merge(mine?.trouble ? undefined : mine, theirs);
    const { seen } = theirs;
    if (copy) await this.#add(copy);
    if (note === theirs) {
      await this.#records.put([{ ...row, generation: seen, seen }]);
      this.#notes.set(theirs.id, theirs);
    } else {
      const { modified } = row;
      await this.#put([{ ...note, seen, modified, unsent: true, waiting: undefined }]);
    }
  }

  /** A note that opens here stays, and does not overwrite one that does not open. */
  async #keepWaiting(mine, code, { id, payload, modified }) {
    const waiting = { id, payload, modified, code };
    const row = (await this.#records.all()).find((one) => one.id === id);
    await this.#records.put([{ ...row, waiting }]);
    this.#notes.set(id, { ...mine, waiting });
  }

  // ------------------------------------------------------------------ sealing and opening

  #add(content = {}) {
    const blank = { id: crypto.randomUUID(), text: '', deleted: false, generation: 0, seen: 0 };
    return this.#save({ ...blank, ...content });
  }

  async #save(note) {
    const saved = { ...later(note), edited: Date.now(), unsent: true };
    await this.#put([saved]);
    this.dispatchEvent(new Event('edit'));
    return saved;
  }

  async #put(notes) {
    const rows = await Promise.all(notes.map((note) => this.#sealed(note)));
    await this.#records.put(rows);
    for (const note of notes) this.#notes.set(note.id, note);
    this.#changed();
  }

  async #sealed({ text, edited, deleted, conflictOf, trouble, ...row }) {
    const { id, generation } = row;
    const content = deleted ? { deleted, generation, edited } : { text, generation, edited };
    const payload = conflictOf === undefined ? content : { ...content, conflictOf };
    const sealed = await this.#collection.seal({ id, payload, generation });
    return { ...row, payload: sealed.payload };
  }

  /** A note that does not open waits, sealed as it is, until its key has come. */
  async #opened({ payload, ...row }) {
    const blank = { text: '', deleted: false, edited: 0 };
    const { id, generation } = row;
    const result = await this.#collection.tryOpen({ id, payload, generation });
    if (!result.ok) return { ...blank, ...row, trouble: result.error.code };
    const content = result.value.payload;
    // Formats of other services do not look at generations: this does.
    const isTurnedBack = content.generation < generation;
    if (isTurnedBack) return { ...blank, ...row, trouble: 'AUTH_FAILED' };
    return { ...blank, ...row, ...content };
  }

  /** What reads rows and writes them again does so alone. */
  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

const later = (note) => ({ ...note, generation: note.generation + 1 });
