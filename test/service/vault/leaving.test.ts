import { expect } from 'chai';
import { MAX_GENERATIONS } from '../../../src/keys/ring/key-ring.ts';
import { JOINING_MS } from '../../../src/rpc/limits.ts';
import type { Caller } from '../../../src/rpc/channel.ts';
import type { MethodName, ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Cloud, Profile } from '../../keys/media/cloud.ts';
import { codeOf } from '../../support/outcomes.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { diesAtWrite, PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { until } from '../../support/turns.ts';

/* What a removed device has, who joined, and who never finished joining. */

const MANAGER: Caller = { kind: 'surface', page: 'manager' };
const BY = { passphrase: PASSPHRASE };
const PLAINTEXT = new TextEncoder().encode('sealed before the removal');

interface Device {
  readonly world: World;
  readonly profile: Profile;
  readonly name: string;
}

const manager = <M extends MethodName>(
  { world }: Pick<Device, 'world'>,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M>> => world.call(method, params, MANAGER);

async function deviceOn(cloud: Cloud, name: string): Promise<Device> {
  const world = await World.unlocked();
  const profile = new Profile(cloud);
  world.medium = profile;
  world.restart();
  return { world, profile, name };
}

/** The old device answers, whether or not the new one takes the answer. */
async function given(from: Device, to: Device): Promise<ResultOf<'ui.giveToDevice'>> {
  const { offer, words } = await manager(to, 'ui.makeOffer', { name: to.name });
  const giving = { by: BY, offer, shown: { words: [...words] }, name: from.name };
  return manager(from, 'ui.giveToDevice', giving);
}

async function pair(from: Device, to: Device): Promise<void> {
  await manager(to, 'ui.takeParcel', await given(from, to));
}

async function exchanged({ world, profile }: Device): Promise<void> {
  profile.sync();
  await world.service.exchange!.run();
  profile.sync();
}

async function useMedium(...devices: readonly Device[]): Promise<void> {
  for (const each of devices) {
    each.profile.sync();
    await manager(each, 'ui.useMedium', {});
    each.profile.sync();
  }
}

async function remove(by: Device, name: string): Promise<void> {
  const circle = await manager(by, 'ui.members', {});
  const { id } = circle!.members.find((member) => member.name === name)!;
  await manager(by, 'ui.removeMember', { by: BY, id });
}

/** Two paired devices. */
async function two(cloud = new Cloud()): Promise<readonly [Device, Device]> {
  const both = [await deviceOn(cloud, 'Laptop'), await deviceOn(cloud, 'Phone')] as const;
  await pair(...both);
  return both;
}

const keysOf = async (device: Device) =>
  new Map((await device.world.surface('ui.keys', {})).map((key) => [key.label, key]));

const removedOf = (device: Device) => manager(device, 'ui.removedDevices', {});

/** Until none is left. @returns what each call left */
async function rotateAll(device: Device): Promise<number[]> {
  const left: number[] = [];
  do left.push((await manager(device, 'ui.rotateKeys', {})).left);
  while (left.at(-1)! > 0);
  return left;
}

describe('The keys that a removed device has', function () {
  this.timeout(60_000);

  it('are offered by the commit of the removal, and not before it', async () => {
    const [laptop] = await two();
    await laptop.world.surface('ui.createKey', { label: 'Letters' });
    expect(await removedOf(laptop)).to.equal(null);
    await remove(laptop, 'Phone');
    const offered = {
      devices: [{ kind: 'device', name: 'Phone' }],
      due: 1,
      hasSharing: false,
      stuck: [],
    };
    expect(await removedOf(laptop)).to.deep.equal(offered);
    laptop.world.restart(); // it can be done later
    expect(await removedOf(laptop)).to.deep.equal(offered);
    // A key that is made afterwards is not among them.
    await laptop.world.surface('ui.createKey', { label: 'Later' });
    expect(await removedOf(laptop)).to.deep.equal(offered);
  });

  it('are rotated for all sites, which go on sealing and open what was sealed before', async () => {
    const [laptop] = await two();
    const { world } = laptop;
    const [granted] = await world.connect({ key: { kind: 'sealing' } }, pageCaller(), {
      newKeyLabel: 'Letters',
    });
    const key = granted!.keyId;
    const before = await world.call('seal', { plaintext: PLAINTEXT, key });
    await world.surface('ui.createKey', { kind: 'sharing', label: 'Mine' });
    const ofSharing = await world.surface('ui.publicKey', {
      ref: (await keysOf(laptop)).get('Mine')!.ref,
    });
    await remove(laptop, 'Phone');
    expect(await removedOf(laptop)).to.deep.include({ due: 2, hasSharing: true });
    expect(await rotateAll(laptop)).to.deep.equal([0]);
    const keys = await keysOf(laptop);
    expect(keys.get('Letters')!.generation).to.equal(2);
    expect(keys.get('Mine')!.generation).to.equal(2);
    expect(await world.surface('ui.publicKey', { ref: keys.get('Mine')!.ref })).not.to.deep.equal(
      ofSharing,
    );
    const after = await world.call('seal', { plaintext: PLAINTEXT, key });
    for (const sealed of [before, after]) {
      expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
    }
    expect(await removedOf(laptop)).to.equal(null);
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 10 });
    expect(entries.map(({ operation }) => operation)).to.include('rotateKeys');
  });

  it('do not open what is sealed afterwards on the removed device, and on others they do', async () => {
    const cloud = new Cloud();
    const [laptop, phone] = await two(cloud);
    const desktop = await deviceOn(cloud, 'Desktop');
    await pair(laptop, desktop);
    await useMedium(laptop, phone, desktop);
    const [granted] = await laptop.world.connect({ key: { kind: 'sealing' } }, pageCaller(), {
      newKeyLabel: 'Letters',
    });
    const key = granted!.keyId;
    await laptop.world.call('seal', { plaintext: PLAINTEXT, key });
    for (const each of [laptop, phone, desktop]) await exchanged(each);
    await remove(laptop, 'Phone');
    await rotateAll(laptop);
    const sealed = await laptop.world.call('seal', { plaintext: PLAINTEXT, key });
    for (const each of [laptop, phone, desktop, laptop, desktop]) await exchanged(each);
    const openOn = async (device: Device) => {
      const { ref } = (await keysOf(device)).get('Letters')!;
      await device.world.connect({ key: { kind: 'sealing' } }, pageCaller(), { ref });
      return codeOf(device.world.call('open', { sealed }));
    };
    expect(await openOn(desktop)).to.equal('ok');
    expect(await openOn(phone)).not.to.equal('ok');
  });

  it('are rotated some at a time, and what a worker’s end cuts off goes on', async () => {
    const [laptop] = await two();
    for (let at = 0; at < 60; at++) {
      await laptop.world.surface('ui.createKey', { label: `Key ${at}` });
    }
    await remove(laptop, 'Phone');
    await laptop.world.saved();
    const death = diesAtWrite(laptop.world, 0);
    void manager(laptop, 'ui.rotateKeys', {}).catch(() => undefined);
    await death.happened;
    laptop.world.restart();
    death.revive();
    expect(await removedOf(laptop)).to.deep.include({ due: 60 });
    expect(await rotateAll(laptop)).to.deep.equal([35, 10, 0]);
    const generations = [...(await keysOf(laptop))]
      .filter(([label]) => label.startsWith('Key '))
      .map(([, { generation }]) => generation);
    expect(generations).to.deep.equal(Array.from({ length: 60 }, () => 2));
  });

  it('are listed with the reason where they cannot be rotated, until that was read', async () => {
    const [laptop] = await two();
    const { world } = laptop;
    await world.surface('ui.createKey', { label: 'Letters' });
    await world.surface('ui.createKey', { label: 'Daily' });
    const daily = (await keysOf(laptop)).get('Daily')!.ref;
    await world.vault.commit(async (draft) => {
      const record = (await draft.get(daily))!;
      const { generations, ...value } = record.value as unknown as {
        generations: { generation: number; key: string; created: number }[];
      };
      const many = generations.map((each) => ({ ...each, generation: MAX_GENERATIONS }));
      draft.put({ ...record, value: { ...value, generations: many } });
      for (const [ref, label, type, more] of [
        ['imported', 'Server', 'age-key', {}],
        ['of-a-service', 'Firefox', 'sync-key', { algorithm: 'weave-5' }],
        ['of-a-stranger', 'Stranger', 'sealing-key', { guest: true }],
      ] as const) {
        const made = [{ generation: 1, key: 'A'.repeat(43), created: 1 }];
        const stored = { label, created: 1, generations: made, ...more };
        draft.put({ id: ref, type, value: stored });
      }
    });
    await remove(laptop, 'Phone');
    const { due, stuck } = (await removedOf(laptop))!;
    expect(due).to.equal(1);
    expect([...stuck].sort((a, b) => (a.label < b.label ? -1 : 1))).to.deep.equal([
      { label: 'Daily', reason: 'generations' },
      { label: 'Firefox', reason: 'service' },
      { label: 'Server', reason: 'imported' },
      { label: 'Stranger', reason: 'guest' },
    ]);
    expect(await rotateAll(laptop)).to.deep.equal([0]);
    expect(await removedOf(laptop)).to.deep.include({ due: 0, stuck });
    await manager(laptop, 'ui.dismissRemovedDevices', {});
    expect(await removedOf(laptop)).to.equal(null);
  });

  it('stay as they are where the user wants it, and are offered anew after the next removal', async () => {
    const cloud = new Cloud();
    const [laptop] = await two(cloud);
    await pair(laptop, await deviceOn(cloud, 'Tablet'));
    await laptop.world.surface('ui.createKey', { label: 'Letters' });
    await remove(laptop, 'Phone');
    await manager(laptop, 'ui.dismissRemovedDevices', {});
    expect(await removedOf(laptop)).to.equal(null);
    expect(await rotateAll(laptop)).to.deep.equal([0]);
    expect((await keysOf(laptop)).get('Letters')!.generation).to.equal(1);
    await remove(laptop, 'Tablet');
    expect(await removedOf(laptop)).to.deep.include({
      devices: [{ kind: 'device', name: 'Tablet' }],
      due: 1,
    });
  });

  it('are for the manager alone, while unlocked', async () => {
    const [laptop] = await two();
    for (const method of [
      'ui.removedDevices',
      'ui.rotateKeys',
      'ui.dismissRemovedDevices',
    ] as const) {
      for (const caller of [POPUP, pageCaller()]) {
        expect(await codeOf(laptop.world.call(method, {}, caller)), method).not.to.equal('ok');
      }
    }
    await laptop.world.surface('ui.lock', {});
    expect(await codeOf(removedOf(laptop))).to.equal('LOCKED');
    expect(await codeOf(manager(laptop, 'ui.rotateKeys', {}))).to.equal('LOCKED');
  });
});

describe('A device that joined on another one', function () {
  this.timeout(60_000);

  const told = async ({ world }: Device) => {
    await settled();
    const { hasNewDevice } = await world.surface('ui.state', {});
    await until(() => world.toolbarButton.shown.at(-1)!.hasNewDevice === hasNewDevice);
    return hasNewDevice;
  };

  /** Two that exchange, and a third one that the first has added. */
  async function withThird(): Promise<readonly [Device, Device]> {
    const cloud = new Cloud();
    const both = await two(cloud);
    await useMedium(...both);
    await pair(both[0], await deviceOn(cloud, 'Tablet'));
    await exchanged(both[0]);
    return both;
  }

  it('is told at the toolbar’s button and by the state, until the user has read it', async () => {
    const [laptop, phone] = await withThird();
    expect(await told(phone)).to.equal(false);
    await exchanged(phone);
    expect(await told(phone)).to.equal(true);
    expect(await told(laptop)).to.equal(false);
    await phone.world.surface('ui.lock', {});
    expect(await told(phone)).to.equal(false);
    await phone.world.surface('ui.unlock', BY);
    expect(await told(phone)).to.equal(true);
    await manager(phone, 'ui.readJoined', {});
    expect(await told(phone)).to.equal(false);
  });

  it('is told no more once it was removed', async () => {
    const [, phone] = await withThird();
    await exchanged(phone);
    await remove(phone, 'Tablet');
    expect(await told(phone)).to.equal(false);
  });

  it('is told where it came by a file, and not of the device that one joins', async () => {
    const cloud = new Cloud();
    const [laptop, phone] = await two(cloud);
    expect(await told(phone)).to.equal(false);
    await pair(laptop, await deviceOn(cloud, 'Tablet'));
    await pair(laptop, phone);
    expect(await told(phone)).to.equal(true);
    const { joined } = (await manager(phone, 'ui.medium', {}))!;
    expect(joined.map(({ name }) => name)).to.deep.equal(['Tablet']);
  });
});

describe('A member that was never heard of', function () {
  this.timeout(60_000);

  /** By name, since when a member is waited for. */
  const waiting = async (device: Device) => {
    const { members } = (await manager(device, 'ui.members', {}))!;
    return Object.fromEntries(
      members
        .filter(({ joiningSince }) => joiningSince !== null)
        .map((it) => [it.name, it.joiningSince]),
    );
  };

  it('is shown so from the answer on, and not by the device that took it', async () => {
    const [laptop, phone] = await two();
    expect(await waiting(laptop)).to.deep.equal({ Phone: laptop.world.now });
    expect(await waiting(phone)).to.deep.equal({});
    await given(laptop, phone); // a member that is given to once more
    expect(await waiting(laptop)).to.deep.equal({ Phone: laptop.world.now });
  });

  it('has joined once it has written on the medium', async () => {
    const cloud = new Cloud();
    const [laptop, phone] = await two(cloud);
    await useMedium(laptop);
    await exchanged(laptop);
    expect(await waiting(laptop)).to.have.keys('Phone');
    await useMedium(phone);
    await exchanged(laptop);
    expect(await waiting(laptop)).to.deep.equal({});
  });

  it('has joined once it has signed an epoch, or the user says so', async () => {
    const cloud = new Cloud();
    const [laptop, phone] = await two(cloud);
    await pair(phone, await deviceOn(cloud, 'Tablet'));
    await pair(phone, laptop); // brings the epoch that the phone has made
    expect(await waiting(laptop)).to.deep.equal({});
    expect(await waiting(phone)).to.have.keys('Tablet');
    const { members } = (await manager(phone, 'ui.members', {}))!;
    const { id } = members.find(({ name }) => name === 'Tablet')!;
    await manager(phone, 'ui.memberHasJoined', { id });
    await manager(phone, 'ui.memberHasJoined', { id });
    expect(await waiting(phone)).to.deep.equal({});
    await given(phone, await deviceOn(cloud, 'Never'));
    expect(await waiting(phone)).to.have.keys('Never');
    await remove(phone, 'Never');
    expect(await waiting(phone)).to.deep.equal({});
  });

  it('ends after its time by an epoch of the device that has added it, where that exchanges', async () => {
    const cloud = new Cloud();
    const [laptop, phone] = await two(cloud);
    await useMedium(laptop, phone);
    await exchanged(laptop);
    await laptop.world.surface('ui.createKey', { label: 'Letters' });
    await given(laptop, await deviceOn(cloud, 'Never'));
    const names = async (device: Device) =>
      (await manager(device, 'ui.members', {}))!.members.map(({ name }) => name).sort();
    for (const each of [laptop, phone, laptop]) await exchanged(each);
    for (const { world } of [laptop, phone]) world.now += JOINING_MS - 1;
    for (const each of [laptop, phone]) {
      await each.world.surface('ui.unlock', BY);
      await exchanged(each);
      expect(await names(each)).to.deep.equal(['Laptop', 'Never', 'Phone']);
    }
    for (const { world } of [laptop, phone]) world.now += 1;
    for (const each of [phone, laptop, laptop, phone]) await exchanged(each);
    for (const each of [laptop, phone]) {
      expect(await names(each)).to.deep.equal(['Laptop', 'Phone']);
      expect((await manager(each, 'ui.medium', {}))!.last!.hindrance).to.equal(null);
    }
    // It may have the keys, and the device that has removed it says so.
    expect((await removedOf(laptop))!.devices).to.deep.equal([{ kind: 'device', name: 'Never' }]);
  });

  it('stays where devices pair by files alone: no confirmation can come', async () => {
    const [laptop] = await two();
    laptop.world.now += 2 * JOINING_MS;
    await laptop.world.surface('ui.unlock', BY);
    await laptop.world.service.exchange!.run();
    expect(await waiting(laptop)).to.have.keys('Phone');
  });
});
