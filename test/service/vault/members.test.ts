import { expect } from 'chai';
import { match, stub } from 'sinon';
import { toHex } from '../../../src/crypto/bytes.ts';
import { newDevicePair, memberOf } from '../../../src/keys/circle/members.ts';
import { firstEpoch, syncKeyOf, withMember } from '../../../src/keys/circle/changes.ts';
import { circleOf } from '../../../src/keys/circle/circle-record.ts';
import { admitIn, encodePart } from '../../../src/keys/circle/membership.ts';
import { shareIn } from '../../../src/keys/devices/device.ts';
import { encodeState } from '../../../src/keys/devices/state-text.ts';
import { encodeOffer, parseOffer } from '../../../src/keys/pairing/offer.ts';
import { sealParcel } from '../../../src/keys/pairing/parcel.ts';
import type { Caller } from '../../../src/rpc/channel.ts';
import type { MethodName, ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { newDevice, PARTS, X_WING } from '../../keys/circle/circle.ts';
import { codeOf } from '../../support/outcomes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';

const MANAGER: Caller = { kind: 'surface', page: 'manager' };
const BY = { passphrase: PASSPHRASE };

const manager = <M extends MethodName>(
  world: World,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M>> => world.call(method, params, MANAGER);

interface Device {
  readonly world: World;
  readonly name: string;
}

const device = async (name: string): Promise<Device> => ({ world: await World.unlocked(), name });

const offered = ({ world, name }: Device) => manager(world, 'ui.makeOffer', { name });

function given(
  { world, name }: Device,
  { offer, words }: Pick<ResultOf<'ui.makeOffer'>, 'offer' | 'words'>,
) {
  return manager(world, 'ui.giveToDevice', { by: BY, offer, shown: { words: [...words] }, name });
}

async function paired(from: Device, to: Device): Promise<void> {
  await manager(to.world, 'ui.takeParcel', await given(from, await offered(to)));
}

/** Names of the members, this device with a star, and the number of the epoch. */
async function shown({ world }: Device) {
  const circle = await manager(world, 'ui.members', {});
  const names = circle?.members.map(({ name, isThis }) => (isThis ? `${name}*` : name)).sort();
  return circle && [circle.number, ...names!];
}

async function circleIn({ world }: Device) {
  const value = await world.vault.read('circle');
  if (!value) throw new Error('no circle');
  return circleOf(value);
}

/** The key under which a device shares, in hex. */
async function keyOf(it: Device): Promise<string> {
  const { epoch, pair } = await circleIn(it);
  return toHex(await syncKeyOf(epoch, pair, PARTS));
}

async function idOf(viewer: Device, name: string): Promise<string> {
  const circle = await manager(viewer.world, 'ui.members', {});
  return circle!.members.find((member) => member.name === name)!.id;
}

/** A parcel with right digits and any part of the circle. */
async function parcelWith(old: Device, { offer }: ResultOf<'ui.makeOffer'>, circle: Uint8Array) {
  const sharing = { random: systemRandom, origins: [], at: old.world.now };
  const state = await old.world.vault.commit((draft) => shareIn(draft, sharing));
  const giver = { name: old.name, at: old.world.now };
  const contents = { circle, state: encodeState(state) };
  return sealParcel({ bytes: offer, offer: parseOffer(offer) }, giver, contents, PARTS);
}

describe('Members of a circle', function () {
  this.timeout(60_000);

  it('are both devices after the first pairing, with one key', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    expect(await shown(laptop)).to.equal(null);
    await paired(laptop, phone);
    expect(await shown(laptop)).to.deep.equal([1, 'Laptop*', 'Phone']);
    expect(await shown(phone)).to.deep.equal([1, 'Laptop', 'Phone*']);
    expect(await keyOf(phone)).to.equal(await keyOf(laptop));
    phone.world.restart();
    expect(await shown(phone)).to.deep.equal([1, 'Laptop', 'Phone*']);
  });

  it('are the same after pairing the other way round, and hear of a third so', async () => {
    const [laptop, phone, tablet] = [
      await device('Laptop'),
      await device('Phone'),
      await device('Tablet'),
    ];
    await paired(laptop, phone);
    await paired(phone, laptop);
    expect(await shown(laptop)).to.deep.equal([1, 'Laptop*', 'Phone']);
    await paired(phone, tablet);
    expect(await shown(tablet)).to.deep.equal([2, 'Laptop', 'Phone', 'Tablet*']);
    await paired(tablet, laptop);
    expect(await shown(laptop)).to.deep.equal([2, 'Laptop*', 'Phone', 'Tablet']);
    // An older epoch, given by a device that has not heard, takes nothing back.
    const [id, params] = [await idOf(laptop, 'Tablet'), { by: BY }];
    await manager(laptop.world, 'ui.removeMember', { ...params, id });
    await paired(phone, laptop);
    expect(await shown(laptop)).to.deep.equal([3, 'Laptop*', 'Phone']);
  });

  it('are added once, however often an offer is answered', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    const offer = await offered(phone);
    await given(laptop, offer);
    const key = await keyOf(laptop);
    const again = await given(laptop, offer);
    expect(await shown(laptop)).to.deep.equal([1, 'Laptop*', 'Phone']);
    expect(await keyOf(laptop)).to.equal(key);
    await manager(phone.world, 'ui.takeParcel', again);
    expect(await keyOf(phone)).to.equal(key);
  });

  it('leave a dead member behind where a device offers anew before it takes', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    const answer = await given(laptop, await offered(phone));
    const second = await offered(phone);
    expect(await codeOf(manager(phone.world, 'ui.takeParcel', answer))).to.equal('EXPIRED');
    await manager(phone.world, 'ui.takeParcel', await given(laptop, second));
    expect(await shown(phone)).to.deep.equal([2, 'Laptop', 'Phone', 'Phone*']);
    const circle = await manager(phone.world, 'ui.members', {});
    const { id } = circle!.members.find(({ name, isThis }) => name === 'Phone' && !isThis)!;
    await manager(phone.world, 'ui.removeMember', { by: BY, id });
    expect(await shown(phone)).to.deep.equal([3, 'Laptop', 'Phone*']);
  });

  it('come from another circle, after it was said whom they leave', async () => {
    const names = ['Laptop', 'Phone', 'Desktop', 'Tablet'];
    const [laptop, phone, desktop, tablet] = await Promise.all(names.map(device));
    await paired(laptop!, phone!);
    await paired(desktop!, tablet!);
    const answer = await given(laptop!, await offered(tablet!));
    const checked = await manager(tablet!.world, 'ui.checkParcel', answer);
    if (checked.outcome !== 'opened') throw new Error(checked.outcome);
    expect(checked.joining.leaves).to.deep.equal(['Desktop']);
    expect(await shown(tablet!)).to.deep.equal([1, 'Desktop', 'Tablet*']);
    await manager(tablet!.world, 'ui.takeParcel', answer);
    expect(await shown(tablet!)).to.deep.equal([2, 'Laptop', 'Phone', 'Tablet*']);
    expect(await keyOf(tablet!)).to.equal(await keyOf(laptop!));
  });

  it('leave no one behind where they are in no circle', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    const checked = await manager(
      phone.world,
      'ui.checkParcel',
      await given(laptop, await offered(phone)),
    );
    expect(checked).to.have.nested.property('joining.leaves').that.deep.equals([]);
  });

  it('are eight at most', async () => {
    const laptop = await device('Laptop');
    for (let at = 1; at < 8; at++) {
      const { member } = await newDevice(`Device ${at}`);
      const offer = encodeOffer({ member, at: laptop.world.now });
      const read = await manager(laptop.world, 'ui.readOffer', { offer });
      expect(read.isFull).to.equal(false);
      await laptop.world.vault.commit((draft) => admitIn(draft, member, 'Laptop', PARTS));
    }
    const phone = await device('Phone');
    const offer = await offered(phone);
    expect((await manager(laptop.world, 'ui.readOffer', offerOf(offer))).isFull).to.equal(true);
    expect(await codeOf(given(laptop, offer))).to.equal('TOO_LARGE');
    expect((await shown(laptop))![0]).to.equal(7);
    const id = await idOf(laptop, 'Device 3');
    await manager(laptop.world, 'ui.removeMember', { by: BY, id });
    await manager(phone.world, 'ui.takeParcel', await given(laptop, offer));
    expect((await shown(phone))![0]).to.equal(9);
  });

  it('are refused, and nothing is taken, where the part of the circle is forged, foreign or missing', async () => {
    const [laptop, phone, stranger] = [
      await device('Laptop'),
      await device('Phone'),
      await device('Stranger'),
    ];
    const offer = await offered(phone);
    await given(laptop, offer);
    await paired(stranger, await device('Other'));
    const [own, foreign] = [await circleIn(laptop), await circleIn(stranger)];
    // A member with the right id and other keys, and one of another kind.
    const { member } = parseOffer(offer.offer);
    const other = await memberOf(
      { ...newDevicePair(systemRandom), id: member.id },
      'Phone',
      X_WING,
    );
    const maker = await newDevice('Maker');
    const withOther = await firstEpoch([maker.member, other], maker.pair, PARTS);
    const swapped = await firstEpoch(
      [maker.member, { ...other, xWing: member.xWing }],
      maker.pair,
      PARTS,
    );
    const later = await withMember(own.epoch, maker.member, own.pair, PARTS);
    const bytes = encodePart(own);
    const parts = {
      missing: new Uint8Array(0),
      cut: bytes.subarray(0, -1),
      longer: new Uint8Array([...bytes, 0]),
      flipped: bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1),
      foreign: encodePart(foreign),
      'other keys': encodePart({ links: [], epoch: withOther }),
      'another Ed25519 key': encodePart({ links: [], epoch: swapped }),
      'a link left out': encodePart({ links: [], epoch: later }),
      'a link of another circle': encodePart({ links: [foreign.epoch], epoch: later }),
    };
    for (const [what, part] of Object.entries(parts)) {
      const answer = await parcelWith(laptop, offer, part);
      const taking = manager(phone.world, 'ui.takeParcel', answer);
      expect(await codeOf(taking), what).to.equal('BAD_ENVELOPE');
      expect(await phone.world.vault.read('circle'), what).to.equal(undefined);
      expect(await phone.world.vault.read('device'), what).to.equal(undefined);
    }
    await manager(phone.world, 'ui.takeParcel', await parcelWith(laptop, offer, bytes));
    expect(await shown(phone)).to.deep.equal([1, 'Laptop', 'Phone*']);
  });

  it('have words of all that an offer says of them', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    const { offer, words } = await offered(phone);
    const { member, at } = parseOffer(offer);
    const stranger = (await newDevice('Phone')).member;
    for (const change of [{ id: stranger.id }, { ed25519: stranger.ed25519 }]) {
      const planted = encodeOffer({ member: { ...member, ...change }, at });
      const giving = given(laptop, { offer: planted, words });
      expect(await codeOf(giving)).to.equal('INVALID_ARGUMENT');
    }
    expect(await shown(laptop)).to.equal(null);
  });

  it('are removed with the passphrase alone, and open no later key', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    await paired(laptop, phone);
    const id = await idOf(laptop, 'Phone');
    const remove = (by: typeof BY, which = id) =>
      codeOf(manager(laptop.world, 'ui.removeMember', { by, id: which }));
    expect(await remove({ passphrase: 'wrong' })).to.equal('AUTH_FAILED');
    expect(await remove(BY, await idOf(laptop, 'Laptop'))).to.equal('INVALID_ARGUMENT');
    expect(await remove(BY, 'x'.repeat(32))).to.equal('INVALID_ARGUMENT');
    expect((await shown(laptop))![0]).to.equal(1);
    expect(await remove(BY)).to.equal('ok');
    expect(await remove(BY)).to.equal('ok'); // repeated
    expect(await shown(laptop)).to.deep.equal([2, 'Laptop*']);
    const { epoch } = await circleIn(laptop);
    const { pair } = await circleIn(phone);
    expect(await codeOf(syncKeyOf(epoch, pair, PARTS))).not.to.equal('ok');
    const { entries } = await laptop.world.surface('ui.activity', { offset: 0, limit: 10 });
    expect(entries.map(({ operation }) => operation)).to.include('removeDevice');
  });

  it('leave, and found another circle when they give again', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    await paired(laptop, phone);
    expect(
      await codeOf(manager(phone.world, 'ui.leaveCircle', { by: { passphrase: 'wrong' } })),
    ).to.equal('AUTH_FAILED');
    await manager(phone.world, 'ui.leaveCircle', { by: BY });
    expect(await shown(phone)).to.equal(null);
    expect(
      await codeOf(manager(phone.world, 'ui.removeMember', { by: BY, id: '0'.repeat(32) })),
    ).to.equal('INVALID_ARGUMENT');
    await paired(phone, await device('Tablet'));
    expect(await shown(phone)).to.deep.equal([1, 'Phone*', 'Tablet']);
  });

  it('are told that the browser has no Ed25519 before anything is changed', async () => {
    const [laptop, phone] = [await device('Laptop'), await device('Phone')];
    const offer = await offered(phone);
    const missing = new DOMException('Unrecognized name.', 'NotSupportedError');
    const importing = stub(crypto.subtle, 'importKey').callThrough();
    importing.withArgs(match.any, match.any, 'Ed25519').rejects(missing);
    try {
      expect(await codeOf(given(laptop, offer))).to.equal('UNSUPPORTED');
      expect(await codeOf(offered(laptop))).to.equal('UNSUPPORTED');
    } finally {
      importing.restore();
    }
    expect(await shown(laptop)).to.equal(null);
    expect(await laptop.world.vault.read('pairing-offer')).to.equal(undefined);
    expect(await laptop.world.vault.read('device')).to.equal(undefined);
  });
});

const offerOf = ({ offer }: ResultOf<'ui.makeOffer'>) => ({ offer });
