import { expect } from 'chai';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { MediumError } from '../../../src/keys/media/medium.ts';
import { Cloud } from '../../keys/media/cloud.ts';
import { codeOf } from '../../support/outcomes.ts';
import { POPUP, World } from '../../support/service-world.ts';
import { BY, deviceOn, exchanged, manager, pair, turnOn } from './paired-devices.ts';
import type { Device } from './paired-devices.ts';

const WRONG = { passphrase: 'not the passphrase' };

/** Two paired devices, both with the exchange turned on. */
async function exchanging(cloud = new Cloud()): Promise<readonly [Device, Device]> {
  const both = [await deviceOn(cloud, 'Old'), await deviceOn(cloud, 'New')] as const;
  await pair(...both);
  for (const each of both) await turnOn(each);
  return both;
}

const shown = (it: Device) => manager(it, 'ui.medium', {});

async function remove(by: Device, name: string): Promise<void> {
  const circle = await manager(by, 'ui.members', {});
  const { id } = circle!.members.find((member) => member.name === name)!;
  await manager(by, 'ui.removeMember', { by: BY, id });
}

describe('The methods for an exchange over a medium', function () {
  this.timeout(60_000);

  it('are for the manager alone, while unlocked', async () => {
    const [one] = await exchanging();
    expect(await codeOf(one.world.call('ui.medium', {}, POPUP))).to.equal('UNSUPPORTED');
    expect(await codeOf(one.world.call('ui.useMedium', {}, POPUP))).to.equal('UNSUPPORTED');
    await one.world.surface('ui.lock', {});
    expect(await codeOf(shown(one))).to.equal('LOCKED');
    expect(await codeOf(manager(one, 'ui.leaveMedium', { removeItems: true }))).to.equal('LOCKED');
    one.profile.sync();
    expect((await one.profile.read()).size).to.equal(ITEM_NAMES.length);
  });

  it('say that a browser has no medium', async () => {
    const world = await World.unlocked();
    expect(await manager({ world }, 'ui.medium', {})).to.equal(null);
    expect(await codeOf(manager({ world }, 'ui.useMedium', {}))).to.equal('UNSUPPORTED');
  });

  it('turn it on in a circle alone', async () => {
    const alone = await deviceOn(new Cloud(), 'Alone');
    expect(await shown(alone)).to.deep.equal({
      isOn: false,
      isInCircle: false,
      code: 'none',
      joined: [],
      last: null,
    });
    expect(await codeOf(manager(alone, 'ui.useMedium', {}))).to.equal('INVALID_ARGUMENT');
    expect(await shown(alone)).to.deep.include({ isOn: false });
  });

  it('tell how the last exchange ended, and how much room is taken', async () => {
    const [one] = await exchanging();
    const { now } = one.world;
    const { isOn, isInCircle, last } = (await shown(one))!;
    expect({ isOn, isInCircle }).to.deep.equal({ isOn: true, isInCircle: true });
    expect(last).to.deep.include({ at: now, hindrance: null, other: null });
    const { usedPercent, ...room } = last!.room!;
    expect(usedPercent).to.be.within(1, 20);
    const leftOut = { contacts: 0, siteKeys: 0, others: 0 };
    expect(room).to.deep.equal({ isNearlyFull: false, leftOut });
  });

  it('tell what has no room, by its kind', async () => {
    const [one] = await exchanging();
    const note = 'äöü'.repeat(300);
    for (let at = 0; at < 70; at++) {
      const label = `Key ${at}`;
      await one.world.surface('ui.createKey', { label });
      const { ref } = (await one.world.surface('ui.keys', {})).find((key) => key.label === label)!;
      await one.world.surface('ui.editKey', { ref, label, note, tone: '' });
    }
    await exchanged(one);
    const { usedPercent, isNearlyFull, leftOut } = (await shown(one))!.last!.room!;
    expect(isNearlyFull).to.equal(true);
    expect(usedPercent).to.be.within(70, 100);
    expect(leftOut).to.deep.include({ contacts: 0, siteKeys: 0 });
    expect(leftOut.others).to.be.within(1, 70);
  });

  it('turn it off, with or without its items', async () => {
    const [one, other] = await exchanging();
    await manager(one, 'ui.leaveMedium', { removeItems: false });
    expect((await one.profile.read()).size).to.equal(ITEM_NAMES.length);
    expect(await shown(one)).to.deep.include({ isOn: false, last: null });
    other.profile.clear = () => Promise.reject(new MediumError('off'));
    const leaving = manager(other, 'ui.leaveMedium', { removeItems: true });
    expect(await codeOf(leaving)).to.equal('INTERNAL');
    expect(await shown(other)).to.deep.include({ isOn: true });
    await manager(one, 'ui.leaveMedium', { removeItems: true });
    expect((await one.profile.read()).size).to.equal(0);
  });

  it('tell who joined until the person has read it', async () => {
    const cloud = new Cloud();
    const [one, other] = await exchanging(cloud);
    const third = await deviceOn(cloud, 'Third');
    await pair(one, third);
    await exchanged(one);
    await exchanged(other);
    const { joined } = (await shown(other))!;
    expect(joined.map(({ name, at }) => [name, at])).to.deep.equal([['Third', other.world.now]]);
    const members = (await manager(other, 'ui.members', {}))!.members;
    expect(members.find(({ name }) => name === 'Third')!.id).to.equal(joined[0]!.id);
    await manager(other, 'ui.readJoined', {});
    expect(await shown(other)).to.deep.include({ joined: [] });
  });

  it('tell of no device that was removed again', async () => {
    const cloud = new Cloud();
    const [one, other] = await exchanging(cloud);
    await pair(one, await deviceOn(cloud, 'Third'));
    await exchanged(one);
    await exchanged(other);
    expect((await shown(other))!.joined).to.have.length(1);
    await remove(other, 'Third');
    expect(await shown(other)).to.deep.include({ joined: [] });
  });

  it('let the person choose between two circles, by the passphrase', async () => {
    const cloud = new Cloud();
    const [one, other] = await exchanging(cloud);
    const [third, fourth] = [await deviceOn(cloud, 'Third'), await deviceOn(cloud, 'Fourth')];
    await pair(one, third);
    await pair(one, fourth);
    await exchanged(one);
    await exchanged(other);
    await remove(one, 'Third');
    await remove(other, 'Fourth');
    await exchanged(one);
    await exchanged(other);
    const { hindrance, other: found } = (await shown(other))!.last!;
    expect(hindrance!.kind).to.equal('forked');
    const choice = { other: found!, holds: 'other' } as const;
    const choosing = manager(other, 'ui.chooseEpoch', { by: WRONG, ...choice });
    expect(await codeOf(choosing)).to.equal('AUTH_FAILED');
    expect((await shown(other))!.last!.hindrance!.kind).to.equal('forked');
    await manager(other, 'ui.chooseEpoch', { by: BY, ...choice });
    expect((await shown(other))!.last!.hindrance).to.equal(null);
    const names = (await manager(other, 'ui.members', {}))!.members.map(({ name }) => name).sort();
    expect(names).to.deep.equal(['Fourth', 'New', 'Old']);
  });
});
