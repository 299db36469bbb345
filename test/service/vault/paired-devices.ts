import { fromHex } from '../../../src/crypto/bytes.ts';
import { encodeRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import type { Caller } from '../../../src/rpc/channel.ts';
import type { MethodName, ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { type Cloud, Profile } from '../../keys/media/cloud.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';

/* Devices with the real broker that pair, and meet on a medium. */

export const MANAGER: Caller = { kind: 'surface', page: 'manager' };
export const BY = { passphrase: PASSPHRASE };

export interface Device {
  readonly world: World;
  readonly profile: Profile;
  readonly name: string;
}

/** A call of the manager. */
export const manager = <M extends MethodName>(
  { world }: Pick<Device, 'world'>,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M>> => world.call(method, params, MANAGER);

/** A vault in a browser whose medium is this one. */
export async function deviceOn(cloud: Cloud, name: string): Promise<Device> {
  return browserOn(cloud, name, await World.unlocked());
}

/** A browser whose medium is this one. */
export function browserOn(cloud: Cloud, name: string, world = World.fresh()): Device {
  const profile = new Profile(cloud);
  world.medium = profile;
  world.restart();
  return { world, profile, name };
}

export async function pair(from: Device, to: Device): Promise<void> {
  const { offer, words } = await manager(to, 'ui.makeOffer', { name: to.name });
  const given = { by: BY, offer, shown: { words: [...words] }, name: from.name };
  await manager(to, 'ui.takeParcel', await manager(from, 'ui.giveToDevice', given));
}

/** Turns the exchange on, and lets what it writes reach the cloud. */
export async function turnOn(device: Device): Promise<void> {
  device.profile.sync();
  await manager(device, 'ui.useMedium', {});
  device.profile.sync();
}

/** One exchange of a device. */
export async function exchanged({ world, profile }: Device): Promise<void> {
  profile.sync();
  await world.service.exchange!.run();
  profile.sync();
}

/** Of a vault that a recovery code has made. */
export const NEW = 'a passphrase of the new vault';
/** A code of no vault. */
export const OTHER = encodeRecoveryCode(fromHex('000102030405060708090a0b0c0d0e0f'));

/** Makes a code as the person does, with its confirmation. */
export async function madeCode(
  { world }: Device,
  by: { passphrase: string } = BY,
): Promise<string> {
  const { code } = await world.surface('ui.addRecoveryCode', { by });
  await world.surface('ui.confirmRecoveryCode', { code });
  return code;
}

/** The kinds of members, sorted, with the names of devices. */
export async function membersOf(device: Device): Promise<string[]> {
  const circle = await manager(device, 'ui.members', {});
  return circle!.members.map(({ kind, name }) => name || kind).sort();
}

/** How the recovery code of a device stands in its circle. */
export const standingOf = async (device: Device) => (await manager(device, 'ui.medium', {}))!.code;

/** What a code finds: on the medium, or in files. */
export const look = (device: Device, recoveryCode: string, files?: readonly Uint8Array[]) =>
  manager(device, 'ui.lookAtMedium', { by: { recoveryCode }, ...(files && { files: [...files] }) });

/** Makes a vault of it. A repeated call is the same one. */
export const restore = (
  { world, name }: Device,
  recoveryCode: string,
  files?: readonly Uint8Array[],
) =>
  world.call(
    'ui.restoreFromMedium',
    { by: { recoveryCode }, passphrase: NEW, name, ...(files && { files: [...files] }) },
    MANAGER,
    'restore 1',
  );

/** The names of all keys. */
export const labelsIn = async ({ world }: Device): Promise<string[]> =>
  (await world.surface('ui.keys', {})).map(({ label }) => label).sort();

/** All that is on the disk; the session may name the call that began. */
export const storesOf = ({ world: { primary, copy } }: Device): string =>
  JSON.stringify([primary, copy].map(({ values }) => [...values.keys()].sort()));

/** The worker of a browser ends when it asks a store or the medium for the `at`-th time. */
export function diesAtStep({ world, profile }: Device, at: number): Promise<'dead'> {
  let steps = 0;
  let tell: (how: 'dead') => void = () => undefined;
  const dead = new Promise<'dead'>((resolve) => (tell = resolve));
  const step = <T>(ask: () => T): T | Promise<never> => {
    if (steps++ < at) return ask();
    tell('dead');
    return new Promise<never>(() => undefined);
  };
  world.between = (store) =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const bound = value.bind(target) as (...parts: unknown[]) => unknown;
        return name === 'watch' ? bound : (...parts: unknown[]) => step(() => bound(...parts));
      },
    });
  const read = profile.read.bind(profile);
  profile.read = () => step(read);
  world.restart();
  return dead;
}

/** Another worker, after `diesAtStep`. */
export function revive({ world, profile }: Device): void {
  world.between = (store) => store;
  Reflect.deleteProperty(profile, 'read');
  world.restart();
}
