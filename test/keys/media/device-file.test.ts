import { expect } from 'chai';
import fc from 'fast-check';
import { concat, toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { paddedLength } from '../../../src/format/wire/sealed-length.ts';
import { firstEpoch, syncKeyOf, withMember } from '../../../src/keys/circle/changes.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import {
  DEVICE_FILE_MAX_BYTES,
  DeviceFileError,
  deviceFileName,
  openDeviceFile,
  parseDeviceFile,
  sealDeviceFile,
} from '../../../src/keys/media/device-file.ts';
import type { FileHead } from '../../../src/keys/media/device-file.ts';
import { newDevice, PARTS } from '../circle/circle.ts';
import type { Person } from '../circle/circle.ts';
import { recordsOfVector } from '../circle/vector-records.ts';

const DEVICE = toBase64url(new Uint8Array(16).fill(1));
const STATE = withLocalChanges(EMPTY_STATE, recordsOfVector(), DEVICE);
/** Before what is sealed: magic, place, wraps. */
const CLEAR_BYTES = 4 + 68 + 8 * 1168;

describe('The file of a device', function () {
  this.timeout(60_000);
  let one: Person;
  let other: Person;
  let first: Epoch;
  let second: Epoch;
  before(async () => {
    [one, other] = [await newDevice('Laptop'), await newDevice('Phone')];
    first = await firstEpoch([one.member], one.pair, PARTS);
    second = await withMember(first, other.member, one.pair, PARTS);
  });

  const headOf = (generation = 1): FileHead => ({
    ...{ member: one.pair.id, device: DEVICE, generation, before: new Uint8Array(32) },
    read: { [toBase64url(new Uint8Array(16).fill(2))]: 5 },
  });

  async function fileOf(state: SharedState = STATE, epoch = second, head = headOf()) {
    const syncKey = await syncKeyOf(epoch, one.pair, PARTS);
    return sealDeviceFile({ epoch, links: [first], state, syncKey }, head, PARTS.random);
  }

  async function opened(bytes: Uint8Array, pair = other.pair) {
    const file = parseDeviceFile(bytes);
    const syncKey = await syncKeyOf(file.box, pair, PARTS);
    return openDeviceFile(file, { ...file.box, syncKey });
  }

  it('opens for each member, with its head, its circle and the whole state', async () => {
    const bytes = await fileOf();
    for (const { pair } of [one, other]) {
      const { head, circle, state } = (await opened(bytes, pair))!;
      expect(head).to.deep.equal(headOf());
      expect(state).to.deep.equal(STATE);
      expect(circle.links.map(({ number }) => number)).to.deep.equal([1, 2]);
      expect(toHex(circle.epoch!.digest)).to.equal(toHex(second.digest));
    }
  });

  it('shows nothing but its epoch and a padded length', async () => {
    const bytes = await fileOf();
    const hex = toHex(bytes);
    for (const shown of [one.pair.id, other.pair.id, one.member.ed25519, one.member.xWing]) {
      expect(hex).not.to.include(toHex(shown));
    }
    const text = Buffer.from(bytes).toString('latin1');
    for (const word of ['Laptop', 'Phone', DEVICE]) expect(text).not.to.include(word);
    // Header, salt, commitment and tag, around a padded message.
    const body = bytes.length - CLEAR_BYTES - 24 - 24 - 32 - 16;
    const lengths = Array.from({ length: body }, (_, length) => paddedLength(length));
    expect(lengths).to.include(body);
    expect(lengths.filter((length) => length === body)).to.have.length.above(100);
  });

  it('has a name that tells nothing, and that no other device has', () => {
    const names = Array.from({ length: 100 }, (_, at) =>
      deviceFileName(toBase64url(new Uint8Array(16).fill(at))),
    );
    expect(new Set(names).size).to.equal(100);
    for (const name of names) expect(name).to.match(/^sealwright-[0-9a-f]{16}\.device$/);
  });

  it('opens for no other epoch, and for no removed or foreign device', async () => {
    const { box, ...file } = parseDeviceFile(await fileOf());
    const ofFirst = await syncKeyOf(first, one.pair, PARTS);
    expect(await openDeviceFile({ box, ...file }, { ...first, syncKey: ofFirst })).to.equal(
      undefined,
    );
    const ofSecond = await syncKeyOf(second, one.pair, PARTS);
    const elsewhere = { ...second, number: 3, syncKey: ofSecond };
    expect(await openDeviceFile({ box, ...file }, elsewhere)).to.equal(undefined);
    const stranger = await newDevice('Stranger');
    const opening = opened(await fileOf(), stranger.pair).then(
      () => 'opened',
      () => 'refused',
    );
    expect(await opening).to.equal('refused');
  });

  it('is refused where it is cut, changed, another file, or too long, and nothing else is thrown', async () => {
    const bytes = await fileOf();
    const damage = fc.oneof(
      fc.nat(bytes.length - 1).map((end) => bytes.slice(0, end)),
      fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, flip]) => {
        const changed = bytes.slice();
        changed[at]! ^= flip;
        return changed;
      }),
      fc.uint8Array({ maxLength: 64 }),
      fc.uint8Array({ minLength: 1, maxLength: 64 }).map((more) => concat(bytes, more)),
    );
    const key = { ...second, syncKey: await syncKeyOf(second, one.pair, PARTS) };
    await fc.assert(
      fc.asyncProperty(damage, async (changed) => {
        let file;
        try {
          file = parseDeviceFile(changed);
        } catch (error) {
          expect(error).to.be.instanceOf(DeviceFileError);
          return;
        }
        // A change of the wraps alone is told by the key that does not come out of them.
        const isOfWraps =
          toHex(changed.subarray(CLEAR_BYTES)) === toHex(bytes.subarray(CLEAR_BYTES));
        if (!isOfWraps) expect(await openDeviceFile(file, key)).to.equal(undefined);
      }),
      { numRuns: 200 },
    );
    const long = new Uint8Array(DEVICE_FILE_MAX_BYTES + 1);
    expect(() => parseDeviceFile(long)).to.throw(DeviceFileError);
  });

  it('holds no state where an entry is one that no device makes, and its head all the same', async () => {
    const entry = { incarnation: 1, version: { [DEVICE]: 1 }, facts: {}, registers: {} };
    const state = { seen: { [DEVICE]: 1 }, entries: { 'of-a-later-version x': entry } };
    const found = (await opened(await fileOf(state)))!;
    expect(found.state).to.equal(undefined);
    expect(found.head.generation).to.equal(1);
  });

  it('has no head of generation 0', async () => {
    expect(await opened(await fileOf(STATE, second, headOf(0)))).to.equal(undefined);
  });
});
