import fc from 'fast-check';
import { annotateKeyIn } from '../../../src/keys/annotations/key-details.ts';
import { APP } from '../../../src/keys/ring/key-records.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import { seededRandom } from '../seeded-random.ts';
import { Device, exchange } from './device.ts';

/* Devices that do what people do, alone and with each other, in any order. */

export const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example'];

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

/** What one device does. */
export interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly device: number;
  readonly other: number;
  /** Which key or origin of those that there are. */
  readonly which: number;
}

/** Steps of so many devices. */
export function stepOf(devices: number): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...KINDS) },
      fc.constantFrom('meet' as const, 'delete' as const),
    ),
    device: fc.nat(devices - 1),
    other: fc.nat(devices - 1),
    which: fc.nat(5),
  });
}

/** Devices, with all that they deleted and sealed. */
export class History {
  readonly devices: readonly Device[];
  /** What was deleted anywhere: it may be gone. */
  readonly deleted = new Set<string>();
  /** By device, the records of keys that it deleted, with their uses and details. */
  readonly backups: readonly (readonly VaultRecord[])[][];
  /** Refs by the key that was sealed with. */
  readonly refOf = new Map<string, string>();

  /** @param seed of the keys of all devices */
  constructor(seed: number, devices: number) {
    this.devices = Array.from(
      { length: devices },
      (_, at) => new Device(at + 1, { random: seededRandom(`${seed} ${at}`) }),
    );
    this.backups = this.devices.map(() => []);
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
