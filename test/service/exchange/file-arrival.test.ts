import { expect } from 'chai';
import { CIRCLE } from '../../../src/keys/annotations/deletions.ts';
import { firstEpoch, syncKeyOf, withMember } from '../../../src/keys/circle/changes.ts';
import { circleOf, circleRecord } from '../../../src/keys/circle/circle-record.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf } from '../../../src/keys/circle/members.ts';
import { EMPTY_STATE, type SharedState } from '../../../src/keys/devices/shared-state.ts';
import { DEVICE_FILE_MAX_BYTES, sealDeviceFile } from '../../../src/keys/media/device-file.ts';
import { parseRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import { DEVICE_FILES_MAX } from '../../../src/rpc/limits.ts';
import { newDevice, PARTS, signedBy, X_WING, type Person } from '../../keys/circle/circle.ts';
import { Cloud } from '../../keys/media/cloud.ts';
import { inDepth } from '../../support/depth.ts';
import { codeOf } from '../../support/outcomes.ts';
import {
  browserOn,
  BY,
  deviceOn,
  diesAtStep,
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
  type Device,
} from '../vault/paired-devices.ts';

/* Recovery codes where devices exchange by files alone. */

const make = async (device: Device): Promise<Uint8Array> =>
  (await manager(device, 'ui.makeDeviceFile', {})).file;
const take = (device: Device, ...files: Uint8Array[]) =>
  manager(device, 'ui.takeDeviceFiles', { files });
const freshBrowser = (): Device => browserOn(new Cloud(), 'New');

/** Two devices that were paired; one has a recovery code, and a key of that name. */
async function paired() {
  const [one, other] = [await deviceOn(new Cloud(), 'Old'), await deviceOn(new Cloud(), 'Kitchen')];
  const code = await madeCode(one);
  await one.world.surface('ui.createKey', { label: 'Letters' });
  await pair(one, other);
  return { one, other, code };
}

const circleIn = async ({ world }: Device) => circleOf((await world.vault.read(CIRCLE))!);

/** What a member could put beside the files of others. */
async function fileBy(
  { pair: own }: Pick<Person, 'pair'>,
  epoch: Epoch,
  links: readonly Epoch[] = [],
  state: SharedState = EMPTY_STATE,
): Promise<Uint8Array> {
  const syncKey = await syncKeyOf(epoch, own, PARTS);
  const [device, before] = ['AAAAAAAAAAAAAAAAAAAAAA', new Uint8Array(32)];
  const head = { member: own.id, device, generation: 1, before, read: {} };
  return sealDeviceFile({ epoch, links, state, syncKey }, head, PARTS.random);
}

describe('A recovery code of devices that exchange by files', function () {
  this.timeout(120_000);

  it('reaches the file that its device makes next, and others learn of it', async () => {
    const { one, other, code } = await paired();
    expect((await take(one, await make(other), await make(one))).isDue).to.equal(false);
    const next = await madeCode(one);
    expect(await standingOf(one)).to.equal('waiting');
    const before = await make(other);
    expect((await take(one, before)).isDue).to.equal(true);
    const file = await make(one);
    expect(await standingOf(one)).to.equal('member');
    expect(await look(freshBrowser(), next, [file])).to.deep.include({ outcome: 'opened' });
    const opened = await look(freshBrowser(), code, [file]);
    expect(opened).to.deep.equal({ outcome: 'unopened', files: [0] });
    await take(other, file);
    expect(await membersOf(other)).to.deep.equal(['Kitchen', 'Old', 'code']);
    expect((await take(one, await make(other), file)).isDue).to.equal(false);
    expect((await take(one, before, file)).notTaken.older).to.equal(1);
  });

  it('is renewed on two devices at once, and neither asks which list holds', async () => {
    const { one, other, code } = await paired();
    const before = await madeCode(other);
    await take(one, await make(other));
    await take(other, await make(one));
    const [next, later] = [await madeCode(one), await madeCode(other)];
    const folder = new Map([
      [one, await make(one)],
      [other, await make(other)],
    ]);
    for (const each of [one, other, one, other]) {
      const report = await take(each, ...folder.values());
      expect(report).to.deep.include({ other: null });
      if (report.isDue) folder.set(each, await make(each));
    }
    for (const each of [one, other]) {
      expect(await take(each, ...folder.values())).to.deep.include({ isDue: false });
      expect(await membersOf(each)).to.deep.equal(['Kitchen', 'Old', 'code', 'code']);
      expect(await standingOf(each)).to.equal('member');
    }
    const files = [...folder.values()];
    for (const right of [next, later]) {
      expect(await look(freshBrowser(), right, files)).to.include({ outcome: 'opened' });
    }
    for (const wrong of [code, before]) {
      expect(await look(freshBrowser(), wrong, files)).to.include({ outcome: 'unopened' });
    }
  });

  it('makes one epoch, and none where nothing is to be changed', async () => {
    const { one } = await paired();
    const numberOf = async () => (await circleIn(one)).epoch.number;
    await make(one);
    await make(one);
    expect(await numberOf()).to.equal(1);
    await madeCode(one);
    await make(one);
    await make(one);
    expect(await numberOf()).to.equal(2);
  });
});

describe('A browser that begins with a recovery code and files', function () {
  this.timeout(240_000);

  it('shows whose keys the code opens, and takes nothing', async () => {
    const { one, other, code } = await paired();
    await take(other, await make(one));
    const files = [await make(one), await make(other)];
    const fresh = freshBrowser();
    const before = fresh.world.stored();
    const found = await look(fresh, code, files);
    expect(found).to.deep.include({ outcome: 'opened', keys: 1, contacts: 0 });
    expect(found).not.to.have.property('older');
    const { members } = found as Extract<typeof found, { outcome: 'opened' }>;
    expect(members.map(({ name }) => name).sort()).to.deep.equal(['', 'Kitchen', 'Old']);
    expect(fresh.world.stored()).to.equal(before);
    expect(await fresh.world.surface('ui.state', {})).to.include({ vault: 'absent' });
  });

  it('takes what all files hold, and its file brings the others to its list', async () => {
    const { one, other, code } = await paired();
    await other.world.surface('ui.createKey', { label: 'Kitchen alone' });
    const files = [await make(other), await make(one)];
    const fresh = freshBrowser();
    expect(await restore(fresh, code, files)).to.deep.equal({
      ...{ outcome: 'arrived', keys: 2, contacts: 0 },
    });
    expect(await labelsIn(fresh)).to.include.members(['Kitchen alone', 'Letters']);
    expect(await membersOf(fresh)).to.deep.equal(['Kitchen', 'New', 'Old', 'code']);
    expect((await manager(fresh, 'ui.medium', {}))!.isOn).to.equal(false);
    await fresh.world.surface('ui.createKey', { label: 'Made there' });
    const report = await take(one, await make(fresh));
    expect(report).to.deep.include({ taken: ['New'], other: null, isDue: true });
    expect(await labelsIn(one)).to.include.members(['Kitchen alone', 'Made there']);
    const { joined } = (await manager(one, 'ui.medium', {}))!;
    expect(joined.map(({ name }) => name)).to.deep.equal(['New']);
    await one.world.surface('ui.createKey', { label: 'Back again' });
    expect((await take(fresh, await make(one))).taken).to.deep.equal(['Old']);
    expect(await labelsIn(fresh)).to.include('Back again');
  });

  it('renews the code with its next file: until then the old one opens what it made', async () => {
    const { one, code } = await paired();
    const fresh = freshBrowser();
    await restore(fresh, code, [await make(one)]);
    const early = await make(fresh);
    expect(await look(freshBrowser(), code, [early])).to.include({ outcome: 'opened' });
    const { code: next } = await fresh.world.surface('ui.addFirstRecoveryCode', {});
    const unconfirmed = await make(fresh);
    expect(await look(freshBrowser(), code, [unconfirmed])).to.include({ outcome: 'opened' });
    await fresh.world.surface('ui.confirmRecoveryCode', { code: next });
    const late = await make(fresh);
    expect(await look(freshBrowser(), next, [late])).to.include({ outcome: 'opened' });
    expect(await look(freshBrowser(), code, [late])).to.include({ outcome: 'unopened' });
    await take(one, late);
    expect(await membersOf(one)).to.deep.equal(['Kitchen', 'New', 'Old', 'code']);
    expect(await standingOf(one)).to.equal('unknown'); // its code was renewed elsewhere
    // Once more, from the file of the browser that came by files.
    const second = { ...freshBrowser(), name: 'Newer' };
    await restore(second, next, [late]);
    expect(await membersOf(second)).to.deep.equal(['Kitchen', 'New', 'Newer', 'Old', 'code']);
    expect(await labelsIn(second)).to.include('Letters');
  });

  it('takes nothing of files from before the list of devices changed, and says which they are', async () => {
    const { one, other, code } = await paired();
    await other.world.surface('ui.createKey', { label: 'Of the removed one' });
    const old = await make(other);
    const { members } = (await manager(one, 'ui.members', {}))!;
    const { id } = members.find(({ name }) => name === 'Kitchen')!;
    await manager(one, 'ui.removeMember', { by: BY, id });
    const files = [old, await make(one)];
    const fresh = freshBrowser();
    const found = await look(fresh, code, files);
    expect(found).to.deep.include({ outcome: 'opened', older: [0], keys: 1 });
    await restore(fresh, code, files);
    expect(await membersOf(fresh)).to.deep.equal(['New', 'Old', 'code']);
    expect(await labelsIn(fresh)).not.to.include('Of the removed one');
  });

  it('tells later that a file went back which it had read', async () => {
    const { one, code } = await paired();
    const [old, newer] = [await make(one), await make(one)];
    const fresh = freshBrowser();
    await restore(fresh, code, [newer]);
    expect((await take(fresh, old)).notTaken.older).to.equal(1);
    await take(one, await make(fresh));
    const [first, second] = [await make(one), await make(one)];
    await take(fresh, second);
    expect((await take(fresh, first)).told.wentBack).to.deep.equal(['Old']);
  });

  it('takes the place of the code in a circle of eight', async () => {
    const { one, code } = await paired();
    const circle = await circleIn(one);
    let { epoch } = circle;
    const links = [epoch];
    for (let at = epoch.members.length; at < 8; at++) {
      const { member } = await newDevice(`Device ${at}`);
      epoch = await withMember(epoch, member, circle.pair, PARTS);
      links.push(epoch);
    }
    const record = circleRecord({ ...circle, links: links.slice(0, -1), epoch });
    await one.world.vault.commit((draft) => draft.put(record));
    const fresh = freshBrowser();
    await restore(fresh, code, [await make(one)]);
    const members = await membersOf(fresh);
    expect(members).to.have.length(8);
    expect(members).to.include('New').and.not.to.include('code');
  });

  it('takes nothing where a file is damaged, foreign, forged, or of another list, and says which', async () => {
    const { one, other, code } = await paired();
    const file = await make(one);
    const { epoch } = await circleIn(one);
    const { pair: own } = await circleIn(other);
    const stranger = await newDevice('Stranger');
    const secret = codePair(parseRecoveryCode(code)!);
    const asMember = await memberOf(secret, '', X_WING);
    const theirs = await firstEpoch([stranger.member, asMember], stranger.pair, PARTS);
    const aside = await withMember(epoch, stranger.member, own, PARTS);
    const tablet = await newDevice('Tablet');
    const elsewhere = await withMember(epoch, tablet.member, own, PARTS);
    const forged = await signedBy(stranger.pair, { ...aside, signer: stranger.pair.id });
    const before = await make(other);
    await madeCode(one);
    const replaced = await make(one);
    const entry = { incarnation: 1, version: { AAAAAAAAAAAAAAAAAAAAAA: 1 }, facts: {} };
    const unsound = {
      seen: {},
      entries: { 'sealing-key AAAAAAAAAAAAAAAAAAAAAA': { ...entry, registers: {} } },
    };
    const flipped = file.with(file.length - 1, file.at(-1)! ^ 1);
    const cases: Readonly<Record<string, readonly [string, number[] | undefined, Uint8Array[]]>> = {
      'no file': ['empty', undefined, []],
      'an empty one': ['damaged', [0], [new Uint8Array(0)]],
      'one of something else': ['damaged', [1], [file, new Uint8Array(20_000)]],
      'one that is cut in its head': ['damaged', [0], [file.slice(0, 5_000), file]],
      'one that is cut behind it': ['damaged', [1], [file, file.slice(0, 10_000)]],
      'one that was changed': ['damaged', [1], [before, flipped]],
      'a newer one that the code does not open': ['unopened', [1], [file, replaced]],
      'one of a circle without the code': [
        'unopened',
        [0],
        [await fileBy(stranger, await firstEpoch([stranger.member], stranger.pair, PARTS)), file],
      ],
      'one of another circle for the same code': [
        'forked',
        [1],
        [await fileBy(stranger, aside, [epoch]), await fileBy(stranger, theirs)],
      ],
      'two lists that follow one': [
        'forked',
        [1],
        [await fileBy(stranger, aside, [epoch]), await fileBy(tablet, elsewhere, [epoch])],
      ],
      'a list that a stranger has made': [
        'refused',
        [1],
        [file, await fileBy(stranger, forged, [epoch])],
      ],
      'entries that no device makes': [
        'refused',
        [1],
        [file, await fileBy({ pair: own }, epoch, [], unsound)],
      ],
    };
    for (const [what, [outcome, places, files]] of Object.entries(cases)) {
      const fresh = freshBrowser();
      const stored = storesOf(fresh);
      const fault = { outcome, ...(places && { files: places }) };
      expect(await look(fresh, code, files), what).to.deep.equal(fault);
      expect(await restore(fresh, code, files), what).to.deep.equal(fault);
      expect(storesOf(fresh), what).to.equal(stored);
      expect(await fresh.world.surface('ui.state', {}), what).to.include({ vault: 'absent' });
    }
    const wrong = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`;
    expect(await look(freshBrowser(), wrong, [file])).to.deep.equal({ outcome: 'mistyped' });
    expect(await look(freshBrowser(), OTHER, [file, file])).to.deep.equal({
      ...{ outcome: 'unopened', files: [0, 1] },
    });
  });

  it('refuses more files, or longer ones, than it reads, before any work', async () => {
    const fresh = freshBrowser();
    const half = new Uint8Array(DEVICE_FILE_MAX_BYTES / 2 + 1);
    const many = Array.from({ length: DEVICE_FILES_MAX + 1 }, () => new Uint8Array(1));
    expect(await codeOf(look(fresh, OTHER, [half, half]))).to.equal('TOO_LARGE');
    expect(await codeOf(restore(fresh, OTHER, [half, half]))).to.equal('TOO_LARGE');
    expect(await codeOf(look(fresh, OTHER, many))).to.equal('INVALID_ARGUMENT');
  });

  /** `npm test` takes each ninth await, beginning at another one each time. */
  const STEP = inDepth(1, 9);

  it('has all or nothing, wherever its worker ends, and the call goes on', async () => {
    const { one, code } = await paired();
    const files = [await make(one)];
    for (let at = Date.now() % STEP; ; at += STEP) {
      const fresh = freshBrowser();
      const dead = diesAtStep(fresh, at);
      const answer = restore(fresh, code, files).then(() => 'ended' as const);
      if ((await Promise.race([answer, dead])) === 'ended') {
        expect(at).to.be.greaterThan(20);
        return;
      }
      revive(fresh);
      const { vault } = await fresh.world.surface('ui.state', {});
      if (vault === 'locked' || vault === 'unlocked') {
        await fresh.world.surface('ui.unlock', { passphrase: NEW });
        expect(await labelsIn(fresh), `step ${at}`).to.include('Letters');
        expect(await membersOf(fresh), `step ${at}`).to.include('New');
      } else expect(vault, `step ${at}`).to.equal('absent');
      const arrived = await restore(fresh, code, files);
      expect(arrived, `step ${at}`).to.include({ outcome: 'arrived', keys: 1 });
      const devices = ['Kitchen', 'New', 'Old', 'code'];
      expect(await membersOf(fresh), `step ${at}`).to.deep.equal(devices);
    }
  });
});
