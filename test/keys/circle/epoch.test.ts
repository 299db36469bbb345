import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import type { CircleParts } from '../../../src/keys/circle/changes.ts';
import { checkFirstEpoch, checkNextEpoch } from '../../../src/keys/circle/chain.ts';
import {
  encodeEpoch,
  EPOCH_MAX_BYTES,
  EpochError,
  parseEpoch,
  parseLink,
  WRAP_BYTES,
} from '../../../src/keys/circle/epoch.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf, passkeyPair } from '../../../src/keys/circle/members.ts';
import type { Member } from '../../../src/keys/circle/members.ts';
import { newDevice, PARTS, signedBy, X_WING } from './circle.ts';
import type { Person } from './circle.ts';

/** Rejections by the class and message of their error. */
async function refused(work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(EpochError);
  expect((error as Error).message).to.equal('this is not an epoch of the circle, or it is damaged');
}

const keyHex = async (epoch: Epoch, { pair }: Person): Promise<string> =>
  toHex(await syncKeyOf(epoch, pair, PARTS));

describe('An epoch', function () {
  this.timeout(60_000);
  let laptop: Person;
  let phone: Person;
  let first: Epoch;
  let second: Epoch;
  before(async () => {
    [laptop, phone] = [await newDevice('Laptop'), await newDevice('Phone')];
    first = await firstEpoch([laptop.member], laptop.pair, PARTS);
    second = await withMember(first, phone.member, laptop.pair, PARTS);
  });

  it('gives all members one key, which no other epoch has', async () => {
    const key = await keyHex(second, laptop);
    expect(await keyHex(second, phone)).to.equal(key);
    expect(await keyHex(first, laptop)).not.to.equal(key);
    await refused(keyHex(first, phone));
  });

  it('is the same after bytes, and has one form', () => {
    for (const epoch of [first, second]) {
      const bytes = encodeEpoch(epoch);
      expect(parseEpoch(bytes)).to.deep.equal(epoch);
      expect(encodeEpoch(parseEpoch(bytes))).to.deep.equal(bytes);
      const { members: _, wraps, ...link } = epoch;
      expect(parseLink(epoch.bytes)).to.deep.include(link);
      expect(wraps.map(({ length }) => length)).to.deep.equal(Array(8).fill(WRAP_BYTES));
    }
  });

  it('is refused with any byte changed, cut off or added', async () => {
    const bytes = encodeEpoch(second);
    let parsed = 0;
    for (let at = 0; at < bytes.length; at++) {
      const other = bytes.slice();
      other[at]! ^= 1 << (at % 8);
      let epoch: Epoch;
      try {
        epoch = parseEpoch(other);
      } catch (error) {
        expect(error, `byte ${at}`).to.be.instanceOf(EpochError);
        continue;
      }
      parsed++;
      await refused(checkNextEpoch(first, epoch));
    }
    // Keys and wraps are told by their digest, most of the rest by the signature.
    expect(parsed).to.be.within(100, second.bytes.length);
    for (const length of [0, 3, second.bytes.length, bytes.length - 1]) {
      expect(() => parseEpoch(bytes.subarray(0, length))).to.throw(EpochError);
    }
    expect(() => parseEpoch(Uint8Array.of(...bytes, 0))).to.throw(EpochError);
    expect(() => parseLink(Uint8Array.of(...second.bytes, 0))).to.throw(EpochError);
    expect(() => parseLink(second.bytes.subarray(1))).to.throw(EpochError);
  });

  it('is refused before any work where it is long', () => {
    const long = new Uint8Array(EPOCH_MAX_BYTES + 1);
    // A getter that no parser may reach.
    long.subarray = () => expect.fail('read');
    for (const parse of [parseEpoch, parseLink]) {
      expect(() => parse(long)).to.throw(EpochError);
    }
  });

  it('reaches an opener that was absent when it was made', async () => {
    const [secret, output] = [new Uint8Array(16).fill(7), new Uint8Array(32).fill(7)];
    const code = { pair: codePair(secret), member: await memberOf(codePair(secret), '', X_WING) };
    const passkey = await memberOf(passkeyPair(output), '', X_WING);
    const third = await withMember(second, code.member, phone.pair, PARTS);
    const fourth = await withMember(third, passkey, laptop.pair, PARTS);
    const key = await keyHex(fourth, laptop);
    for (const pair of [codePair(secret), passkeyPair(output)]) {
      expect(toHex(await syncKeyOf(fourth, pair, PARTS))).to.equal(key);
      const { number, parent, commitment, wraps } = fourth;
      const shown = { number, parent, commitment, wraps };
      expect(toHex(await syncKeyOf(shown, pair, PARTS)), 'before it is opened').to.equal(key);
    }
    expect(code.pair.ed25519).not.to.deep.equal(passkeyPair(output).ed25519);
    const fifth = await withoutMember(fourth, laptop.member.id, codePair(secret), PARTS);
    expect(fifth.members.map(({ kind }) => kind)).to.have.members(['device', 'code', 'passkey']);
    for (const wrong of [new Uint8Array(31).fill(1), new Uint8Array(32)]) {
      expect(() => passkeyPair(wrong)).to.throw(RangeError);
    }
    expect(() => codePair(output)).to.throw(RangeError);
  });

  it('has 1 to 8 members, of whom no two have one id or key', async () => {
    const seven = await Promise.all(Array.from({ length: 7 }, (_, at) => newDevice(`${at}`)));
    const eight = [laptop, ...seven].map(({ member }) => member);
    const full = await firstEpoch(eight, laptop.pair, PARTS);
    expect(full.members.map(({ id }) => toHex(id))).to.deep.equal(
      eight.map(({ id }) => toHex(id)).toSorted(),
    );
    expect(await keyHex(full, seven[6]!)).to.equal(await keyHex(full, laptop));
    await refused(withMember(full, phone.member, laptop.pair, PARTS));
    await refused(withoutMember(first, laptop.member.id, laptop.pair, PARTS));
    await refused(withoutMember(first, phone.member.id, laptop.pair, PARTS));
    const { member } = phone;
    const changed: readonly Partial<Member>[] = [
      { id: laptop.member.id },
      { xWing: laptop.member.xWing },
      { ed25519: laptop.member.ed25519 },
    ];
    for (const change of changed) {
      await refused(withMember(first, { ...member, ...change }, laptop.pair, PARTS));
    }
  });

  it('has members with keys and names that an epoch can hold', async () => {
    const { member } = phone;
    const changed: readonly Partial<Member>[] = [
      { name: '' },
      { name: 'x'.repeat(65) },
      { name: 'ü'.repeat(33) },
      { name: '\ud800' },
      { kind: 'code' },
      { id: new Uint8Array(15) },
      { ed25519: new Uint8Array(31) },
      { xWing: new Uint8Array(1215) },
      { xWing: new Uint8Array(1216).fill(0xff) },
    ];
    for (const change of changed) {
      await refused(withMember(first, { ...member, ...change }, laptop.pair, PARTS));
    }
    const named = await withMember(first, { ...member, name: 'ü'.repeat(32) }, laptop.pair, PARTS);
    expect(parseEpoch(encodeEpoch(named)).members.map(({ name }) => name)).to.include(
      'ü'.repeat(32),
    );
  });

  it('gives no member another key than the others', async () => {
    const other = await withMember(first, phone.member, laptop.pair, PARTS);
    const at = second.members.findIndex(({ id }) => toHex(id) === toHex(phone.pair.id));
    const wraps = second.wraps.with(at, other.wraps[at]!);
    // The maker is a member, and signs it.
    const divided = await signedBy(laptop.pair, { ...second, wraps });
    await checkNextEpoch(first, divided);
    expect(await keyHex(divided, laptop)).to.equal(await keyHex(second, laptop));
    await refused(keyHex(divided, phone));
  });

  it('binds each wrap to the number, the parent and the member', async () => {
    const { number, parent } = second;
    const others = [{ number: number + 1 }, { parent: parent.with(0, parent[0]! ^ 1) }];
    for (const change of others) await refused(keyHex({ ...second, ...change }, phone));
    for (const change of [{ id: laptop.pair.id }, { kind: 'code' as const }]) {
      const pair = { ...phone.pair, ...change };
      await refused(syncKeyOf(second, pair, PARTS));
    }
  });

  it('does not tell how many members it has by its wraps', async () => {
    const wrapped: number[] = [];
    const kem: CircleParts['kem'] = {
      ...X_WING,
      encapsulate: (key, randomness) => {
        wrapped.push(key.length);
        return X_WING.encapsulate(key, randomness);
      },
    };
    const epoch = await firstEpoch([laptop.member], laptop.pair, { ...PARTS, kem });
    expect(wrapped).to.have.length(8);
    expect(new Set(epoch.wraps.map(toHex)).size).to.equal(8);
  });

  it('is first only without a parent, and signed by a member of its own', async () => {
    await checkFirstEpoch(first);
    await refused(checkFirstEpoch(second));
    await refused(firstEpoch([laptop.member], phone.pair, PARTS));
    const foreign = await signedBy(phone.pair, { ...first, signer: laptop.member.id });
    await refused(checkFirstEpoch(foreign));
  });
});
