import { expect } from 'chai';
import fc from 'fast-check';
import { firstEpoch, syncKeyOf } from '../../../src/keys/circle/changes.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { DEVICE } from '../../../src/keys/annotations/deletions.ts';
import { deviceOf } from '../../../src/keys/devices/device-record.ts';
import { changesOf } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { SharedStateError } from '../../../src/keys/devices/state-text.ts';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { mediumChanges, openItems, stateOf } from '../../../src/keys/media/medium.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { newDevice, PARTS } from '../circle/circle.ts';
import type { Person } from '../circle/circle.ts';
import type { Device } from '../devices/device.ts';
import { History, stepOf } from '../devices/history.ts';
import type { Step } from '../devices/history.ts';
import { Cloud, Profile } from './cloud.ts';

/*
 * Devices that meet on a medium alone, which delivers late and in part, loses items and settles conflicts as it likes.
 * Afterwards all hold the same, and no key that was not deleted is lost.
 */

const HISTORIES = Number(process.env['SEALWRIGHT_MEDIA'] ?? (IS_NIGHTLY ? 200 : inDepth(30, 6)));
const DEVICES = 4;

/** What happens to a device, its profile or the cloud. */
type Event =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'exchange'; readonly device: number }
  | {
      readonly kind: 'sync';
      readonly device: number;
      readonly isOwnKept: boolean;
      readonly late: number;
    }
  | { readonly kind: 'lose'; readonly lost: number };

const device = fc.nat(DEVICES - 1);
const someItems = fc.nat(2 ** ITEM_NAMES.length - 1);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: stepOf(DEVICES).map((step) => ({ kind: 'step' as const, step })) },
  { weight: 5, arbitrary: device.map((at) => ({ kind: 'exchange' as const, device: at })) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      device,
      isOwnKept: fc.boolean(),
      late: fc.oneof(fc.constant(0), someItems),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      lost: fc.oneof(fc.constant(2 ** ITEM_NAMES.length - 1), someItems),
    }),
  },
);

const isIn = (set: number) => (place: number) => ((set >> place) & 1) === 1;

class Devices {
  readonly cloud = new Cloud();
  readonly profiles = Array.from({ length: DEVICES }, () => new Profile(this.cloud));
  readonly history: History;
  readonly #epoch: Epoch;
  readonly #syncKey: Uint8Array;
  /** What each change of each device was made in, and in which incarnation. */
  readonly #changes: {
    readonly by: string;
    readonly number: number;
    readonly name: string;
    readonly incarnation: number;
  }[] = [];
  /** Up to which change of each device these are known. */
  readonly #known = new Map<string, number>();
  forks = 0;
  refused = 0;
  taken = 0;

  constructor(seed: number, epoch: Epoch, syncKey: Uint8Array) {
    this.history = new History(seed, DEVICES);
    this.#epoch = epoch;
    this.#syncKey = syncKey;
  }

  /** Merges what the medium holds, and writes what it lacks. @returns how many items were written */
  async exchange(at: number): Promise<number> {
    const [own, profile] = [this.history.devices[at]!, this.profiles[at]!];
    const texts = await profile.read();
    const items = await openItems(texts, { ...this.#epoch, syncKey: this.#syncKey });
    try {
      const { isForked } = await own.merge(stateOf(items));
      this.forks += Number(isForked);
      this.taken++;
    } catch (error) {
      // The item with a root has not come yet.
      expect(error).to.be.instanceOf(SharedStateError);
      this.refused++;
    }
    const state = await own.share();
    await this.#checkClaims(own, state);
    const contents = { epoch: this.#epoch, syncKey: this.#syncKey, links: [], present: [], state };
    const { writes, leftOut } = await mediumChanges(contents, texts, items, systemRandom);
    expect(leftOut).to.deep.equal([]);
    for (const [name, text] of writes) await profile.write(name, text);
    return writes.size;
  }

  /** Notes the changes of a device, and checks that it has every change that its state claims. */
  async #checkClaims(own: Device, { seen, entries }: SharedState): Promise<void> {
    const { id } = deviceOf((await own.vault.read(DEVICE))!);
    const known = this.#known.get(id!) ?? 0;
    for (const [name, entry] of Object.entries(entries)) {
      const number = changesOf(entry)[id!] ?? 0;
      if (number <= known) continue;
      this.#changes.push({ by: id!, number, name, incarnation: entry.incarnation });
    }
    this.#known.set(id!, seen[id!] ?? 0);
    const missing = this.#changes.filter(({ by, number, name, incarnation }) => {
      if ((seen[by] ?? 0) < number) return false;
      const entry = entries[name];
      const isThere = entry !== undefined && (changesOf(entry)[by] ?? 0) >= number;
      // A later incarnation may be without it.
      return !isThere && !(entry !== undefined && entry.incarnation > incarnation);
    });
    expect(missing, 'claimed and not there').to.deep.equal([]);
  }

  async take(event: Event): Promise<void> {
    if (event.kind === 'step') {
      if (event.step.kind !== 'meet') await this.history.take(event.step);
    } else if (event.kind === 'exchange') await this.exchange(event.device);
    else if (event.kind === 'sync') {
      this.profiles[event.device]!.sync(event.isOwnKept, isIn(event.late));
    } else this.cloud.lose(isIn(event.lost));
  }

  /** Everyone, several times. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      for (const [at, profile] of this.profiles.entries()) {
        profile.sync();
        await this.exchange(at);
        profile.sync();
      }
    }
  }

  async entries(of: Device): Promise<string> {
    return canonicalText((await of.share()).entries);
  }
}

describe('Histories of devices with a medium', function () {
  this.timeout(60_000 + HISTORIES * 10_000);
  let person: Person;
  let epoch: Epoch;
  let syncKey: Uint8Array;
  before(async () => {
    person = await newDevice('Laptop');
    epoch = await firstEpoch([person.member], person.pair, PARTS);
    syncKey = await syncKeyOf(epoch, person.pair, PARTS);
  });

  it(`end in one state with every key that no one deleted, in ${HISTORIES} histories`, async () => {
    let operations = 0;
    const property = fc.asyncProperty(
      fc.nat(),
      fc.array(event, { minLength: 40, maxLength: 120 }),
      async (seed, events) => {
        const world = new Devices(seed, epoch, syncKey);
        await world.history.begin();
        for (const each of events) await world.take(each);
        operations += events.length;
        await world.settle();
        const { devices, deleted, refOf } = world.history;
        const states = await Promise.all(devices.map((it) => world.entries(it)));
        expect(new Set(states).size, 'states').to.equal(1);
        const kept = devices
          .flatMap(({ sealed }) => sealed)
          .filter(({ key }) => !deleted.has(refOf.get(key)!));
        for (const it of devices) expect(await it.unopened(kept), 'unopened').to.deep.equal([]);
        expect(world.forks, 'devices that were told to be copies').to.equal(0);
        // What all know is written by none of them again.
        for (const at of devices.keys()) expect(await world.exchange(at)).to.equal(0);
      },
    );
    await fc.assert(property, { numRuns: HISTORIES, endOnFailure: true });
    expect(operations).to.be.above(HISTORIES * 40);
  });
});
