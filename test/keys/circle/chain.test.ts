import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../src/crypto/bytes.ts';
import { checkNextEpoch, successionOf } from '../../../src/keys/circle/chain.ts';
import type { Succession } from '../../../src/keys/circle/chain.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import { EpochError, parseLink } from '../../../src/keys/circle/epoch.ts';
import type { Epoch, EpochLink } from '../../../src/keys/circle/epoch.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { seededRandom } from '../seeded-random.ts';
import { newDevice, PARTS, signedBy, throughBytes } from './circle.ts';
import type { Person } from './circle.ts';

const RUNS = Number(process.env['SEALWRIGHT_EPOCHS'] ?? (IS_NIGHTLY ? 400 : inDepth(40, 3)));
const FORGERIES = 50 * RUNS;

/** Whether a check is refused by the one error. */
async function isRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    expect(error).to.be.instanceOf(EpochError);
    return true;
  }
}

const linkOf = (epoch: EpochLink): EpochLink => parseLink(epoch.bytes);
const isIn = (epoch: Epoch, { pair }: Person): boolean =>
  epoch.members.some(({ id }) => toHex(id) === toHex(pair.id));

/** Eight devices, made once: pairs take time. */
const devices: Person[] = [];

describe('A chain of epochs', function () {
  this.timeout(60_000 + RUNS * 5000);
  before(async () => {
    const random = seededRandom('chain');
    for (let at = 0; at < 8; at++) devices.push(await newDevice(`Device ${at}`, random));
  });

  /** Adds or removes one, by one that is a member. */
  async function changed(epoch: Epoch, which: number, by: number): Promise<Epoch> {
    const members = devices.filter((device) => isIn(epoch, device));
    const { pair } = members[by % members.length]!;
    const device = devices[which % devices.length]!;
    const isLast = members.length === 1 && isIn(epoch, device);
    if (isLast || !isIn(epoch, device)) {
      const absent = devices.filter((it) => !isIn(epoch, it));
      return withMember(epoch, absent[which % absent.length]!.member, pair, PARTS);
    }
    return withoutMember(epoch, device.pair.id, pair, PARTS);
  }

  const step = fc.record({ which: fc.nat(7), by: fc.nat(7) });

  it(`gives each key to the members of its epoch alone, in ${RUNS} sequences of changes`, async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 8 }),
      async (steps) => {
        let epoch = await firstEpoch([devices[0]!.member], devices[0]!.pair, PARTS);
        const keys = new Set<string>();
        for (const { which, by } of steps) {
          const next = throughBytes(await changed(epoch, which, by));
          await checkNextEpoch(linkOf(epoch), linkOf(next));
          // Neither follows itself nor its child.
          expect(next.number).to.equal(epoch.number + 1);
          expect(await isRefused(checkNextEpoch(next, epoch))).to.equal(true);
          epoch = next;
          const reached = await Promise.all(
            devices.map((device) =>
              syncKeyOf(epoch, device.pair, PARTS).then(toHex, (error: unknown) => {
                expect(error).to.be.instanceOf(EpochError);
                return null;
              }),
            ),
          );
          const inside = reached.filter((_, at) => isIn(epoch, devices[at]!));
          const outside = reached.filter((_, at) => !isIn(epoch, devices[at]!));
          expect(new Set(inside).size).to.equal(1);
          expect(outside.every((key) => key === null)).to.equal(true);
          expect(keys.has(inside[0]!), 'a key again').to.equal(false);
          keys.add(inside[0]!);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it(`is distinguished from replays, forks and foreign members, in ${RUNS} trees of epochs`, async () => {
    const seen = new Map<Succession, number>();
    const grow = fc.record({ parent: fc.nat(), which: fc.nat(7), by: fc.nat(7) });
    const property = fc.asyncProperty(
      fc.array(grow, { minLength: 4, maxLength: 9 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 20, maxLength: 20 }),
      async (steps, pairs) => {
        const tree = [await firstEpoch([devices[0]!.member], devices[0]!.pair, PARTS)];
        const paths = [[0]];
        for (const { parent, which, by } of steps) {
          const at = parent % tree.length;
          tree.push(await changed(tree[at]!, which, by));
          paths.push([...paths[at]!, tree.length - 1]);
        }
        for (const [ours, theirs, cut] of pairs) {
          const [own, other] = [paths[ours % tree.length]!, paths[theirs % tree.length]!];
          const shown = other.slice(cut % other.length);
          const links = (path: readonly number[]) => path.map((at) => linkOf(tree[at]!));
          const told = await successionOf(links(own), links(shown));
          expect(told).to.equal(expectedOf(own, other, shown));
          seen.set(told, (seen.get(told) ?? 0) + 1);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    for (const each of ['same', 'older', 'newer', 'forked', 'unconnected'] as const) {
      expect(seen.get(each) ?? 0, each).to.be.above(0);
    }
  });

  function expectedOf(
    own: readonly number[],
    other: readonly number[],
    shown: readonly number[],
  ): Succession {
    const newest = other.at(-1)!;
    if (newest === own.at(-1)) return 'same';
    if (own.includes(newest)) return 'older';
    // Of what was shown, the parents count: the first one's is named by it.
    const named = other.slice(Math.max(0, other.length - shown.length - 1));
    const shared = named.findLast((at) => own.includes(at));
    if (shared === undefined) return 'unconnected';
    return shared === own.at(-1) ? 'newer' : 'forked';
  }

  it('is not gone on with by a member that was removed, although it knows every key of before', async () => {
    const [laptop, phone, thief] = devices as [Person, Person, Person];
    const first = await firstEpoch(
      [laptop, phone, thief].map(({ member }) => member),
      laptop.pair,
      PARTS,
    );
    const second = await withoutMember(first, thief.pair.id, laptop.pair, PARTS);
    expect(await isRefused(withMember(second, devices[3]!.member, thief.pair, PARTS))).to.equal(
      true,
    );
    const fields = { ...second, number: second.number + 1, parent: second.digest };
    // In its own name, in that of a member, and as a member that it makes itself.
    const forged = [
      await signedBy(thief.pair, { ...fields, signer: thief.pair.id, members: first.members }),
      await signedBy(thief.pair, { ...fields, signer: phone.pair.id, members: first.members }),
      await signedBy(thief.pair, { ...fields, signer: thief.pair.id }),
    ];
    for (const epoch of forged) {
      expect(await isRefused(checkNextEpoch(second, epoch))).to.equal(true);
      expect(await isRefused(successionOf([first, second], [first, second, epoch]))).to.equal(true);
      expect(await isRefused(successionOf([first, second], [epoch]))).to.equal(true);
    }
    // What it may still sign is a second child of the epoch of which it was a member: that is told, and not taken.
    const aside = await withoutMember(first, phone.pair.id, thief.pair, PARTS);
    expect(await successionOf([first, second], [aside])).to.equal('forked');
    expect(await successionOf([first, second], [first, aside])).to.equal('forked');
  });

  it(`takes exactly what a member of the parent signed as its child, of ${FORGERIES} epochs`, async () => {
    const base = await firstEpoch(
      devices.slice(0, 3).map(({ member }) => member),
      devices[0]!.pair,
      PARTS,
    );
    const aside = await firstEpoch([devices[5]!.member], devices[5]!.pair, PARTS);
    const any = fc.record({
      number: fc.constantFrom(2, 2, 2, 3, 7),
      parent: fc.constantFrom(base.digest, base.digest, base.digest, aside.digest),
      signer: fc.nat(4),
      isOwnName: fc.boolean(),
      count: fc.integer({ min: 1, max: 5 }),
    });
    let taken = 0;
    const property = fc.asyncProperty(any, async ({ number, parent, signer, isOwnName, count }) => {
      const { pair } = devices[signer]!;
      const named = isOwnName ? signer : (signer + 1) % 5;
      const members = devices
        .slice(0, count)
        .map(({ member }) => member)
        .toSorted((a, b) => (toHex(a.id) < toHex(b.id) ? -1 : 1));
      const { commitment, wraps } = base;
      const fields = { number, parent, commitment, members, wraps };
      const child = await signedBy(pair, { ...fields, signer: devices[named]!.pair.id });
      const isRight = number === 2 && parent === base.digest && isOwnName && signer < 3;
      expect(await isRefused(checkNextEpoch(base, child))).to.equal(!isRight);
      taken += Number(isRight);
    });
    await fc.assert(property, { numRuns: FORGERIES });
    expect(taken).to.be.within(1, FORGERIES / 2);
  });

  it('is not followed over an epoch that is left out, forged or of another number', async () => {
    const [laptop, phone, tablet] = devices as [Person, Person, Person];
    const first = await firstEpoch([laptop.member], laptop.pair, PARTS);
    const second = await withMember(first, phone.member, laptop.pair, PARTS);
    const third = await withMember(second, tablet.member, phone.pair, PARTS);
    expect(await isRefused(checkNextEpoch(first, third))).to.equal(true);
    expect(await isRefused(successionOf([first], [first, third]))).to.equal(true);
    expect(await successionOf([first], [third])).to.equal('unconnected');
    expect(await successionOf([first], [second, third])).to.equal('newer');
    const renumbered = await signedBy(laptop.pair, { ...second, number: 3 });
    expect(await isRefused(checkNextEpoch(first, renumbered))).to.equal(true);
    expect(await isRefused(successionOf([first], [renumbered]))).to.equal(true);
    const foreign = await firstEpoch([phone.member], phone.pair, PARTS);
    expect(await successionOf([first, second], [foreign])).to.equal('unconnected');
    // A forged epoch in the middle is not excused by a right one after it.
    const forged = await signedBy(tablet.pair, { ...second, signer: laptop.pair.id });
    const after = await withMember(forged, tablet.member, laptop.pair, PARTS);
    expect(await isRefused(successionOf([first], [forged, after]))).to.equal(true);
    for (const [own, other] of [
      [[], [first]],
      [[first], []],
    ] as const) {
      const error = await successionOf(own, other).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(RangeError);
    }
  });
});
