import { expect } from 'chai';
import { headId } from '../../../src/sync/sealwright/head-layout.ts';
import { chooser } from '../../keys/stress.ts';
import { inDepth } from '../../support/depth.ts';
import { digestOfText, HeadsWorld, type Device, type Stored, type Version } from './heads-world.ts';

const HONEST = inDepth(10_000, 200);
/** Of each attack, of which there are nine. */
const HOSTILE = inDepth(1_200, 40);
const DAY_MS = 24 * 60 * 60 * 1000;
/** A device that was not used for longer is asked anew in practice; deletions are told apart for 400 days. */
const LONGEST_SLEEP_MS = 300 * DAY_MS;

type Choose = (n: number) => number;

/** A history that no attacker took part in. Each verification in it has to find nothing. */
class Honest {
  readonly world: HeadsWorld;
  readonly #choose: Choose;
  readonly #hasGenerations: boolean;
  readonly #ids: readonly string[];
  readonly #used: Map<Device, number>;

  constructor(choose: Choose) {
    this.#choose = choose;
    this.world = new HeadsWorld(2 + choose(3));
    this.#hasGenerations = choose(4) > 0;
    this.#ids = Array.from({ length: 1 + choose(30) }, (_, i) => `n${i}`);
    this.#used = new Map(this.world.devices.map((device) => [device, this.world.at]));
  }

  device(): Device {
    return this.world.devices[this.#choose(this.world.devices.length)]!;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step();
  }

  async #step(): Promise<void> {
    const device = this.device();
    const id = this.#ids[this.#choose(this.#ids.length)]!;
    const what = this.#choose(20);
    if (what < 9) await this.#wrote(device, () => this.world.write(device, id, this.#next(id)));
    else if (what < 11) {
      await this.#wrote(device, () => this.world.write(device, id, this.#next(id, true)));
    } else if (what < 12) this.world.put(id, this.#next(id));
    else if (what < 13) await this.#atOnce(id);
    else if (what < 15) await this.#interrupted(device, id);
    else if (what < 16) await this.#sleep();
    else await this.verified(device);
  }

  /** The version that an app writes: a deletion and what comes after it are versions, too. */
  #next(id: string, isDeletion = false, base = this.world.current(id)): Version {
    const generation = this.#hasGenerations ? 1 + (base?.generation ?? 0) : 0;
    return { generation, payload: isDeletion ? null : this.world.sealed(id, generation) };
  }

  /** Two devices write the same record, and neither has seen what the other did. */
  async #atOnce(id: string): Promise<void> {
    const [one, other] = [this.device(), this.device()];
    const base = this.world.current(id);
    const versions = [this.#next(id, this.#choose(5) === 0, base), this.#next(id, false, base)];
    await this.#wrote(one, () => this.world.write(one, id, versions[0]!));
    await this.#wrote(other, () => this.world.write(other, id, versions[1]!));
  }

  /** The page ends after it stored the record: the checkpoint is stored in part, or not. It verifies when it starts again. */
  async #interrupted(device: Device, id: string): Promise<void> {
    const reach = this.#choose(2) === 0 ? 'chunks' : 'nothing';
    await this.#wrote(device, () => this.world.write(device, id, this.#next(id), reach));
    if (this.#choose(2) === 0) await this.verified(this.device());
    await this.verified(device);
    await this.#wrote(device, () => this.world.checkpoint(device, []));
  }

  async #wrote(device: Device, write: () => Promise<unknown>): Promise<void> {
    await write();
    this.#used.set(device, this.world.at);
  }

  async #sleep(): Promise<void> {
    this.world.at += (1 + this.#choose(90)) * DAY_MS;
    for (const [device, at] of this.#used) {
      if (this.world.at - at <= LONGEST_SLEEP_MS - 90 * DAY_MS) continue;
      await this.verified(device);
      await this.#wrote(device, () => this.world.checkpoint(device, []));
    }
  }

  /** What a server may do to any answer: another order, and older heads beside those of now. */
  async verified(device: Device): Promise<void> {
    const shown = this.world.copied();
    shown.heads = shuffled(shown.heads, this.#choose);
    if (this.#choose(4) === 0) {
      const old = shown.heads.map(({ id }) => this.world.itemHistory.get(id)!.at(-2));
      shown.heads.push(...old.filter((item) => item !== undefined));
    }
    const report = await this.world.verify(device, shown);
    expect(report).to.deep.include({ ok: true, missing: [], missingCount: 0, rolledBack: [] });
    expect(report.forked).to.equal(false);
  }
}

function shuffled<T>(items: readonly T[], choose: Choose): T[] {
  const left = [...items];
  return items.map(() => left.splice(choose(left.length), 1)[0]!);
}

/** Changes what `observer` is shown. False where the history gives no occasion. */
type Attack = (
  honest: Honest,
  shown: Stored,
  observer: Device,
  choose: Choose,
) => boolean | Promise<boolean>;

/**
 * A record that is there, as the heads know. Of one that was deleted and made again under the same generation, as apps without
 * generations do, either is honest.
 */
function liveRecord(
  world: HeadsWorld,
  shown: Stored,
  observer: Device,
  choose: Choose,
): string | undefined {
  const wasDeleted = (id: string, at: number): boolean =>
    world.history.get(id)!.some(({ payload, generation }) => payload === null && generation === at);
  const live = [...world.known(observer)].filter(
    ([id, [known]]) => shown.records.has(id) && !wasDeleted(id, known!.generation),
  );
  return live.length === 0 ? undefined : live[choose(live.length)]![0];
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  'leaves a record out': ({ world }, shown, observer, choose) => {
    const id = liveRecord(world, shown, observer, choose);
    return id !== undefined && shown.records.delete(id);
  },
  'shows an older version, or one that was deleted': ({ world }, shown, observer, choose) => {
    const older = [...world.known(observer)].flatMap(([id, [known]]) =>
      world.history
        .get(id)!
        .filter(({ payload, generation }) => payload !== null && generation < known!.generation)
        .map(({ payload }) => [id, payload!] as const),
    );
    const [id, payload] = older[choose(Math.max(1, older.length))] ?? [];
    if (id === undefined) return false;
    shown.records.set(id, payload!);
    return true;
  },
  'shows a record that does not open': ({ world }, shown, observer, choose) => {
    const id = liveRecord(world, shown, observer, choose);
    if (id === undefined) return false;
    shown.records.set(id, 'n|x');
    return true;
  },
  'leaves a head out that was seen': (_honest, shown, observer, choose) => {
    const seen = Object.keys(observer.list.seen);
    if (seen.length === 0) return false;
    const id = headId(seen[choose(seen.length)]!);
    shown.heads = shown.heads.filter((item) => item.id !== id);
    return true;
  },
  'shows an older head than was seen': ({ world }, shown, observer, choose) => {
    const devices = Object.entries(observer.list.seen).filter(([, { count }]) => count > 1);
    const [device] = devices[choose(Math.max(1, devices.length))] ?? [];
    if (device === undefined) return false;
    const id = headId(device);
    const versions = world.itemHistory.get(id)!;
    // The last one that was stored may be newer than what was seen.
    const digest = observer.list.seen[device]!.digest;
    const at = versions.findIndex(({ payload }) => digestOfText(payload) === digest);
    if (at < 1) return false;
    shown.heads = shown.heads.filter((item) => item.id !== id);
    shown.heads.push(versions[choose(at)]!);
    return true;
  },
  'leaves out or damages a chunk of a head': (_honest, shown, _observer, choose) => {
    const chunks = shown.heads.filter(
      ({ id }) =>
        /-\d+$/.test(id) && shown.heads.some((head) => id.startsWith(head.id) && head.id !== id),
    );
    const chunk = chunks[choose(Math.max(1, chunks.length))];
    if (!chunk) return false;
    shown.heads = shown.heads.filter((item) => item !== chunk);
    if (choose(2) === 0) shown.heads.push({ id: chunk.id, payload: `x${chunk.payload}` });
    return true;
  },
  'shows an older chunk than its head lists': ({ world }, shown, _observer, choose) => {
    const older = shown.heads.flatMap((item) => {
      const versions = world.itemHistory.get(item.id)!;
      const isChunk = /-\d+$/.test(item.id);
      const head = shown.heads.find(({ id }) => id === item.id.replace(/-\d+$/, ''));
      return isChunk && head && versions.length > 1 ? [[item, versions[0]!] as const] : [];
    });
    const [item, old] = older[choose(Math.max(1, older.length))] ?? [];
    if (!item || !old) return false;
    // Right after a checkpoint that lost its head, the one before is what the head lists.
    const isOwners = ({ list }: Device): boolean => item.id.includes(list.device);
    if (world.devices.some((device) => isOwners(device) && isBehind(world, device.list))) {
      return false;
    }
    shown.heads = shown.heads.map((one) => (one === item ? old : one));
    return true;
  },
  'shows all as it was before': async (honest, shown, observer, choose) => {
    const { world } = honest;
    const before = world.copied();
    const writer = world.devices[choose(world.devices.length)]!;
    await world.checkpoint(writer, []);
    await honest.verified(observer);
    shown.records.clear();
    for (const [id, payload] of before.records) shown.records.set(id, payload);
    shown.heads = before.heads;
    return before.heads.length > 0;
  },
  'shows the head of a copied device': async (honest, shown, observer, choose) => {
    const { world } = honest;
    const others = world.devices.filter((device) => device !== observer);
    const writer = others[choose(others.length)]!;
    const copy = structuredClone(writer);
    await world.write(writer, 'one', {
      generation: 9_000_001,
      payload: world.sealed('one', 9_000_001),
    });
    await honest.verified(observer);
    const before = world.copied();
    for (let i = 0; i <= choose(60); i++) {
      const payload = world.sealed('two', 9_000_001 + i);
      await world.write(copy, 'two', { generation: 9_000_001 + i, payload });
    }
    const own = (id: string): boolean => id.startsWith(headId(writer.list.device));
    shown.records.clear();
    for (const [id, payload] of world.server.records) shown.records.set(id, payload);
    shown.heads = world.server.heads.filter(({ id }) => own(id));
    shown.heads.push(...before.heads.filter(({ id }) => !own(id)));
    return true;
  },
};

/** Whether the newest head of a device is not stored. */
function isBehind(world: HeadsWorld, { device, heads }: Device['list']): boolean {
  const stored = world.server.heads.find(({ id }) => id === headId(device));
  return !stored || digestOfText(stored.payload) !== heads[0];
}

/** Three of those that change nothing but the answer. */
const MIXED: Attack = async (honest, shown, observer, choose) => {
  const attacks = Object.entries(ATTACKS).flatMap(([does, attack]) =>
    does.startsWith('shows all') || does.includes('copied') ? [] : [attack],
  );
  let isAttacked = false;
  for (let i = 0; i < 3; i++) {
    const attack = attacks[choose(attacks.length)]!;
    isAttacked = (await attack(honest, shown, observer, choose)) || isAttacked;
  }
  return isAttacked;
};

describe('sync/heads: histories', function () {
  this.timeout(inDepth(30, 1) * 60_000);

  it(`without an attack, of 2 to 4 devices: no alarm in ${HONEST}`, async () => {
    for (let seed = 0; seed < HONEST; seed++) {
      const honest = new Honest(chooser(seed));
      await honest.run(40).catch((error: unknown) => {
        throw new Error(`history ${seed}`, { cause: error });
      });
    }
  });

  for (const [does, attack] of Object.entries({
    ...ATTACKS,
    'does several of these at once': MIXED,
  })) {
    it(`a server that ${does}: reported in ${HOSTILE}`, async () => {
      let tried = 0;
      for (let seed = 0; tried < HOSTILE; seed++) {
        const choose = chooser(0x5eed + seed);
        const honest = new Honest(choose);
        await honest.run(5 + choose(30));
        const observer = honest.device();
        await honest.verified(observer);
        const shown = honest.world.copied();
        if (!(await attack(honest, shown, observer, choose))) continue;
        tried++;
        shown.heads = shuffled(shown.heads, choose);
        const report = await honest.world.verify(observer, shown);
        expect(report.ok, `history ${seed}`).to.equal(false);
      }
    });
  }
});
