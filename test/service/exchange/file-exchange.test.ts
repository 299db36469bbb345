import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../src/crypto/bytes.ts';
import { CIRCLE, DEVICE } from '../../../src/keys/annotations/deletions.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import { circleOf } from '../../../src/keys/circle/circle-record.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { deviceOf } from '../../../src/keys/devices/device-record.ts';
import { sealDeviceFile } from '../../../src/keys/media/device-file.ts';
import { DEVICE_FILES_MAX, DEVICE_FILES_MAX_BYTES } from '../../../src/rpc/limits.ts';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { inDepth } from '../../support/depth.ts';
import { codeOf } from '../../support/outcomes.ts';
import { diesAtWrite, PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { newDevice, PARTS } from '../../keys/circle/circle.ts';
import { Cloud } from '../../keys/media/cloud.ts';
import { deleteKey, epochOf, follows, labelsIn, memberOn } from '../vault/exchanging.ts';
import type { Member } from '../vault/exchanging.ts';
import { BY, manager } from '../vault/paired-devices.ts';

/* Devices with the real broker, which meet in a folder alone. */

type Report = ResultOf<'ui.takeDeviceFiles'>;

/** What another program carries, by name. */
type Folder = Map<string, Uint8Array>;

const NOTHING = { damaged: 0, unreached: 0, older: 0, refused: 0 };

/** Devices of one circle that have no medium, and an empty folder. */
async function devices(count: number) {
  const cloud = new Cloud();
  const members: Member[] = [];
  for (let at = 0; at < count; at++) members.push(await memberOn(cloud, `Device ${at}`));
  const all = members.map(({ person }) => person.member);
  const epoch = await firstEpoch(all, members[0]!.person.pair, PARTS);
  for (const member of members) await follows(member, epoch);
  return { members, epoch, folder: new Map() as Folder };
}

const make = (member: Member) => manager(member, 'ui.makeDeviceFile', {});
const take = (member: Member, files: readonly Uint8Array[]): Promise<Report> =>
  manager(member, 'ui.takeDeviceFiles', { files: [...files] });
const namesOf = async (member: Member) =>
  (await manager(member, 'ui.deviceFiles', {})).copies.map(({ name }) => name);
const idOf = async ({ world }: Member) => deviceOf((await world.vault.read(DEVICE))!).id;

/** Stores the file of a device. @returns its name and its contents */
async function store(member: Member, folder: Folder): Promise<[string, Uint8Array]> {
  const { name, file } = await make(member);
  folder.set(name, file);
  return [name, file];
}

/** What the manager does with a folder. */
async function exchange(member: Member, folder: Folder): Promise<Report> {
  const report = await take(member, [...folder.values()]);
  if (report.isDue) await store(member, folder);
  return report;
}

/** All exchange, until every device has stored all that it has. */
async function settle(members: readonly Member[], folder: Folder): Promise<void> {
  for (let round = 0; round < 4; round++) for (const each of members) await exchange(each, folder);
}

const makeKey = ({ world }: Member, label: string) => world.surface('ui.createKey', { label });

/** Another epoch, as this device makes it. */
async function removed(by: Member, gone: Member): Promise<Epoch> {
  const epoch = await epochOf(by);
  const next = await withoutMember(epoch, gone.person.pair.id, by.person.pair, PARTS);
  await follows(by, next, [epoch]);
  return next;
}

describe('An exchange by files', function () {
  this.timeout(120_000);

  it('brings keys to every device, takes a deletion to all, and comes to rest', async () => {
    const { members, folder } = await devices(3);
    const [one, other] = members as [Member, Member, Member];
    await makeKey(one, 'Letters');
    await settle(members, folder);
    for (const each of members) expect(await labelsIn(each)).to.include('Letters');
    await deleteKey(other, 'Letters');
    await settle(members, folder);
    for (const each of members) expect(await labelsIn(each)).not.to.include('Letters');
    expect(folder.size).to.equal(3);
    const files = new Map(folder);
    await settle(members, folder);
    expect(folder).to.deep.equal(files);
  });

  it('says whose files were read, and whether the own one lacks something', async () => {
    const { members } = await devices(2);
    const [one, other] = members as [Member, Member];
    await makeKey(one, 'Letters');
    const { file } = await make(one);
    const report = await take(other, [file, file]);
    expect(report).to.deep.equal({
      ...{ taken: ['Device 0'], notTaken: NOTHING, other: null, isDue: true },
      told: { wentBack: [], late: [] },
    });
    const own = await make(other);
    expect(await take(other, [own.file, file])).to.deep.include({ isDue: false });
    await makeKey(other, 'Notes');
    expect(await take(other, [own.file, file])).to.deep.include({ isDue: true });
    expect(await take(other, [])).to.deep.include({ taken: [], isDue: true });
  });

  it('makes each file under the same name, and another device under another one', async () => {
    const { members, folder } = await devices(2);
    for (const each of [...members, ...members]) await store(each, folder);
    expect(folder.size).to.equal(2);
  });

  it('fills an emptied folder again, after a year, whatever the clock says, without a word', async () => {
    const { members, folder } = await devices(2);
    await makeKey(members[0]!, 'Letters');
    await settle(members, folder);
    folder.clear();
    members[0]!.world.now += 366 * 86_400_000;
    members[1]!.world.now -= 366 * 86_400_000;
    for (const { world } of members) await world.surface('ui.unlock', BY);
    for (const each of [...members, ...members]) {
      const { told, notTaken } = await exchange(each, folder);
      expect({ told, notTaken }).to.deep.equal({
        told: { wentBack: [], late: [] },
        notTaken: NOTHING,
      });
      expect(await labelsIn(each)).to.include('Letters');
      expect(await namesOf(each)).to.deep.equal([]);
    }
    expect(folder.size).to.equal(2);
  });

  it('tells a file that the folder has brought back, and loses nothing by it', async () => {
    const { members, folder } = await devices(2);
    const [one, other] = members as [Member, Member];
    const [name, old] = await store(one, folder);
    await makeKey(one, 'Letters');
    await settle(members, folder);
    folder.set(name, old);
    for (const _ of [1, 2]) {
      const { told } = await take(other, [...folder.values()]);
      expect(told.wentBack).to.deep.equal(['Device 0']);
    }
    expect(await labelsIn(other)).to.include('Letters');
    // Its own is not there as it was made: it stores it again, and says nothing.
    expect((await exchange(one, folder)).told).to.deep.equal({ wentBack: [], late: [] });
    expect((await take(other, [...folder.values()])).told.wentBack).to.deep.equal([]);
  });

  it('tells after two exchanges that a third device has read a newer file', async () => {
    const { members } = await devices(3);
    const [one, other, third] = members as [Member, Member, Member];
    const { file: old } = await make(one);
    const { file: newer } = await make(one);
    await take(other, [newer]);
    const { file: witness } = await make(other);
    expect((await take(third, [old, witness])).told.late).to.deep.equal([]);
    expect((await take(third, [old, witness])).told.late).to.deep.equal(['Device 0']);
    expect((await take(third, [newer, witness])).told.late).to.deep.equal([]);
  });

  it('gives a copied profile another id, and tells it on all devices until it is read', async () => {
    const { members, folder } = await devices(2);
    const [one, other] = members as [Member, Member];
    await makeKey(one, 'Letters');
    await settle(members, folder);
    await one.world.saved();
    const stores = [one.world.primary, one.world.copy].map(({ values }) => new Map(values));
    await makeKey(one, 'Only on the first copy');
    const before = await idOf(one);
    const { file: ofFirst } = await make(one);
    await one.world.saved();
    for (const [at, { values }] of [one.world.primary, one.world.copy].entries()) {
      values.clear();
      for (const [name, value] of stores[at]!) values.set(name, value);
    }
    one.world.session.values.clear();
    one.world.restart();
    await one.world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await makeKey(one, 'Only on the second copy');
    const { file: ofSecond } = await make(one);
    await take(other, [ofFirst, ofSecond]);
    expect(await namesOf(other)).to.deep.equal(['Device 0']);
    await take(one, [ofFirst]);
    expect(await namesOf(one)).to.deep.equal(['Device 0']);
    expect(await idOf(one)).not.to.equal(before);
    expect(await labelsIn(one)).to.include.members([
      'Only on the first copy',
      'Only on the second copy',
    ]);
    await take(other, [(await make(one)).file]);
    expect(await labelsIn(other)).to.include('Only on the second copy');
    await manager(other, 'ui.readCopies', {});
    expect(await namesOf(other)).to.deep.equal([]);
  });

  it('takes what is sound out of a folder with halves, copies, other files and forgeries', async () => {
    const { members } = await devices(3);
    const [one, other, third] = members as [Member, Member, Member];
    await makeKey(one, 'Letters');
    await makeKey(other, 'Notes');
    const [{ file: first }, { file: second }] = [await make(one), await make(other)];
    const { epoch } = await devices(1);
    const stranger = await devices(1);
    const { file: foreign } = await make(stranger.members[0]!);
    expect(toHex(epoch.digest)).not.to.equal(toHex(stranger.epoch.digest));
    const forged = await forgedBy(other);
    const flipped = second.slice();
    flipped[flipped.length - 1]! ^= 1;
    const report = await take(third, [
      ...[first.slice(0, 5_000), first.subarray(0, 3), first, first, flipped, new Uint8Array(900)],
      ...[forged, foreign, second, new Uint8Array(0)],
    ]);
    expect(report.taken).to.have.members(['Device 0', 'Device 1']);
    expect(report.notTaken).to.deep.equal({ damaged: 5, unreached: 1, older: 0, refused: 1 });
    expect(await labelsIn(third)).to.include.members(['Letters', 'Notes']);
  });

  it('refuses more files, or longer ones, than it reads, before any work', async () => {
    const { members } = await devices(1);
    const half = new Uint8Array(DEVICE_FILES_MAX_BYTES / 2 + 1);
    const many = Array.from({ length: DEVICE_FILES_MAX + 1 }, () => new Uint8Array(1));
    expect(await codeOf(take(members[0]!, [half, half]))).to.equal('TOO_LARGE');
    expect(await codeOf(take(members[0]!, many))).to.equal('INVALID_ARGUMENT');
  });

  it('is of the manager alone, of an open vault, and of a device with others', async () => {
    const { members } = await devices(1);
    const [{ world }] = members as [Member];
    for (const [method, params] of [
      ['ui.deviceFiles', {}],
      ['ui.makeDeviceFile', {}],
      ['ui.takeDeviceFiles', { files: [] }],
    ] as const) {
      expect(await codeOf(world.call(method, params, POPUP))).to.equal('UNSUPPORTED');
    }
    await world.surface('ui.lock', {});
    expect(await codeOf(make(members[0]!))).to.equal('LOCKED');
    expect(await codeOf(take(members[0]!, []))).to.equal('LOCKED');
    const alone = { world: await World.unlocked() };
    expect(await manager(alone, 'ui.deviceFiles', {})).to.deep.include({ isInCircle: false });
    expect(await codeOf(manager(alone, 'ui.makeDeviceFile', {}))).to.equal('INVALID_ARGUMENT');
    const taking = manager(alone, 'ui.takeDeviceFiles', { files: [] });
    expect(await codeOf(taking)).to.equal('INVALID_ARGUMENT');
  });

  it('takes all or nothing where the worker ends, and goes on afterwards', async () => {
    for (let at = 0; at < 6; at++) {
      const { members, folder } = await devices(2);
      const [one, other] = members as [Member, Member];
      await makeKey(one, 'Letters');
      await store(one, folder);
      await other.world.saved();
      const death = diesAtWrite(other.world, at);
      await Promise.race([exchange(other, folder), death.happened]);
      death.revive();
      other.world.restart();
      await other.world.surface('ui.unlock', { passphrase: PASSPHRASE });
      await settle(members, folder);
      expect(await labelsIn(other), `write ${at}`).to.include('Letters');
      for (const each of members) expect(await namesOf(each), `write ${at}`).to.deep.equal([]);
      expect((await take(one, [...folder.values()])).told).to.deep.equal({
        wentBack: [],
        late: [],
      });
    }
  });
});

/** A file of a member's, with an entry that no device makes. */
async function forgedBy({ world, person }: Member): Promise<Uint8Array> {
  const { epoch, links } = circleOf((await world.vault.read(CIRCLE))!);
  const device = 'AAAAAAAAAAAAAAAAAAAAAA';
  const entry = { incarnation: 1, version: { [device]: 1 }, facts: {}, registers: {} };
  const state = { seen: {}, entries: { 'sealing-key AAAAAAAAAAAAAAAAAAAAAA': entry } };
  const syncKey = await syncKeyOf(epoch, person.pair, PARTS);
  const head = {
    member: person.pair.id,
    device,
    generation: 1,
    before: new Uint8Array(32),
    read: {},
  };
  return sealDeviceFile({ epoch, links, state, syncKey }, head, PARTS.random);
}

describe('Files of other lists of devices', function () {
  this.timeout(120_000);

  it('lead to a newer one, and those from before it are not taken', async () => {
    const { members, folder } = await devices(3);
    const [one, other, gone] = members as [Member, Member, Member];
    await settle(members, folder);
    await makeKey(one, 'Letters');
    const next = await removed(one, gone);
    await exchange(one, folder);
    await makeKey(gone, 'Of the removed one');
    await store(gone, folder);
    const report = await exchange(other, folder);
    expect(report.taken).to.deep.equal(['Device 0']);
    expect(report.notTaken).to.deep.equal({ ...NOTHING, older: 2 });
    expect(toHex((await epochOf(other)).digest)).to.equal(toHex(next.digest));
    await settle([one, other], folder);
    for (const each of [one, other]) {
      expect(await labelsIn(each)).to.include('Letters');
      expect(await labelsIn(each)).not.to.include('Of the removed one');
    }
    const { notTaken, taken } = await take(gone, [...folder.values()]);
    expect({ taken, unreached: notTaken.unreached }).to.deep.equal({ taken: [], unreached: 2 });
  });

  it('tell who joined on another device', async () => {
    const { members, folder, epoch } = await devices(2);
    const [one, other] = members as [Member, Member];
    const { member } = await newDevice('Tablet');
    await follows(one, await withMember(epoch, member, one.person.pair, PARTS), [epoch]);
    await exchange(one, folder);
    await exchange(other, folder);
    const { joined } = (await manager(other, 'ui.medium', {}))!;
    expect(joined.map(({ name }) => name)).to.deep.equal(['Tablet']);
  });

  for (const holds of ['own', 'other'] as const) {
    it(`wait for the person where two follow one: ${holds}`, async () => {
      const { members, folder } = await devices(3);
      const [one, other, gone] = members as [Member, Member, Member];
      await settle(members, folder);
      const ofOne = await removed(one, gone);
      const { member } = await newDevice('Tablet');
      const before = await epochOf(other);
      const ofOther = await withMember(before, member, other.person.pair, PARTS);
      await follows(other, ofOther, [before]);
      await makeKey(one, 'Letters');
      await store(one, folder);
      const files = [...folder.values()];
      const { other: found, taken } = await take(other, files);
      expect({ found, taken }).to.deep.equal({ found: toHex(ofOne.commitment), taken: [] });
      expect(toHex((await epochOf(other)).digest)).to.equal(toHex(ofOther.digest));
      expect(await labelsIn(other)).not.to.include('Letters');
      const wrong = { by: { passphrase: 'wrong' }, files, other: found!, holds };
      expect(await codeOf(manager(other, 'ui.chooseByFiles', wrong))).to.equal('AUTH_FAILED');
      const chosen = await manager(other, 'ui.chooseByFiles', { ...wrong, by: BY });
      expect(chosen.other).to.equal(null);
      expect(chosen.taken).to.deep.equal(holds === 'other' ? ['Device 0'] : []);
      const held = holds === 'other' ? ofOne : ofOther;
      expect(toHex((await epochOf(other)).digest)).to.equal(toHex(held.digest));
      // It is not asked again.
      await store(other, folder);
      expect((await take(other, files)).other).to.equal(null);
    });
  }

  it('are both left where a device that slept sees two that follow its own', async () => {
    const { members, folder, epoch } = await devices(3);
    const [one, other, sleeper] = members as [Member, Member, Member];
    for (const [by, name] of [
      [one, 'Tablet'],
      [other, 'Desktop'],
    ] as const) {
      const { member } = await newDevice(name);
      await follows(by, await withMember(epoch, member, by.person.pair, PARTS), [epoch]);
      await makeKey(by, `With the ${name}`);
      await store(by, folder);
    }
    const files = [...folder.values()];
    const { other: found, taken } = await take(sleeper, files);
    expect(taken).to.deep.equal([]);
    expect(toHex((await epochOf(sleeper)).digest)).to.equal(toHex(epoch.digest));
    const chosen = await manager(sleeper, 'ui.chooseByFiles', {
      ...{ by: BY, files, other: found!, holds: 'other' },
    });
    expect(chosen.other).to.equal(null);
    expect(chosen.taken).to.have.length(1);
    expect(toHex((await epochOf(sleeper)).commitment)).to.equal(found);
  });
});

describe('A hostile folder', function () {
  this.timeout(600_000);

  it('loses no key, and tells no lie about an honest device', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('exchange' as const), device: fc.nat(2) }),
      fc.record({ kind: fc.constant('key' as const), device: fc.nat(2) }),
      fc.record({
        kind: fc.constantFrom('back' as const, 'half' as const, 'lose' as const, 'twin' as const),
        device: fc.nat(2),
        to: fc.nat(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const { members, folder } = await devices(3);
        const history = new Map<string, Uint8Array[]>();
        const keys: string[] = [];
        for (const { kind, device, ...rest } of steps) {
          const [name, past] = [...history][device % Math.max(1, history.size)] ?? [];
          const to = 'to' in rest ? rest.to : 0;
          if (kind === 'key') {
            keys.push(`Key ${keys.length}`);
            await makeKey(members[device]!, keys.at(-1)!);
          } else if (kind === 'exchange') {
            await exchange(members[device]!, folder);
            for (const [stored, file] of folder) {
              const all = history.get(stored) ?? [];
              if (!all.includes(file)) history.set(stored, [...all, file]);
            }
          } else if (name !== undefined && past !== undefined) {
            const old = past[to % past.length]!;
            if (kind === 'lose') folder.delete(name);
            else if (kind === 'back') folder.set(name, old);
            else if (kind === 'half') folder.set(name, old.slice(0, to % old.length));
            else folder.set(`copy of ${name}`, old);
          }
        }
        await settle(members, folder);
        for (const member of members) {
          expect(await labelsIn(member)).to.include.members(keys);
          // What a folder does to files is never taken for a second device.
          expect(await namesOf(member)).to.deep.equal([]);
        }
      }),
      { numRuns: inDepth(60, 4) },
    );
  });
});
