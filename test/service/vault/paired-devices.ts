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
