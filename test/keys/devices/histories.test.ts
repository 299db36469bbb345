import { expect } from 'chai';
import fc from 'fast-check';
import { APP } from '../../../src/keys/ring/key-records.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { Device } from './device.ts';
import { exchange } from './device.ts';
import { History, ORIGINS, stepOf } from './history.ts';

/*
 * Histories of devices (history.ts). Afterwards they exchange everything: then all
 * are in one state, no key that was not deleted is lost, and no site of one device sees another person.
 */

const HISTORIES = Number(
  process.env['SEALWRIGHT_HISTORIES'] ?? (IS_NIGHTLY ? 500 : inDepth(150, 40)),
);
const DEVICES = 3;

const step = stepOf(DEVICES);

describe('Histories of devices', function () {
  this.timeout(60_000 + HISTORIES * 3000);

  it(`end in one state, with every key that no one deleted, in ${HISTORIES} histories`, async () => {
    const property = fc.asyncProperty(
      fc.nat(),
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.boolean(),
      async (seed, steps, isKnown) => {
        const history = new History(seed, DEVICES);
        if (isKnown) await history.begin();
        for (const each of steps) await history.take(each);
        const { devices } = history;
        // A device that had no root adds what its sites know the person by, once it has taken one.
        for (const _ of ['first', 'again']) await exchange(...devices);
        const states = await Promise.all(devices.map((device) => device.share()));
        const texts = new Set(states.map(canonicalText));
        expect(texts.size, 'states').to.equal(1);
        const kept = devices
          .flatMap(({ sealed }) => sealed)
          .filter(({ key }) => !history.deleted.has(history.refOf.get(key)!));
        for (const device of devices) {
          expect(await device.unopened(kept), 'unopened').to.deep.equal([]);
        }
        const refs = (await devices[0]!.ring.list()).map(({ ref }) => ref);
        // The first draws what is missing, so that the others draw nothing of their own.
        for (const origin of ORIGINS) {
          await devices[0]!.seal(APP, origin);
          await devices[0]!.seenBy(origin, refs);
        }
        await exchange(...devices);
        for (const origin of ORIGINS) {
          const seen = await devices[0]!.seenBy(origin, refs);
          for (const device of devices) {
            expect(await device.seenBy(origin, refs), origin).to.deep.equal(seen);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: HISTORIES });
  });

  it(`change nothing at a site that one device alone had used before a join, in ${HISTORIES} joins`, async () => {
    let count = 0;
    const alone = fc.array(step, { maxLength: 12 });
    const property = fc.asyncProperty(fc.nat(), alone, alone, async (seed, first, second) => {
      const history = new History(seed, DEVICES);
      const [one, other] = history.devices as [Device, Device];
      for (const each of first) await history.take({ ...each, device: 0, other: 0 });
      for (const each of second) await history.take({ ...each, device: 1, other: 1 });
      const before = [];
      for (const [device, another] of [
        [one, other],
        [other, one],
      ] as const) {
        const refs = (await device.ring.list()).map(({ ref }) => ref);
        const used = new Set(another.origins);
        for (const origin of new Set(device.sealed.map((message) => message.origin))) {
          if (used.has(origin)) continue;
          before.push({ origin, refs, seen: await device.seenBy(origin, refs) });
        }
      }
      count += before.length;
      await exchange(one, other);
      for (const { origin, refs, seen } of before) {
        for (const device of [one, other]) {
          expect(await device.seenBy(origin, refs), origin).to.deep.equal(seen);
        }
      }
    });
    await fc.assert(property, { numRuns: HISTORIES });
    expect(count, 'sites').to.be.above(HISTORIES / 4);
  });
});
