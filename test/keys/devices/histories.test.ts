import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { annotateKeyIn } from '../../../src/keys/annotations/key-details.ts';
import { APP } from '../../../src/keys/ring/key-records.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import type { RandomSource } from '../../../src/random/contract.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { Device, exchange } from './device.ts';

/*
 * Devices that do what people do, alone and with each other, in any order. Afterwards they exchange everything: then all
 * are in one state, no key that was not deleted is lost, and no site of one device sees another person.
 */

const HISTORIES = Number(
  process.env['SEALWRIGHT_HISTORIES'] ?? (IS_NIGHTLY ? 500 : inDepth(150, 40)),
);
const DEVICES = 3;
const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example'];

const KINDS = [
  'create',
  'seal',
  'sealApp',
  'rotate',
  'rotateApp',
  'relabel',
  'archive',
  'delete',
  'restore',
  'meet',
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly device: number;
  readonly other: number;
  /** Which key or origin of those that there are. */
  readonly which: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...KINDS) },
    fc.constantFrom('meet' as const, 'delete' as const),
  ),
  device: fc.nat(DEVICES - 1),
  other: fc.nat(DEVICES - 1),
  which: fc.nat(5),
});

/** The same bytes again for the same seed: which of two keys seals depends on them. */
function seededRandom(seed: string): RandomSource {
  let count = 0;
  return {
    bytes: (length) => {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
        createHash('sha256').update(`${seed} ${count++}`).digest(),
      );
      return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
    },
  };
}

class History {
  readonly devices: readonly Device[];
  /** What was deleted anywhere: it may be gone. */
  readonly deleted = new Set<string>();
  /** By device, the records of keys that it deleted, with their uses and details. */
  readonly backups: readonly (readonly VaultRecord[])[][] = Array.from(
    { length: DEVICES },
    () => [],
  );
  /** Refs by the key that was sealed with. */
  readonly refOf = new Map<string, string>();

  /** @param seed of the keys of all devices */
  constructor(seed: number) {
    this.devices = Array.from(
      { length: DEVICES },
      (_, at) => new Device(at + 1, { random: seededRandom(`${seed} ${at}`) }),
    );
  }

  /** All devices know a key. */
  async begin(): Promise<void> {
    await this.devices[0]!.ring.createSealingKey('First');
    await exchange(...this.devices);
  }

  async take({ kind, device: at, other, which }: Step): Promise<void> {
    const device = this.devices[at]!;
    device.now += 1;
    const origin = ORIGINS[which % ORIGINS.length]!;
    const refs = (await device.ring.list()).map(({ ref }) => ref).filter((ref) => ref !== APP);
    const ref = refs[which % Math.max(1, refs.length)];
    if (kind === 'create') await device.ring.createSealingKey(`Key ${which}`);
    else if (kind === 'meet') {
      if (at !== other) await device.take(await this.devices[other]!.share());
    } else if (kind === 'sealApp') await this.#seal(device, APP, origin);
    else if (kind === 'rotateApp') {
      await device.vault.commit((draft) => device.ring.rotateIn(draft, APP, origin));
      device.origins = [...device.origins, origin];
    } else if (kind === 'restore') await this.#restore(device, this.backups[other]!, which);
    else if (ref === undefined) return;
    else if (kind === 'seal') await this.#seal(device, ref, origin);
    else if (kind === 'rotate') {
      await device.vault.commit((draft) => device.ring.rotateIn(draft, ref, origin));
    } else if (kind === 'relabel') await device.ring.relabel(ref, `Label ${which}`);
    else if (kind === 'archive') {
      await device.vault.commit((draft) => annotateKeyIn(draft, ref, { archived: device.now }));
    } else {
      this.backups[at]!.push((await device.records()).filter(({ id }) => id.includes(ref)));
      await device.vault.commit((draft) => annotateKeyIn(draft, ref, { archived: device.now }));
      await device.deleteKey(ref);
      this.deleted.add(ref);
    }
  }

  /** Brings back a key that the device does not have. */
  async #restore(
    device: Device,
    backups: readonly (readonly VaultRecord[])[],
    which: number,
  ): Promise<void> {
    const known = new Set((await device.records()).map(({ id }) => id));
    const absent = backups.filter((backup) => !backup.some(({ id }) => known.has(id)));
    const backup = absent[which % Math.max(1, absent.length)] ?? [];
    await device.vault.commit((draft) => {
      for (const record of backup) draft.put(record);
    });
  }

  async #seal(device: Device, ref: string, origin: string): Promise<void> {
    const key = await device.seal(ref, origin);
    device.origins = [...device.origins, origin]; // it has a permission
    this.refOf.set(key, ref);
  }
}

describe('Histories of devices', function () {
  this.timeout(60_000 + HISTORIES * 3000);

  it(`end in one state, with every key that no one deleted, in ${HISTORIES} histories`, async () => {
    const property = fc.asyncProperty(
      fc.nat(),
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.boolean(),
      async (seed, steps, isKnown) => {
        const history = new History(seed);
        if (isKnown) await history.begin();
        for (const each of steps) await history.take(each);
        const { devices } = history;
        // A device that had no root adds what its sites know the person by, once it has taken one.
        for (const _ of ['first', 'again']) await exchange(...devices);
        const states = await Promise.all(devices.map((device) => device.share()));
        const texts = new Set(states.map(canonicalText));
        expect(texts.size, 'states').to.equal(1);
        const kept = devices
          .flatMap(({ sealed }) => sealed)
          .filter(({ key }) => !history.deleted.has(history.refOf.get(key)!));
        for (const device of devices) {
          expect(await device.unopened(kept), 'unopened').to.deep.equal([]);
        }
        const refs = (await devices[0]!.ring.list()).map(({ ref }) => ref);
        // The first draws what is missing, so that the others draw nothing of their own.
        for (const origin of ORIGINS) {
          await devices[0]!.seal(APP, origin);
          await devices[0]!.seenBy(origin, refs);
        }
        await exchange(...devices);
        for (const origin of ORIGINS) {
          const seen = await devices[0]!.seenBy(origin, refs);
          for (const device of devices) {
            expect(await device.seenBy(origin, refs), origin).to.deep.equal(seen);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: HISTORIES });
  });

  it(`change nothing at a site that one device alone had used before a join, in ${HISTORIES} joins`, async () => {
    let count = 0;
    const alone = fc.array(step, { maxLength: 12 });
    const property = fc.asyncProperty(fc.nat(), alone, alone, async (seed, first, second) => {
      const history = new History(seed);
      const [one, other] = history.devices as [Device, Device];
      for (const each of first) await history.take({ ...each, device: 0, other: 0 });
      for (const each of second) await history.take({ ...each, device: 1, other: 1 });
      const before = [];
      for (const [device, another] of [
        [one, other],
        [other, one],
      ] as const) {
        const refs = (await device.ring.list()).map(({ ref }) => ref);
        const used = new Set(another.origins);
        for (const origin of new Set(device.sealed.map((message) => message.origin))) {
          if (used.has(origin)) continue;
          before.push({ origin, refs, seen: await device.seenBy(origin, refs) });
        }
      }
      count += before.length;
      await exchange(one, other);
      for (const { origin, refs, seen } of before) {
        for (const device of [one, other]) {
          expect(await device.seenBy(origin, refs), origin).to.deep.equal(seen);
        }
      }
    });
    await fc.assert(property, { numRuns: HISTORIES });
    expect(count, 'sites').to.be.above(HISTORIES / 4);
  });
});
