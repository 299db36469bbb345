import { CIRCLE } from '../../../src/keys/annotations/deletions.ts';
import { firstEpoch } from '../../../src/keys/circle/changes.ts';
import { circleOf, circleRecord } from '../../../src/keys/circle/circle-record.ts';
import type { Epoch, EpochLink } from '../../../src/keys/circle/epoch.ts';
import { ForbiddenMediumError, MediumError } from '../../../src/keys/media/medium.ts';
import { newDevice, PARTS } from '../../keys/circle/circle.ts';
import type { Person } from '../../keys/circle/circle.ts';
import { Cloud, Profile } from '../../keys/media/cloud.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';

/* Devices with the real broker, which meet on a medium alone. */

/** A profile whose medium a test may make fail, and whose worker a test may end before a step of it. */
export class TestProfile extends Profile {
  /** Whether everything fails; or writes alone, as beyond the rate of a browser, or because the person forbids them. */
  fails: boolean | 'writes' | 'forbidden' = false;
  /** Reads and writes until the worker ends; undefined for never. */
  endsAfter: number | undefined;
  onEnd: () => void = () => undefined;

  override async read() {
    await this.#step(this.fails === true);
    return super.read();
  }

  override async write(name: string, text: string) {
    if (this.fails === 'forbidden') throw new ForbiddenMediumError('not allowed');
    await this.#step(this.fails !== false);
    return super.write(name, text);
  }

  async #step(fails: boolean): Promise<void> {
    if (fails) throw new MediumError('MAX_WRITE_OPERATIONS_PER_MINUTE');
    if (this.endsAfter === undefined || this.endsAfter-- > 0) return;
    this.onEnd();
    await new Promise(() => undefined);
  }
}

/** A device, its copy of the medium, and the member that it is. */
export interface Member {
  readonly world: World;
  readonly profile: TestProfile;
  readonly person: Person;
}

/** A device in no circle. */
export async function memberOn(cloud: Cloud, who: string | Person): Promise<Member> {
  const world = await World.unlocked();
  const person = typeof who === 'string' ? await newDevice(who) : who;
  const profile = new TestProfile(cloud);
  world.medium = profile;
  world.restart();
  return { world, profile, person };
}

/** Puts an epoch into the vault, as pairing leaves it. */
export async function follows(
  { world, person }: Member,
  epoch: Epoch,
  links: readonly EpochLink[] = [],
): Promise<void> {
  const record = circleRecord({ pair: person.pair, links, epoch });
  await world.vault.commit((draft) => draft.put(record));
}

/** The newest epoch that a device has followed. */
export const epochOf = async ({ world }: Member): Promise<Epoch> =>
  circleOf((await world.vault.read(CIRCLE))!).epoch;

/** Devices of one circle that exchange. */
export async function circle(
  count: number,
): Promise<{ cloud: Cloud; members: Member[]; epoch: Epoch }> {
  const cloud = new Cloud();
  const members: Member[] = [];
  for (let at = 0; at < count; at++) members.push(await memberOn(cloud, `Device ${at}`));
  const all = members.map(({ person }) => person.member);
  const epoch = await firstEpoch(all, members[0]!.person.pair, PARTS);
  for (const member of members) {
    await follows(member, epoch);
    await member.world.service.exchange!.turnOn();
  }
  return { cloud, members, epoch };
}

/** One exchange, with a medium that is up to date before and after it. */
export async function exchanged({ world, profile }: Member): Promise<void> {
  profile.sync();
  await world.service.exchange!.run();
  profile.sync();
}

/** All exchange, until nothing is new to any. @param exchange one exchange of a member */
export async function settle(members: readonly Member[], exchange = exchanged): Promise<void> {
  for (let round = 0; round < 3; round++) for (const member of members) await exchange(member);
}

/** The names of all keys. */
export const labelsIn = async ({ world }: Member): Promise<string[]> =>
  (await world.surface('ui.keys', {})).map(({ label }) => label).sort();

/** Deletes a key as the manager does. */
export async function deleteKey({ world }: Member, label: string): Promise<void> {
  const { ref } = (await world.surface('ui.keys', {})).find((key) => key.label === label)!;
  await world.surface('ui.archiveKey', { ref, archived: true });
  await world.surface('ui.deleteKey', { by: { passphrase: PASSPHRASE }, ref });
}

/** How the last exchange of a device ended. */
export const lastOf = async ({ world }: Member) => (await world.service.exchange!.state()).last;

/** What hindered it; null for nothing. */
export const hindranceOf = async (member: Member) =>
  (await lastOf(member))?.hindrance?.kind ?? null;
