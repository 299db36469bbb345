import { expect } from 'chai';
import {
  collectionWithHeads,
  type CollectionWithHeads,
  type HeadsReport,
} from '../../../../src/client/adapters/heads/collection-with-heads.ts';
import { chooser } from '../../../keys/stress.ts';
import { inDepth } from '../../../support/depth.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import { FakeSync, openedText } from './fake-sync.ts';
import { MemoryServer, MemoryStore } from './memory-store.ts';

const HONEST = IS_NIGHTLY ? 10_000 : inDepth(2_000, 100);
/** Of each attack, of which there are nine. */
const HOSTILE = IS_NIGHTLY ? 1_200 : inDepth(250, 20);

type Choose = (n: number) => number;

/** A device with one page, which its user may load anew at any time. */
class Device {
  readonly sync: FakeSync;
  store: MemoryStore;
  notes: CollectionWithHeads;
  readonly #server: MemoryServer;

  constructor(server: MemoryServer, nonces: { next: number }) {
    this.#server = server;
    this.sync = new FakeSync(nonces);
    [this.store, this.notes] = this.#page();
  }

  /** What the page had in memory is lost. */
  reload(): void {
    [this.store, this.notes] = this.#page();
  }

  async write(id: string, isSent = true): Promise<boolean> {
    const base = this.#server.records.get(id);
    // The time of the version that is replaced, which is above its generation, as in Kinto.
    const generation = base === undefined ? {} : { generation: this.#server.time };
    const { payload } = await this.notes.seal({ id, payload: {}, ...generation });
    return isSent && this.#server.write(id, base, payload);
  }

  async remove(id: string, isSent = true): Promise<boolean> {
    const base = this.#server.records.get(id);
    if (base === undefined) return false;
    await this.notes.deleting(id);
    return isSent && this.#server.write(id, base, undefined);
  }

  #page(): [MemoryStore, CollectionWithHeads] {
    const store = new MemoryStore(this.#server);
    return [store, collectionWithHeads({ sync: this.sync }, 'notes', store)];
  }
}

/** Devices that write to a server that is honest, as far as they are left alone. */
class World {
  readonly server: MemoryServer;
  readonly devices: readonly Device[];
  readonly #choose: Choose;
  readonly #ids: readonly string[];

  constructor(choose: Choose) {
    this.#choose = choose;
    // Some answers come after another device has done all of its step.
    this.server = new MemoryServer(() => choose(choose(8) === 0 ? 300 : 6));
    const nonces = { next: 0 };
    this.devices = Array.from({ length: 2 + choose(3) }, () => new Device(this.server, nonces));
    this.#ids = Array.from({ length: 1 + choose(12) }, (_, i) => `n${i}`);
  }

  device(): Device {
    return this.devices[this.#choose(this.devices.length)]!;
  }

  /** All devices do something at the same time, so many times. */
  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(this.devices.map((device) => this.#step(device)));
    }
  }

  async #step(device: Device): Promise<void> {
    const id = this.#ids[this.#choose(this.#ids.length)]!;
    const what = this.#choose(12);
    if (what < 4) await device.write(id);
    else if (what < 5) await device.write(id, false);
    else if (what < 6) await device.remove(id);
    else if (what < 7) await device.remove(id, false);
    else if (what < 8) device.reload();
    else if (what < 9) await this.#interrupted(device, id);
    else await this.quiet(device);
  }

  /** The connection fails while the head and its chunks are stored; then the page may be closed, too. */
  async #interrupted(device: Device, id: string): Promise<void> {
    await device.write(id);
    device.store.putsLeft = this.#choose(2);
    await device.notes.verify().catch(() => undefined);
    device.store.putsLeft = Infinity;
    if (this.#choose(2) === 0) device.reload();
  }

  /** @throws for an alarm */
  async quiet(device: Device): Promise<HeadsReport> {
    const report = await device.notes.verify();
    expect(report).to.deep.include({
      ok: true,
      missing: [],
      missingCount: 0,
      rolledBack: [],
      forked: false,
    });
    return report;
  }

  /** Each device writes once more, and all see it: what was interrupted is repaired. */
  async settled(): Promise<void> {
    for (const [i, device] of this.devices.entries()) {
      await device.write(`own ${i}`);
      await this.quiet(device);
    }
    for (const device of this.devices) await this.quiet(device);
  }

  /** Records that are there in the version that a head lists. */
  listed(): string[] {
    const known = new Map<string, number>();
    for (const { name, record, generation } of this.#entries()) {
      if (record !== null) known.set(name!, Math.max(generation, known.get(name!) ?? 0));
    }
    const deletions = this.#entries().filter(({ record }) => record === null);
    for (const { name, generation } of deletions) {
      if (generation >= (known.get(name!) ?? 0)) known.delete(name!);
    }
    return [...known.keys()].filter((id) => this.server.records.has(id));
  }

  /** Highest generation that a head has for it. */
  highest(id: string): number {
    const own = this.#entries().filter(({ name }) => name === id);
    return Math.max(-1, ...own.map(({ generation }) => generation));
  }

  #entries() {
    const leaves = this.devices.flatMap(({ sync }) => sync.list.leaves);
    return leaves.flatMap(({ entries }) => entries);
  }
}

/** Changes what the server has, as its owner may. False where the history gives no occasion. */
type Attack = (world: World, choose: Choose) => boolean | Promise<boolean>;

const oneOf = <T>(all: readonly T[], choose: Choose): T | undefined =>
  all[choose(Math.max(1, all.length))];
const isChunk = (id: string): boolean => /-\d+$/.test(id);

const ATTACKS: Readonly<Record<string, Attack>> = {
  'leaves a record out': (world, choose) => {
    const id = oneOf(world.listed(), choose);
    return id !== undefined && world.server.records.delete(id);
  },
  'shows an older version, or one that was deleted': (world, choose) => {
    const older = [...world.server.history].flatMap(([id, versions]) =>
      versions
        .filter((payload) => (openedText(id, payload)?.generation ?? Infinity) < world.highest(id))
        .map((payload) => [id, payload] as const),
    );
    const [id, payload] = oneOf(older, choose) ?? [];
    return id !== undefined && world.server.records.set(id, payload!).has(id);
  },
  'shows a record that was deleted': async (world, choose) => {
    const { server } = world;
    const id = oneOf(world.listed(), choose);
    if (id === undefined) return false;
    const payload = server.records.get(id)!;
    const device = world.device();
    await device.remove(id);
    for (const one of [device, ...world.devices]) await world.quiet(one);
    return server.records.set(id, payload).has(id);
  },
  'damages a record': (world, choose) => {
    const id = oneOf(world.listed(), choose);
    return id !== undefined && world.server.records.set(id, '').has(id);
  },
  'leaves out a head': ({ server }, choose) => {
    const id = oneOf(
      [...server.heads.keys()].filter((one) => !isChunk(one)),
      choose,
    );
    return id !== undefined && server.heads.delete(id);
  },
  'shows an older head': ({ server }, choose) => {
    const heads = [...server.heads.keys()].filter(
      (id) => !isChunk(id) && server.history.get(id)!.length > 1,
    );
    const id = oneOf(heads, choose);
    return id !== undefined && server.heads.set(id, server.history.get(id)!.at(-2)!).has(id);
  },
  'leaves out or damages a chunk': ({ server }, choose) => {
    const id = oneOf([...server.heads.keys()].filter(isChunk), choose);
    if (id === undefined) return false;
    return choose(2) === 0 ? server.heads.delete(id) : server.heads.set(id, 'x').has(id);
  },
  'shows all as it was before': async (world) => {
    const { server } = world;
    const before = [new Map(server.records), new Map(server.heads)] as const;
    const [writer] = world.devices;
    await writer!.write('one more');
    for (const device of [writer!, ...world.devices]) await world.quiet(device);
    for (const [at, map] of [server.records, server.heads].entries()) {
      map.clear();
      for (const [id, payload] of before[at]!) map.set(id, payload);
    }
    return true;
  },
  'leaves all of it out': ({ server }) => {
    server.records.clear();
    server.heads.clear();
    return true;
  },
};

describe('collectionWithHeads: histories', function () {
  this.timeout((IS_NIGHTLY ? 30 : inDepth(5, 1)) * 60_000);

  it(`honest ones of 2 to 4 devices at once, interrupted anywhere: no alarm in ${HONEST}`, async () => {
    for (let seed = 0; seed < HONEST; seed++) {
      const world = new World(chooser(seed));
      const run = async () => {
        await world.run(10);
        await world.settled();
      };
      await run().catch((error: unknown) => {
        throw new Error(`history ${seed}`, { cause: error });
      });
    }
  });

  for (const [does, attack] of Object.entries(ATTACKS)) {
    it(`a server that ${does}: told in ${HOSTILE}`, async () => {
      let tried = 0;
      for (let seed = 0; tried < HOSTILE; seed++) {
        const choose = chooser(0x5eed + seed);
        const world = new World(choose);
        await world.run(3 + choose(8));
        await world.settled();
        if (!(await attack(world, choose))) continue;
        tried++;
        const { ok } = await world.device().notes.verify();
        expect(ok, `history ${seed}`).to.equal(false);
      }
    });
  }
});
