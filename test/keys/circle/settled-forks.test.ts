import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../src/crypto/bytes.ts';
import { settledFork, successionOf } from '../../../src/keys/circle/chain.ts';
import { firstEpoch, withMembers } from '../../../src/keys/circle/changes.ts';
import { hasMember, type Epoch } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf } from '../../../src/keys/circle/members.ts';
import { changesSince, withChanges } from '../../../src/keys/circle/membership.ts';
import { inDepth } from '../../support/depth.ts';
import { newDevice, PARTS, X_WING, type Person } from './circle.ts';

/*
 * Chains that part: two devices have changed the openers at once, and again. The model: whatever each device is shown, and in which
 * order, all end in one chain without a question, with every opener that was added on any of them and not removed there, and
 * without every one that was removed. A chain in which a device came or went, or that another one has signed, is never taken so.
 */

const RUNS = inDepth(40, 6);
const [A, B, C] = [0, 1, 2];

describe('Chains that part in openers alone', function () {
  this.timeout(60_000 + RUNS * 4_000);
  /** Three devices, a fourth that comes or goes, and codes. */
  const devices: Person[] = [];
  const codes: Person[] = [];
  let base: Epoch;

  before(async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) devices.push(await newDevice(name));
    for (let at = 0; at < 5; at++) {
      const pair = codePair(new Uint8Array(16).fill(at));
      codes.push({ pair, member: await memberOf(pair, '', X_WING) });
    }
    const members = [...devices.slice(0, 3), ...codes.slice(0, 2)].map(({ member }) => member);
    base = await firstEpoch(members, devices[A]!.pair, PARTS);
  });

  /** The next epoch, with and without some members. */
  function next(epoch: Epoch, by: Person, added: readonly Person[], gone: readonly Person[]) {
    const staying = epoch.members.filter(
      ({ id }) => ![...added, ...gone].some(({ pair }) => toHex(pair.id) === toHex(id)),
    );
    const members = [...staying, ...added.map(({ member }) => member)];
    return withMembers(epoch, members, by.pair, PARTS);
  }

  /** What one device follows: a chain from the base on. */
  type Chain = readonly Epoch[];

  /** As an exchange does. */
  async function shown(own: Chain, other: Chain, by: Person): Promise<Chain> {
    const succession = await successionOf(own, other);
    if (succession === 'newer') return other;
    if (succession !== 'forked') return own;
    const settled = settledFork(own, other);
    expect(settled, 'a question').not.to.equal(undefined);
    if (settled!.holds === 'own') return own;
    const [epoch, left] = [other.at(-1)!, changesSince(settled!.base, own.at(-1)!)];
    const circle = { pair: by.pair, links: other.slice(0, -1), epoch };
    const { epoch: made } = await withChanges(circle, left, PARTS);
    return made === epoch ? other : [...other, made];
  }

  const change = fc.record({
    device: fc.nat(2),
    added: fc.subarray([2, 3, 4]),
    gone: fc.subarray([0, 1]),
  });
  const look = fc.record({ device: fc.nat(2), at: fc.nat(2) });

  it(`become one on all devices, with what each has changed, in ${RUNS} sequences`, async () => {
    let forks = 0;
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 2, maxLength: 5 }),
      fc.array(look, { maxLength: 4 }),
      async (changes, looks) => {
        const chains: Chain[] = [[base], [base], [base]];
        for (const { device, added, gone } of changes) {
          const own = chains[device]!;
          const by = devices[device]!;
          const [more, less] = [added, gone].map((list) => list.map((at) => codes[at]!));
          chains[device] = [...own, await next(own.at(-1)!, by, more!, less!)];
        }
        for (const { device, at } of looks) {
          chains[device] = await shown(chains[device]!, chains[at]!, devices[device]!);
        }
        const tips = new Set(chains.map((chain) => toHex(chain.at(-1)!.digest)));
        forks += Number(tips.size > 1);
        for (let round = 0; round < 4; round++) {
          for (const device of [A, B, C]) {
            for (const at of [A, B, C]) {
              chains[device] = await shown(chains[device]!, chains[at]!, devices[device]!);
            }
          }
        }
        const ends = chains.map((chain) => toHex(chain.at(-1)!.digest));
        expect(new Set(ends)).to.have.property('size', 1);
        const epoch = chains[0]!.at(-1)!;
        const idOf = (at: number) => codes[at]!.pair.id;
        for (const { added, gone } of changes) {
          for (const at of added) expect(hasMember(epoch, idOf(at)), `code ${at}`).to.equal(true);
          for (const at of gone) expect(hasMember(epoch, idOf(at)), `code ${at}`).to.equal(false);
        }
        for (const { pair } of devices.slice(0, 3)) {
          expect(hasMember(epoch, pair.id)).to.equal(true);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    expect(forks).to.be.above(0);
  });

  it('are the same question for both: one says own, and the other says other', async () => {
    const one = [base, await next(base, devices[A]!, [codes[2]!], [])];
    const two = [base, await next(base, devices[B]!, [codes[3]!], [codes[0]!])];
    const holds = [settledFork(one, two)!.holds, settledFork(two, one)!.holds];
    expect(holds).to.have.members(['own', 'other']);
    expect(settledFork(one, two)!.base.digest).to.deep.equal(base.digest);
  });

  it('are settled by no epoch of a code, of a removed device, or with other devices', async () => {
    const [one, two, gone, four] = devices as [Person, Person, Person, Person];
    const [stolen, planted] = [codes[0]!, codes[4]!];
    const renewed = await next(base, one, [codes[2]!], [stolen]);
    const removed = await next(base, one, [], [gone]);
    const aside = await next(base, two, [planted], []);
    const theirs = await next(base, gone, [planted], []);
    const later = await next(renewed, one, [], [gone]);
    const cases: Readonly<Record<string, readonly [Chain, Chain]>> = {
      'a code that was removed': [
        [base, renewed],
        [base, await next(base, stolen, [planted], [])],
      ],
      'a code, further on': [
        [base, renewed],
        [base, aside, await next(aside, stolen, [], [])],
      ],
      'a removed device that leaves itself out': [
        [base, removed],
        [base, await next(base, gone, [planted], [gone])],
      ],
      'a device that was removed afterwards': [
        [base, renewed, later],
        [base, theirs],
      ],
      'one that was removed afterwards, and leaves itself out then': [
        [base, renewed, later],
        [base, theirs, await next(theirs, gone, [], [gone])],
      ],
      'a device that came': [
        [base, renewed],
        [base, await next(base, two, [four], [])],
      ],
    };
    for (const [what, [own, other]] of Object.entries(cases)) {
      expect(settledFork(own, other), what).to.equal(undefined);
      expect(settledFork(other, own), what).to.equal(undefined);
    }
  });
});
