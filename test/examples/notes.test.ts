import { expect } from 'chai';
import fc from 'fast-check';
// @ts-expect-error The example is plain JavaScript, as its readers will copy it.
import { merge as untypedMerge } from '../../examples/notes/merge.js';
// @ts-expect-error The example is plain JavaScript.
import { Notes as UntypedNotes } from '../../examples/notes/notes.js';
// @ts-expect-error The example is plain JavaScript.
import { sync as untypedSync } from '../../examples/notes/sync.js';
import { sealedCollection, type SealedCollection } from '../../src/client/adapters/collection.ts';
import { FakeProvider } from '../client/fake-provider.ts';

/* The core of examples/notes in Node: two devices and a server that may not be honest. */
interface Note {
  readonly id: string;
  readonly text: string;
  readonly conflictOf?: string;
  readonly deleted?: boolean;
  readonly unsent?: boolean;
  readonly generation?: number;
  readonly trouble?: string;
  readonly waiting?: { readonly code: string };
}
interface Notes {
  readonly list: readonly Note[];
  add(content: { text: string }): Promise<Note>;
  write(id: string, text: string): Promise<Note>;
  remove(id: string): Promise<Note>;
  keepBoth(id: string): Promise<Note>;
  resealAll(): Promise<void>;
  retry(): Promise<void>;
  open(): Promise<void>;
}
interface Change {
  readonly id: string;
  readonly payload: string;
  readonly modified?: number;
}
const merge = untypedMerge as (
  mine: Note | undefined,
  theirs: Note,
) => { note: Note; copy?: object };
const sync = untypedSync as (notes: Notes, records: Records, server: Server) => Promise<void>;

class Records {
  readonly rows = new Map<string, Change>();
  readonly #about = new Map<string, unknown>();

  all = () => Promise.resolve([...this.rows.values()].map((row) => structuredClone(row)));
  put = (rows: readonly Change[]) => {
    for (const row of rows) this.rows.set(row.id, structuredClone(row));
    return Promise.resolve();
  };
  about = (name: string) => Promise.resolve(this.#about.get(name));
  setAbout = (name: string, value: unknown) => Promise.resolve(void this.#about.set(name, value));
}

/** Takes a record only from who has seen the one before it, as Kinto does. */
class Server {
  readonly records = new Map<string, Required<Change>>();
  #clock = 0;

  changesSince = (since = 0) => {
    const changes = [...this.records.values()].filter(({ modified }) => modified > since);
    return Promise.resolve({ changes, until: this.#clock });
  };
  store = (rows: readonly Change[]) => {
    const fresh = rows.filter(({ id, modified }) => this.records.get(id)?.modified === modified);
    return Promise.resolve(fresh.map((row) => ({ ...row, modified: this.set(row) })));
  };

  set({ id, payload }: Change): number {
    this.#clock += 1;
    this.records.set(id, { id, payload, modified: this.#clock });
    return this.#clock;
  }
}

class Device {
  readonly records = new Records();
  readonly notes: Notes;
  readonly #server: Server;

  constructor(server: Server, collection: SealedCollection) {
    this.#server = server;
    const Class = UntypedNotes as new (records: Records, collection: SealedCollection) => Notes;
    this.notes = new Class(this.records, collection);
  }

  sync = () => sync(this.notes, this.records, this.#server);
  get texts() {
    return this.notes.list.map(({ text }) => text).sort();
  }
}

describe('examples/notes', () => {
  let provider: FakeProvider;
  let server: Server;
  let one: Device;
  let two: Device;

  beforeEach(() => {
    provider = new FakeProvider();
    server = new Server();
    const collection = sealedCollection(provider.api, 'notes');
    [one, two] = [new Device(server, collection), new Device(server, collection)];
  });

  it('brings a note to the other device and its change back', async () => {
    const { id } = await one.notes.add({ text: 'Bread' });
    await one.sync();
    await two.sync();
    await two.notes.write(id, 'Rye');
    await two.sync();
    await one.sync();
    expect(one.texts).to.deep.equal(['Rye']);
    expect(one.notes.list[0]).to.include({ unsent: false });
  });

  it('keeps both texts of a conflict, however often either was changed', async () => {
    const { id } = await one.notes.add({ text: 'Bread' });
    await one.sync();
    await two.sync();
    await one.notes.write(id, 'Rye');
    for (const text of ['O', 'Oa', 'Oats']) await two.notes.write(id, text);
    await one.sync();
    await two.sync();
    await one.sync();
    expect(two.texts).to.deep.equal(['Oats', 'Rye']);
    expect(one.texts).to.deep.equal(['Oats', 'Rye']);
    const copy = two.notes.list.find(({ conflictOf }) => conflictOf)!;
    expect(copy).to.include({ text: 'Oats', conflictOf: id });
    await two.notes.keepBoth(copy.id);
    expect(two.notes.list.every(({ conflictOf }) => conflictOf === undefined)).to.equal(true);
  });

  it('does not delete a note that went on being written', async () => {
    const { id } = await one.notes.add({ text: 'Bread' });
    await one.sync();
    await two.sync();
    await one.notes.remove(id);
    await two.notes.write(id, 'Rye');
    for (const device of [one, two, one]) await device.sync();
    expect(one.texts).to.deep.equal(['Rye']);
    expect(two.texts).to.deep.equal(['Rye']);
  });

  it('refuses a note that the server turns back, and keeps the one that it has', async () => {
    const { id } = await one.notes.add({ text: 'Bread' });
    await one.sync();
    const old = server.records.get(id)!;
    await one.notes.write(id, 'Rye');
    await one.sync();
    server.set(old);
    await one.sync();
    expect(one.texts).to.deep.equal(['Rye']);
    expect(one.notes.list[0]!.waiting).to.include({ code: 'AUTH_FAILED' });
  });

  it('keeps what cannot be read yet, and reads it when its key has come', async () => {
    const { id } = await one.notes.add({ text: 'Bread' });
    await one.notes.add({ text: 'Milk' });
    await one.sync();
    await two.sync();
    await one.notes.write(id, 'Rye');
    await one.notes.add({ text: 'New' });
    await one.sync();
    const theirs = sealedCollection(provider.api, 'notes');
    const error = { code: 'NEEDS_KEY' } as never;
    const keyless: SealedCollection = {
      ...theirs,
      tryOpen: () => Promise.resolve({ ok: false, error }),
    };
    const late = new Device(server, keyless);
    for (const row of two.records.rows.values()) late.records.rows.set(row.id, row);
    await late.notes.open();
    await two.sync();
    await late.sync();
    expect(late.notes.list.map(({ trouble }) => trouble)).to.deep.equal(Array(3).fill('NEEDS_KEY'));
    keyless.tryOpen = (record) => theirs.tryOpen(record);
    await late.notes.retry();
    expect(late.texts).to.deep.equal(two.texts);
  });

  it('sends everything anew after a rotation, without a question to the user', async () => {
    await one.notes.add({ text: 'Bread' });
    await one.sync();
    await two.sync();
    const before = [...server.records.values()].map(({ payload }) => payload);
    await one.notes.resealAll();
    await one.sync();
    await two.sync();
    expect([...server.records.values()][0]!.payload).to.not.equal(before[0]);
    expect(two.texts).to.deep.equal(['Bread']);
  });

  it('ends with the same notes on both devices, whatever they do and whenever they sync', async () => {
    const step = fc.record({
      device: fc.integer({ min: 0, max: 1 }),
      what: fc.constantFrom('add', 'write', 'remove', 'sync'),
      which: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const collection = sealedCollection(new FakeProvider().api, 'notes');
        const [here, there] = [new Server(), collection];
        const devices = [new Device(here, there), new Device(here, there)] as const;
        let count = 0;
        for (const { device, what, which } of steps) {
          const { notes, sync: syncNow } = devices[device]!;
          const note = notes.list[which % (notes.list.length || 1)];
          if (what === 'sync') await syncNow();
          else if (what === 'add') await notes.add({ text: `text ${(count += 1)}` });
          else if (note && what === 'write') await notes.write(note.id, `text ${(count += 1)}`);
          else if (note) await notes.remove(note.id);
        }
        for (const device of [0, 1, 0, 1]) await devices[device]!.sync();
        expect(devices[0].texts).to.deep.equal(devices[1].texts);
        for (const { notes } of devices) {
          expect(notes.list.filter(({ unsent }) => unsent)).to.deep.equal([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('merges by rules that one can read', () => {
    const note = (text: string, more: object = {}): Note => ({
      id: 'a',
      text,
      generation: 1,
      ...more,
    });
    const theirs = note('theirs', { generation: 4 });
    expect(merge(undefined, theirs)).to.deep.equal({ note: theirs });
    expect(merge(note('old'), theirs)).to.deep.equal({ note: theirs });
    expect(merge(note('', { deleted: true, unsent: true }), theirs).note).to.equal(theirs);
    const mine = note('mine', { unsent: true });
    expect(merge(mine, theirs).copy).to.deep.equal({ text: 'mine', conflictOf: 'a' });
    const gone = note('', { deleted: true, generation: 4 });
    expect(merge(mine, gone)).to.deep.equal({ note: { ...mine, generation: 5 } });
  });
});
