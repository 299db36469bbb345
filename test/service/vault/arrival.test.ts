import { expect } from 'chai';
import { toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { CIRCLE, OPENERS } from '../../../src/keys/annotations/deletions.ts';
import { firstEpoch, withMember } from '../../../src/keys/circle/changes.ts';
import { circleOf, circleRecord } from '../../../src/keys/circle/circle-record.ts';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { MediumError } from '../../../src/keys/media/medium.ts';
import { parseRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { newDevice, PARTS } from '../../keys/circle/circle.ts';
import { Cloud } from '../../keys/media/cloud.ts';
import { inDepth } from '../../support/depth.ts';
import { codeOf } from '../../support/outcomes.ts';
import { POPUP, World } from '../../support/service-world.ts';
import {
  browserOn,
  BY,
  deviceOn,
  diesAtStep,
  exchanged,
  labelsIn,
  look,
  madeCode,
  manager,
  membersOf,
  NEW,
  OTHER,
  pair,
  restore,
  revive,
  standingOf,
  storesOf,
  turnOn,
  type Device,
} from './paired-devices.ts';

/* Recovery codes as members of a circle, and a browser that begins with one. */

const numberOf = async (device: Device) => (await manager(device, 'ui.members', {}))!.number;

interface Exchanging {
  readonly cloud: Cloud;
  readonly one: Device;
  readonly other: Device;
  /** The recovery code of `one`. */
  readonly code: string;
}

/** Two devices that exchange; one has a recovery code, and a key of that name. */
async function exchanging(): Promise<Exchanging> {
  const cloud = new Cloud();
  const [one, other] = [await deviceOn(cloud, 'Old'), await deviceOn(cloud, 'Kitchen')];
  const code = await madeCode(one);
  await one.world.surface('ui.createKey', { label: 'Letters' });
  await pair(one, other);
  for (const each of [one, other]) await turnOn(each);
  return { cloud, one, other, code };
}

describe('The recovery code of a vault', function () {
  this.timeout(60_000);

  it('is a member of the circle that its device founds, in the first epoch', async () => {
    const { one, other } = await exchanging();
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'Old', 'code']);
    expect(await numberOf(one)).to.equal(1);
    expect(await standingOf(one)).to.equal('member');
    expect(await standingOf(other)).to.equal('none');
  });

  it('replaces the one before by one epoch, and other devices list the member that joined', async () => {
    const { one, other, code } = await exchanging();
    const next = await madeCode(one);
    expect(await standingOf(one)).to.equal('waiting');
    await exchanged(one);
    expect([await numberOf(one), await standingOf(one)]).to.deep.equal([2, 'member']);
    await exchanged(other);
    expect(await membersOf(other)).to.deep.equal(['Kitchen', 'Old', 'code']);
    const { joined, last } = (await manager(other, 'ui.medium', {}))!;
    expect(joined.map(({ name }) => name)).to.deep.equal(['']);
    expect(last!.hindrance).to.equal(null);
    expect((await manager(one, 'ui.medium', {}))!.joined).to.deep.equal([]);
    expect(await look(one, code)).to.deep.equal({ outcome: 'unopened' });
    expect(await look(one, next)).to.deep.include({ outcome: 'opened' });
  });

  it('of another device becomes a member after its first exchange, and each keeps its own', async () => {
    const { one, other } = await exchanging();
    await madeCode(other);
    await exchanged(other);
    expect(await membersOf(other)).to.deep.equal(['Kitchen', 'Old', 'code', 'code']);
    await exchanged(one);
    await madeCode(one);
    await exchanged(one);
    await exchanged(other);
    expect(await membersOf(other)).to.deep.equal(['Kitchen', 'Old', 'code', 'code']);
    expect([await standingOf(one), await standingOf(other)]).to.deep.equal(['member', 'member']);
  });

  it('is renewed on two devices at once, and neither asks which list holds', async () => {
    for (const isFirst of [true, false]) {
      const { cloud, one, other, code } = await exchanging();
      const before = await madeCode(other);
      for (const each of [other, one, other]) await exchanged(each);
      const [next, later] = [await madeCode(one), await madeCode(other)];
      for (const { world } of [one, other]) await world.service.exchange!.run();
      for (const { profile } of isFirst ? [one, other] : [other, one]) profile.sync();
      for (const each of [one, other, one, other, one]) await exchanged(each);
      expect(await numberOf(one)).to.equal(await numberOf(other));
      for (const each of [one, other]) {
        expect(await membersOf(each)).to.deep.equal(['Kitchen', 'Old', 'code', 'code']);
        expect(await standingOf(each)).to.equal('member');
        expect((await manager(each, 'ui.medium', {}))!.last!.hindrance).to.equal(null);
      }
      const fresh = browserOn(cloud, 'New');
      fresh.profile.sync();
      for (const right of [next, later]) {
        expect(await look(fresh, right)).to.include({ outcome: 'opened' });
      }
      for (const wrong of [code, before]) {
        expect(await look(fresh, wrong)).to.deep.equal({ outcome: 'unopened' });
      }
    }
  });

  it('makes no epoch on a medium that shows none, which may have a newer one', async () => {
    const { cloud, one } = await exchanging();
    await madeCode(one);
    cloud.items.clear();
    await exchanged(one);
    expect(await numberOf(one)).to.equal(1);
    expect(cloud.items.size).to.equal(ITEM_NAMES.length);
    await exchanged(one);
    expect(await numberOf(one)).to.equal(2);
  });

  it('that was made before is unknown until it is entered, at an unlock or under Devices', async () => {
    for (const enters of ['unlock', 'devices'] as const) {
      const { one, other, code } = await exchanging();
      const { circle } = await forgetOpener(one);
      await exchanged(one);
      await exchanged(other);
      expect(circle, enters).to.deep.equal(['Kitchen', 'Old']);
      expect(await standingOf(one), enters).to.equal('unknown');
      if (enters === 'unlock') {
        await one.world.surface('ui.lock', {});
        await one.world.surface('ui.unlock', { passphrase: code });
      } else await one.world.surface('ui.confirmRecoveryCode', { code });
      expect(await standingOf(one), enters).to.equal('waiting');
      await exchanged(one);
      expect(await standingOf(one), enters).to.equal('member');
      expect(await membersOf(one), enters).to.include('code');
    }
  });

  it('does not come back by itself where a person has removed it', async () => {
    const { one, other, code } = await exchanging();
    const { members } = (await manager(other, 'ui.members', {}))!;
    const { id } = members.find(({ kind }) => kind === 'code')!;
    await manager(other, 'ui.removeMember', { by: BY, id });
    for (const each of [other, one, other, one]) await exchanged(each);
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'Old']);
    expect(await standingOf(one)).to.equal('unknown');
    await one.world.surface('ui.confirmRecoveryCode', { code });
    await exchanged(one);
    expect(await standingOf(one)).to.equal('member');
  });

  it('ends as a member with its slot', async () => {
    const { one } = await exchanging();
    const slots = await one.world.surface('ui.slots', {});
    const { id } = slots.find(({ kind }) => kind === 'recovery-code')!;
    await one.world.surface('ui.removeSlot', { by: BY, id });
    await exchanged(one);
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'Old']);
    expect(await standingOf(one)).to.equal('none');
  });

  it('waits where there are eight members', async () => {
    const one = await deviceOn(new Cloud(), 'Old');
    const people = [];
    for (let at = 0; at < 8; at++) people.push(await newDevice(`Device ${at}`));
    const { pair: own } = people[0]!;
    const epoch = await firstEpoch(
      people.map(({ member }) => member),
      own,
      PARTS,
    );
    await one.world.vault.commit((draft) =>
      draft.put(circleRecord({ pair: own, links: [], epoch })),
    );
    await turnOn(one);
    await madeCode(one);
    await exchanged(one);
    expect([await numberOf(one), await standingOf(one)]).to.deep.equal([1, 'full']);
    const gone = toHex(people[7]!.member.id);
    await manager(one, 'ui.removeMember', { by: BY, id: gone });
    for (let round = 0; round < 2; round++) await exchanged(one);
    expect(await standingOf(one)).to.equal('member');
  });

  it('is kept as public keys alone', async () => {
    const { one, code } = await exchanging();
    const secret = parseRecoveryCode(code)!;
    const record = JSON.stringify((await one.world.vault.read(OPENERS))!.value);
    const session = JSON.stringify([...one.world.session.values, ...one.world.notes.values]);
    for (const text of [code, toHex(secret), toBase64url(secret)]) {
      expect(record).not.to.include(text);
      expect(session).not.to.include(text);
    }
  });
});

/** As of a version that kept no openers: the code is no member, and its vault does not know its keys. */
async function forgetOpener(device: Device): Promise<{ circle: string[] }> {
  const { members } = (await manager(device, 'ui.members', {}))!;
  const { id } = members.find(({ kind }) => kind === 'code')!;
  await manager(device, 'ui.removeMember', { by: BY, id });
  await device.world.vault.commit((draft) => draft.remove(OPENERS));
  return { circle: await membersOf(device) };
}

describe('A passkey of a vault', function () {
  this.timeout(60_000);

  const prf = new Uint8Array(32).fill(3);
  const passkey = (circleOutput?: Uint8Array) => ({
    credentialId: Uint8Array.of(1, 2, 3),
    prfSalt: new Uint8Array(32).fill(1),
    output: new Uint8Array(32).fill(2),
    ...(circleOutput && { circleOutput }),
  });

  it('is a member by the output that depends on no vault, until its slot ends', async () => {
    const { cloud, one } = await exchanging();
    await one.world.surface('ui.addPasskey', { by: BY, ...passkey(prf) });
    await exchanged(one);
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'Old', 'code', 'passkey']);
    const fresh = browserOn(cloud, 'New');
    fresh.profile.sync();
    const wrong = new Uint8Array(32).fill(4);
    const looking = (by: Uint8Array) => manager(fresh, 'ui.lookAtMedium', { by: { prf: by } });
    expect(await looking(wrong)).to.deep.equal({ outcome: 'unopened' });
    expect(await looking(prf)).to.deep.include({ outcome: 'opened', keys: 1 });
    const restoring = { by: { prf }, passphrase: NEW, name: 'New' };
    expect(await manager(fresh, 'ui.restoreFromMedium', restoring)).to.include({ keys: 1 });
    await exchanged(fresh);
    await exchanged(one);
    const all = ['Kitchen', 'New', 'Old', 'code', 'passkey'];
    expect(await membersOf(one)).to.deep.equal(all);
    const { id } = (await one.world.surface('ui.slots', {})).find(
      ({ kind }) => kind === 'webauthn-prf',
    )!;
    await one.world.surface('ui.removeSlot', { by: BY, id });
    await exchanged(one);
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'New', 'Old', 'code']);
    expect(await looking(prf)).to.deep.include({ outcome: 'opened' }); // not synced yet
    fresh.profile.sync();
    expect(await looking(prf)).to.deep.equal({ outcome: 'unopened' });
  });

  it('is the same member where it was removed and added again', async () => {
    const { one } = await exchanging();
    for (let round = 0; round < 2; round++) {
      await one.world.surface('ui.addPasskey', { by: BY, ...passkey(prf) });
      await exchanged(one);
      expect(await membersOf(one)).to.deep.equal(['Kitchen', 'Old', 'code', 'passkey']);
    }
    expect(await numberOf(one)).to.equal(2);
  });

  it('is no member without that output, and is refused where it is no output', async () => {
    const { one } = await exchanging();
    await one.world.surface('ui.addPasskey', { by: BY, ...passkey() });
    await exchanged(one);
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'Old', 'code']);
    const zero = passkey(new Uint8Array(32));
    const adding = one.world.surface('ui.addPasskey', { by: BY, ...zero });
    expect(await codeOf(adding)).to.equal('INVALID_ARGUMENT');
    const short = { by: { prf: new Uint8Array(8) } };
    expect(await codeOf(manager(one, 'ui.lookAtMedium', short))).to.equal('INVALID_ARGUMENT');
  });
});

describe('A browser that begins with a recovery code', function () {
  this.timeout(120_000);

  it('shows whose keys the code opens, and takes nothing', async () => {
    const { cloud, code } = await exchanging();
    const fresh = browserOn(cloud, 'New');
    fresh.profile.sync();
    const before = fresh.world.stored();
    const { members, ...found } = (await look(fresh, code)) as Extract<
      ResultOf<'ui.lookAtMedium'>,
      { outcome: 'opened' }
    >;
    expect(found).to.deep.equal({ outcome: 'opened', keys: 1, contacts: 0 });
    expect(members.map(({ name }) => name).sort()).to.deep.equal(['', 'Kitchen', 'Old']);
    expect(fresh.world.stored()).to.equal(before);
    expect(await fresh.world.surface('ui.state', {})).to.include({ vault: 'absent' });
  });

  it('takes the keys, is a member, and the old code ends when the new one is confirmed', async () => {
    const { cloud, one, code } = await exchanging();
    const fresh = browserOn(cloud, 'New');
    fresh.profile.sync();
    expect(await restore(fresh, code)).to.deep.equal({ outcome: 'arrived', keys: 1, contacts: 0 });
    expect(await labelsIn(fresh)).to.include('Letters');
    expect(await membersOf(fresh)).to.deep.equal(['Kitchen', 'New', 'Old', 'code']);
    await exchanged(fresh);
    expect(await look(fresh, code)).to.deep.include({ outcome: 'opened' });
    const { code: next } = await fresh.world.surface('ui.addFirstRecoveryCode', {});
    await exchanged(fresh);
    expect(await look(fresh, code)).to.deep.include({ outcome: 'opened' });
    await fresh.world.surface('ui.confirmRecoveryCode', { code: next });
    await exchanged(fresh);
    expect(await look(fresh, code)).to.deep.equal({ outcome: 'unopened' });
    expect(await look(fresh, next)).to.deep.include({ outcome: 'opened' });
    expect(await membersOf(fresh)).to.deep.equal(['Kitchen', 'New', 'Old', 'code']);
    await exchanged(one);
    expect(await membersOf(one)).to.include('New');
    expect((await manager(one, 'ui.medium', {}))!.last!.hindrance).to.equal(null);
    expect(await standingOf(one)).to.equal('unknown'); // its code was renewed elsewhere
    await fresh.world.surface('ui.createKey', { label: 'Made there' });
    await exchanged(fresh);
    await exchanged(one);
    expect(await labelsIn(one)).to.include('Made there');
    await fresh.world.surface('ui.lock', {});
    expect(await codeOf(fresh.world.surface('ui.unlock', { passphrase: NEW }))).to.equal('ok');
  });

  it('takes the place of the code in a circle of eight', async () => {
    const { cloud, one, code } = await exchanging();
    const circle = circleOf((await one.world.vault.read(CIRCLE))!);
    let { epoch } = circle;
    const links = [epoch];
    for (let at = epoch.members.length; at < 8; at++) {
      const { member } = await newDevice(`Device ${at}`);
      epoch = await withMember(epoch, member, circle.pair, PARTS);
      links.push(epoch);
    }
    const record = circleRecord({ ...circle, links: links.slice(0, -1), epoch });
    await one.world.vault.commit((draft) => draft.put(record));
    await exchanged(one);
    const fresh = browserOn(cloud, 'New');
    fresh.profile.sync();
    expect(await restore(fresh, code)).to.include({ outcome: 'arrived' });
    const members = await membersOf(fresh);
    expect(members).to.have.length(8);
    expect(members).to.include('New').and.not.to.include('code');
  });

  it('takes the place of a vault that is lost', async () => {
    const { cloud, code } = await exchanging();
    const lost = await deviceOn(cloud, 'Lost');
    await lost.world.surface('ui.lock', {});
    for (const { values } of [lost.world.primary, lost.world.copy]) {
      for (const name of [...values.keys()]) if (name.includes('/slot/')) values.delete(name);
    }
    lost.world.restart();
    expect(await lost.world.surface('ui.state', {})).to.include({ vault: 'lost' });
    lost.profile.sync();
    expect(await restore(lost, code)).to.include({ outcome: 'arrived' });
    expect(await labelsIn(lost)).to.include('Letters');
  });

  it('is left alone where it has a vault', async () => {
    const { one, code } = await exchanging();
    const before = one.world.stored();
    const again = manager(one, 'ui.restoreFromMedium', {
      by: { recoveryCode: code },
      passphrase: NEW,
      name: 'New',
    });
    expect(await codeOf(again)).to.equal('INVALID_ARGUMENT');
    expect(one.world.stored()).to.equal(before);
  });

  it('is for the manager alone, and for browsers with a medium', async () => {
    const world = World.fresh();
    const by = { recoveryCode: OTHER };
    expect(await codeOf(world.call('ui.lookAtMedium', { by }, POPUP))).to.equal('UNSUPPORTED');
    const params = { by, passphrase: NEW, name: 'New' };
    expect(await codeOf(world.call('ui.restoreFromMedium', params, POPUP))).to.equal('UNSUPPORTED');
    expect(await codeOf(manager({ world }, 'ui.lookAtMedium', { by }))).to.equal('UNSUPPORTED');
    expect(await codeOf(manager({ world }, 'ui.restoreFromMedium', params))).to.equal(
      'UNSUPPORTED',
    );
  });

  type Items = Map<string, string>;
  /** What the medium shows instead, by the outcome. `old`: what it held before the newest epoch. */
  const FAULTS: Readonly<Record<string, readonly [fault: string, change: Change]>> = {
    'an empty medium': ['empty', (items) => items.clear()],
    'a missing box': ['late', (items) => items.delete(ITEM_NAMES[0]!)],
    'boxes alone': ['late', (items) => keepOnly(items, ITEM_NAMES.slice(0, 2))],
    'items alone': ['late', (items) => keepOnly(items, ITEM_NAMES.slice(2))],
    'a missing item': ['late', (items) => items.delete(ITEM_NAMES[5]!)],
    'an item that was put back': ['late', (items, old) => put(items, old, ITEM_NAMES[5]!)],
    'a box that was put back': ['late', (items, old) => put(items, old, ITEM_NAMES[1]!)],
    'a damaged item': ['late', (items) => damage(items, ITEM_NAMES[5]!)],
    'boxes of nothing': [
      'refused',
      (items) => ITEM_NAMES.slice(0, 2).forEach((name) => items.set(name, '!'.repeat(5840))),
    ],
    'an item that is too long': [
      'refused',
      (items) => items.set(ITEM_NAMES[5]!, items.get(ITEM_NAMES[5]!)! + '!!'),
    ],
  };
  type Change = (items: Items, old: ReadonlyMap<string, string>) => unknown;

  const keepOnly = (items: Items, names: readonly string[]) => {
    for (const name of items.keys()) if (!names.includes(name)) items.delete(name);
  };
  const put = (items: Items, old: ReadonlyMap<string, string>, name: string) =>
    items.set(name, old.get(name)!);
  const damage = (items: Items, name: string) => {
    const text = items.get(name)!;
    const at = text.length - 100;
    items.set(name, text.slice(0, at) + (text[at] === '!' ? '#' : '!') + text.slice(at + 1));
  };

  it('takes nothing of what is not whole, and says why', async () => {
    const { cloud, one, code: former } = await exchanging();
    const old = new Map(cloud.items);
    const code = await madeCode(one);
    await exchanged(one);
    const faults = {
      ...FAULTS,
      'a code that was replaced': ['unopened', () => undefined],
      'a code of no vault': ['unopened', () => undefined],
      'a text that is no code': ['mistyped', () => undefined],
    } as typeof FAULTS;
    const codes: Readonly<Record<string, string>> = {
      'a code that was replaced': former,
      'a code of no vault': OTHER,
      'a text that is no code': `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`,
    };
    for (const [what, [fault, change]] of Object.entries(faults)) {
      const shown = new Cloud();
      for (const [name, text] of cloud.items) shown.items.set(name, text);
      change(shown.items, old);
      const fresh = browserOn(shown, 'New');
      fresh.profile.sync();
      const before = storesOf(fresh);
      const used = codes[what] ?? code;
      expect(await look(fresh, used), what).to.deep.equal({ outcome: fault });
      expect(await restore(fresh, used), what).to.deep.equal({ outcome: fault });
      expect(storesOf(fresh), what).to.equal(before);
      expect(await fresh.world.surface('ui.state', {}), what).to.include({ vault: 'absent' });
    }
  });

  it('takes nothing of two epochs of one number, nor of a medium that fails', async () => {
    const { cloud, one, other, code } = await exchanging();
    const items = new Map(cloud.items);
    await madeCode(other);
    await exchanged(other);
    const [theirs] = [...cloud.items].filter(([name]) => name === ITEM_NAMES[0]);
    for (const [name, text] of items) cloud.items.set(name, text);
    const third = await newDevice('Third');
    const circle = circleOf((await one.world.vault.read(CIRCLE))!);
    const epoch = await withMember(circle.epoch, third.member, circle.pair, PARTS);
    const record = circleRecord({ ...circle, links: [circle.epoch], epoch });
    await one.world.vault.commit((draft) => draft.put(record));
    await exchanged(one);
    cloud.items.set(...theirs!);
    const fresh = browserOn(cloud, 'New');
    fresh.profile.sync();
    expect(await look(fresh, code)).to.deep.equal({ outcome: 'forked' });
    fresh.profile.read = () => Promise.reject(new MediumError('no connection'));
    expect(await restore(fresh, code)).to.deep.equal({ outcome: 'unreachable' });
    expect(await fresh.world.surface('ui.state', {})).to.include({ vault: 'absent' });
  });

  /** `npm test` takes each sixth await, beginning at another one each time. */
  const STEP = inDepth(1, 6);

  it('has all or nothing, wherever its worker ends, and the call goes on', async () => {
    const { cloud, code } = await exchanging();
    for (let at = Date.now() % STEP; ; at += STEP) {
      const fresh = browserOn(cloud, 'New');
      fresh.profile.sync();
      const dead = diesAtStep(fresh, at);
      const answer = restore(fresh, code).then(() => 'ended' as const);
      const end = await Promise.race([answer, dead]);
      if (end === 'ended') {
        expect(at).to.be.greaterThan(20);
        return;
      }
      revive(fresh);
      const { vault } = await fresh.world.surface('ui.state', {});
      if (vault === 'locked' || vault === 'unlocked') {
        await fresh.world.surface('ui.unlock', { passphrase: NEW });
        expect(await labelsIn(fresh), `step ${at}`).to.include('Letters');
        expect(await membersOf(fresh), `step ${at}`).to.include('New');
        expect((await manager(fresh, 'ui.medium', {}))!.isOn, `step ${at}`).to.equal(true);
      } else expect(vault, `step ${at}`).to.equal('absent');
      expect(await restore(fresh, code), `step ${at}`).to.include({ outcome: 'arrived', keys: 1 });
      const devices = ['Kitchen', 'New', 'Old', 'code'];
      expect(await membersOf(fresh), `step ${at}`).to.deep.equal(devices);
    }
  });
});
