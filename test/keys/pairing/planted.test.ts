import { expect } from 'chai';
import fc from 'fast-check';
import { toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { settledFork, successionOf } from '../../../src/keys/circle/chain.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import { encodeEpoch, EpochError, hasMember, parseEpoch } from '../../../src/keys/circle/epoch.ts';
import type { Epoch, Statement } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf } from '../../../src/keys/circle/members.ts';
import type { Member } from '../../../src/keys/circle/members.ts';
import { encodePart, openPart } from '../../../src/keys/circle/membership.ts';
import { sealDeviceFile } from '../../../src/keys/media/device-file.ts';
import { findCircleInFiles, FoundCircleError } from '../../../src/keys/media/found-circle.ts';
import {
  bytesOfMember,
  digestOfOffer,
  encodeOffer,
  PairingError,
  parseOffer,
} from '../../../src/keys/pairing/offer.ts';
import {
  areDigits,
  openParcel,
  parseParcel,
  sealParcel,
} from '../../../src/keys/pairing/parcel.ts';
import { newDevice, PARTS, signedBy, X_WING } from '../circle/circle.ts';
import type { Person } from '../circle/circle.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';

/*
 * Messages of a pairing and epochs that somebody else has planted, altered, mixed or brought back. A device takes what the
 * other device has made, as it has made it, and nothing else. Attackers are a member that was removed, with its keys, and a
 * stranger; both know every message.
 */

const PLANTED = Number(
  process.env['SEALWRIGHT_PLANTED'] ?? (IS_NIGHTLY ? 20_000 : inDepth(4000, 1000)),
);
const START = 1_800_000_000_000;

/** What happens to bytes on their way. */
const alteration = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('longer' as const),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  }),
  fc.record({ kind: fc.constant('splice' as const), at: fc.nat(), other: fc.nat() }),
  fc.record({ kind: fc.constant('replace' as const), other: fc.nat() }),
);
type Alteration = typeof alteration extends fc.Arbitrary<infer A> ? A : never;

/** @param others messages that the attacker knows */
function altered(bytes: Uint8Array, how: Alteration, others: readonly Uint8Array[]): Uint8Array {
  const at = 'at' in how ? how.at % bytes.length : 0;
  if (how.kind === 'flip') return bytes.with(at, bytes[at]! ^ (1 << how.bit));
  if (how.kind === 'cut') return bytes.slice(0, at);
  if (how.kind === 'longer') return Uint8Array.from([...bytes, ...how.bytes]);
  const other = others[how.other % others.length]!;
  if (how.kind === 'replace') return other;
  return Uint8Array.from([...bytes.subarray(0, at), ...other.subarray(at)]);
}

/** What became of them, by name. */
class Tally {
  readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Each of these, some time. */
  expectAll(...names: readonly string[]): void {
    for (const name of names) expect(this.counts.get(name) ?? 0, name).to.be.above(0);
  }
}

/** Answers to requests with another name or time. */
const ANSWERED = 20;
/** What stands before the digest of the offer in a parcel. */
const HEAD_START_BYTES = 6;

/** An answer to a request. */
function sealed(to: Uint8Array, name: string, at: number) {
  const contents = { circle: new Uint8Array(900).fill(at), state: new Uint8Array(900).fill(at) };
  const giver = { name, at: START + at };
  return sealParcel({ bytes: to, offer: parseOffer(to) }, giver, contents, PARTS);
}

/** Undefined for what is no request. */
function readOffer(bytes: Uint8Array) {
  try {
    return parseOffer(bytes);
  } catch (error) {
    expect(error).to.be.instanceOf(PairingError);
    return undefined;
  }
}

const nameOf = ({ digest }: Epoch): string => toHex(digest);

describe('Planted messages', function () {
  this.timeout(60_000 + PLANTED * 100);
  const people: Person[] = [];
  let laptop: Person;
  let phone: Person;
  let thief: Person;
  let stranger: Person;
  before(async () => {
    for (const name of ['Laptop', 'Phone', 'Thief', 'Stranger', 'Tablet']) {
      people.push(await newDevice(name));
    }
    [laptop, phone, thief, stranger] = people as [Person, Person, Person, Person];
  });

  describe('of a circle', () => {
    /** First with the thief, second without, third by the phone with a tablet; and a child of the first by the thief. */
    let first: Epoch;
    let second: Epoch;
    let third: Epoch;
    let aside: Epoch;
    let known: readonly Epoch[];
    before(async () => {
      const members = [laptop, phone, thief].map(({ member }) => member);
      first = await firstEpoch(members, laptop.pair, PARTS);
      second = await withoutMember(first, thief.pair.id, laptop.pair, PARTS);
      third = await withMember(second, people[4]!.member, phone.pair, PARTS);
      aside = await withoutMember(first, phone.pair.id, thief.pair, PARTS);
      known = [first, second, third, aside];
    });

    const which = fc.nat(3);
    /** Of an epoch that an attacker signs, what is taken from where. */
    const forgery = fc.record({
      number: fc.constantFrom(1, 2, 3, 3, 3, 4),
      parent: which,
      body: which,
      members: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
      isOwnMembers: fc.boolean(),
      signer: fc.nat(4),
      byThief: fc.boolean(),
    });
    const attack = fc.oneof(
      fc.record({ kind: fc.constant('altered' as const), which, how: alteration }),
      fc.record({ kind: fc.constant('forged' as const), of: forgery }),
    );

    /** The epoch that an attack shows; undefined where it is no epoch at all. */
    async function shownBy(it: typeof attack extends fc.Arbitrary<infer A> ? A : never) {
      try {
        if (it.kind === 'altered') {
          const bytes = known.map(encodeEpoch);
          return parseEpoch(altered(bytes[it.which]!, it.how, bytes));
        }
        const { number, parent, body, members, isOwnMembers, signer, byThief } = it.of;
        const all: readonly Member[] = isOwnMembers
          ? known[body]!.members
          : members.map((at) => people[at]!.member);
        const { commitment, wraps } = known[body]!;
        const fields: Statement = {
          ...{ number, commitment, wraps, parent: known[parent]!.digest },
          signer: people[signer]!.pair.id,
          members: all.toSorted((a, b) => (toHex(a.id) < toHex(b.id) ? -1 : 1)),
        };
        return await signedBy((byThief ? thief : stranger).pair, fields);
      } catch (error) {
        if (error instanceof EpochError) return undefined;
        throw error;
      }
    }

    it(`lead a device on to no epoch but a member’s own, in ${PLANTED} attacks`, async () => {
      const tally = new Tally();
      const property = fc.asyncProperty(
        attack,
        fc.array(which, { maxLength: 2 }),
        async (it, before) => {
          const epoch = await shownBy(it);
          if (epoch === undefined) {
            tally.add('no epoch');
            return;
          }
          const shown = [...before.map((at) => known[at]!), epoch];
          const told = await successionOf([first, second], shown).catch((error: unknown) => {
            expect(error).to.be.instanceOf(EpochError);
            return 'refused';
          });
          tally.add(told);
          // Nothing is followed but what the phone has signed, and nothing is said to be known that is not.
          if (told === 'newer') expect(nameOf(epoch)).to.equal(nameOf(third));
          if (told === 'same') expect(nameOf(epoch)).to.equal(nameOf(second));
          if (told === 'older') expect(nameOf(epoch)).to.equal(nameOf(first));
          if (told !== 'forked') return;
          const settled = settledFork([first, second], shown);
          expect(settled?.holds, 'a fork without a question').not.to.equal('other');
        },
      );
      await fc.assert(property, { numRuns: PLANTED });
      tally.expectAll('no epoch', 'refused', 'newer', 'same', 'older', 'forked', 'unconnected');
    });

    it(`give a new member no circle but the one of the answer, in ${Math.ceil(PLANTED / 20)} attacks`, async () => {
      const right = encodePart({ links: [first], epoch: second });
      const parts = [
        encodePart({ links: [], epoch: first }),
        encodePart({ links: [first], epoch: aside }),
        encodePart({ links: [first, second], epoch: third }),
      ];
      const tally = new Tally();
      const property = fc.asyncProperty(alteration, async (how) => {
        const part = altered(right, how, parts);
        const taken = await openPart(part, phone.pair, PARTS).catch((error: unknown) => {
          expect(error).to.be.instanceOf(EpochError);
          return undefined;
        });
        tally.add(taken ? 'taken' : 'refused');
        // Those of the phone's that are whole; the digits say which one is of this answer.
        if (taken) expect([first, second, third].map(nameOf)).to.include(nameOf(taken.epoch));
      });
      await fc.assert(property, { numRuns: Math.ceil(PLANTED / 20) });
      tally.expectAll('taken', 'refused');
    });
  });

  describe('in the place of files of devices', () => {
    const secret = codePair(new Uint8Array(16).fill(9));
    /** The newest, with all that the laptop has; one of before; and what attackers can make. */
    let newest: Uint8Array;
    let pool: readonly Uint8Array[];
    let told: ReadonlyMap<string, Epoch>;

    async function fileOf({ pair }: Person, epoch: Epoch, links: readonly Epoch[]) {
      const syncKey = await syncKeyOf(epoch, pair, PARTS);
      const device = toBase64url(pair.id);
      const state = { seen: { [device]: epoch.number }, entries: {} };
      const head = { member: pair.id, device, generation: 1, before: new Uint8Array(32), read: {} };
      return sealDeviceFile({ epoch, links, state, syncKey }, head, PARTS.random);
    }

    before(async () => {
      const code = await memberOf(secret, '', X_WING);
      const members = [laptop, thief].map(({ member }) => member);
      const first = await firstEpoch([...members, code], laptop.pair, PARTS);
      const second = await withoutMember(first, thief.pair.id, laptop.pair, PARTS);
      const aside = await withMember(first, stranger.member, thief.pair, PARTS);
      const further = await withoutMember(aside, laptop.pair.id, thief.pair, PARTS);
      const theirs = await firstEpoch([stranger.member, code], stranger.pair, PARTS);
      const alone = await firstEpoch([stranger.member], stranger.pair, PARTS);
      // As if the thief were still a member of the newest.
      const parent = { ...second, members: [...second.members, thief.member] };
      const forged = await withMember(parent, stranger.member, thief.pair, PARTS);
      const epochs = [first, second, aside, further, theirs];
      told = new Map(epochs.map((epoch) => [nameOf(epoch), epoch]));
      newest = await fileOf(laptop, second, [first]);
      pool = [
        newest,
        await fileOf(laptop, first, []),
        await fileOf(thief, first, []),
        await fileOf(thief, aside, [first]),
        await fileOf(thief, further, [first, aside]),
        await fileOf(stranger, theirs, []),
        await fileOf(stranger, alone, []),
        await fileOf(thief, forged, [first, second]),
      ];
    });

    const given = fc.record({ which: fc.nat(7), how: fc.option(alteration, { freq: 2 }) });

    it(`give a code no list of devices but one that was signed, and the newest where its file is whole, in ${Math.ceil(PLANTED / 10)} attacks`, async () => {
      const tally = new Tally();
      const property = fc.asyncProperty(
        fc.array(given, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (planted, isThere) => {
          const files = planted.map(({ which, how }) =>
            how ? altered(pool[which]!, how, pool) : pool[which]!,
          );
          if (isThere) files.push(newest);
          const found = await findCircleInFiles(files, secret, PARTS).catch((error: unknown) => {
            expect(error).to.be.instanceOf(FoundCircleError);
            return (error as FoundCircleError).fault;
          });
          tally.add(typeof found === 'string' ? found : 'taken');
          if (typeof found === 'string') return;
          const { epoch } = found.circle;
          expect(told.has(nameOf(epoch))).to.equal(true);
          for (const { state } of found.files) {
            expect(Object.values(state.seen)).to.deep.equal([epoch.number]);
          }
          if (!files.includes(newest)) return;
          tally.add('the newest');
          expect(epoch.number).to.equal(2);
          expect(hasMember(epoch, thief.pair.id)).to.equal(false);
        },
      );
      await fc.assert(property, { numRuns: Math.ceil(PLANTED / 10) });
      tally.expectAll('taken', 'the newest', 'damaged', 'unopened', 'forked', 'refused');
    });
  });

  describe('of a pairing', () => {
    let offer: Uint8Array;
    let right: { readonly parcel: Uint8Array; readonly digits: string };
    /** Parcels for the offer that others have sealed, for other offers, and of an earlier pairing. */
    const others: Uint8Array[] = [];
    before(async () => {
      const { member } = phone;
      offer = encodeOffer({ member, at: START });
      right = await sealed(offer, 'Laptop', 1);
      for (let at = 2; others.length < 12; at++) {
        const { parcel, digits } = await sealed(offer, 'Laptop', at);
        if (digits !== right.digits) others.push(parcel); // one in a million has the same
      }
      const earlier = encodeOffer({ member, at: START - 1 });
      others.push((await sealed(earlier, 'Laptop', 1)).parcel);
      const ofStranger = encodeOffer({ member: stranger.member, at: START });
      others.push((await sealed(ofStranger, 'Laptop', 1)).parcel);
    });

    /** As a device takes an answer, until its contents are read (pairing.ts). */
    async function outcomeOf(bytes: Uint8Array): Promise<string> {
      try {
        const parcel = parseParcel(bytes);
        if (toHex(parcel.offerDigest) !== toHex(digestOfOffer(offer))) return 'other offer';
        const { digits } = await openParcel(parcel, offer, phone.pair.xWing, PARTS);
        return areDigits(right.digits, digits) ? 'taken' : 'wrong digits';
      } catch (error) {
        expect(error).to.be.instanceOf(PairingError);
        return 'refused';
      }
    }

    /** What an altered request is to the device that reads it. */
    function kindOfRequest(bytes: Uint8Array): string {
      const member = readOffer(bytes)?.member;
      if (member === undefined) return 'refused';
      const hasWords = toHex(bytesOfMember(member)) === toHex(bytesOfMember(phone.member));
      if (!hasWords) return 'other words';
      return toHex(bytes) === toHex(offer) ? 'the request itself' : 'other name or time';
    }

    it(`bring nothing to a new device, in ${PLANTED} attacks on the answer`, async () => {
      const tally = new Tally();
      const property = fc.asyncProperty(alteration, async (how) => {
        const bytes = altered(right.parcel, how, others);
        const outcome = await outcomeOf(bytes);
        tally.add(outcome);
        if (outcome === 'taken') expect(toHex(bytes)).to.equal(toHex(right.parcel));
      });
      await fc.assert(property, { numRuns: PLANTED });
      expect(await outcomeOf(right.parcel)).to.equal('taken');
      tally.expectAll('other offer', 'wrong digits', 'refused');
    });

    it(`get no keys for another member, in ${PLANTED} attacks on the request`, async () => {
      const tally = new Tally();
      const requests = [stranger, thief].map(({ member }) => encodeOffer({ member, at: START }));
      const property = fc.asyncProperty(alteration, async (how) => {
        const bytes = altered(offer, how, requests);
        const what = kindOfRequest(bytes);
        tally.add(what);
        if (what !== 'other name or time' || tally.counts.get(what)! > ANSWERED) return;
        // The words are right. The answer does not open for the request that the device has made, whatever it names.
        const answer = await sealed(bytes, 'Laptop', 1);
        expect(await outcomeOf(answer.parcel)).to.equal('other offer');
        const renamed = answer.parcel.slice();
        renamed.set(digestOfOffer(offer), HEAD_START_BYTES);
        expect(await outcomeOf(renamed)).to.equal('refused');
      });
      await fc.assert(property, { numRuns: PLANTED });
      tally.expectAll('other name or time', 'other words', 'refused');
    });
  });
});
