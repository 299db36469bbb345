import { expect } from 'chai';
import fc from 'fast-check';
import {
  addedCounts,
  dayOf,
  lastDays,
  USAGE_DAYS,
  type CountsBySite,
} from '../../../src/service/audit/usage-days.ts';
import { LIMITS } from '../../../src/service/calls/rate-limits.ts';
import { packedOf } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const DAY = 24 * 60 * 60_000;
const { origin } = pageCaller();

describe('Days of the calendar', () => {
  it('are named as people name them, and follow each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (time) => {
        const days = lastDays(time, 90);
        expect(days.at(-1)).to.equal(dayOf(time));
        expect(new Set(days).size).to.equal(90);
        expect([...days].sort()).to.deep.equal(days);
        for (const day of days) expect(day).to.match(/^\d{4}-\d\d-\d\d$/);
      }),
    );
  });
});

describe('Counts of sites', () => {
  const counts = fc.record({ calls: fc.nat(), bytes: fc.nat(), refused: fc.nat() });
  const bySite = fc.dictionary(fc.constantFrom('https://a', 'https://b', '__proto__'), counts);

  it('add up, whatever a site is called', () => {
    fc.assert(
      fc.property(bySite, bySite, (a: CountsBySite, b: CountsBySite) => {
        const all = addedCounts(a, b);
        for (const site of ['https://a', 'https://b']) {
          const [x, y] = [a, b].map((each) =>
            Object.hasOwn(each, site) ? each[site]! : undefined,
          );
          expect(all[site]?.bytes ?? 0).to.equal((x?.bytes ?? 0) + (y?.bytes ?? 0));
        }
      }),
    );
  });

  it('end at so many sites a day', () => {
    const one = { calls: 1, bytes: 0, refused: 0 };
    const many = Array.from({ length: USAGE_DAYS.maxSites + 5 }, (_, i) => [`https://${i}`, one]);
    const all = addedCounts({}, Object.fromEntries(many) as CountsBySite);
    expect(Object.keys(all)).to.have.length(USAGE_DAYS.maxSites);
    expect(addedCounts(all, { 'https://0': one })['https://0']).to.include({ calls: 2 });
  });
});

describe('What sites ask for', () => {
  let world: World;
  const seal = (bytes: number, caller = pageCaller()) =>
    world.call('seal', { plaintext: new Uint8Array(bytes) }, caller);
  const usage = (days = 1) => world.surface('ui.activityUsage', { days });
  const saved = async () => {
    world.timers.goOff();
    await settled();
    await usage();
  };
  const today = async () => (await usage())[0]!.days.at(-1)!;

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
    await saved();
  });

  it('is counted by site and day: calls, items of batches, and bytes', async () => {
    const before = await today();
    await seal(100);
    await world.call('sealMany', { items: packedOf(new Uint8Array(3), new Uint8Array(4)) });
    await world.call('releaseSeal', { purpose: 'page', totalBytes: 1_000_000 });
    const after = await today();
    expect(after.day).to.equal(dayOf(world.now));
    expect(after.calls - before.calls).to.equal(4);
    // A batch carries the length of each item in four bytes.
    expect(after.bytes - before.bytes).to.equal(1_000_000 + 100 + (4 + 3) + (4 + 4));
  });

  it('is saved with the log, and is there when the worker has died', async () => {
    await seal(100);
    const before = await usage();
    await saved();
    world.restart();
    expect(await usage()).to.deep.equal(before);
    await saved();
    expect(await usage()).to.deep.equal(before);
  });

  it('stands under its day, and is forgotten after ninety', async () => {
    await seal(100);
    const [site] = await usage();
    const first = site!.days[0]!;
    await saved();
    world.now += DAY;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await seal(7);
    await saved();
    const [both] = await usage(2);
    expect(both!.days).to.have.length(2);
    expect(both!.days[0]).to.deep.equal(first);
    expect(both!.days[1]).to.include({ calls: 1, bytes: 7 });
    world.now += (USAGE_DAYS.kept - 1) * DAY;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await world.connect();
    await seal(1);
    await saved();
    expect((await world.vault.list('usage')).map(({ id }) => id)).to.not.include(
      `usage/${first.day}`,
    );
  });

  it('tells what the limits turned away', async () => {
    const stranger = pageCaller({ origin: 'https://b.example', topOrigin: 'https://b.example' });
    // Each item of a batch costs as much as a call, whatever becomes of it.
    const items = packedOf(...Array.from({ length: 1000 }, () => new Uint8Array(0)));
    const batch = () => codeOf(world.call('sealMany', { items }, stranger));
    for (let i = 0; i < LIMITS.burstCalls / 1000; i++) {
      expect(await batch()).to.equal('NOT_GRANTED');
    }
    expect(await batch()).to.equal('QUOTA');
    const [site] = (await usage()).filter((each) => each.origin === stranger.origin);
    expect(site!.days[0]).to.include({ calls: LIMITS.burstCalls, refused: 1000 });
  });

  it('knows nothing of private windows', async () => {
    const incognito = pageCaller({ incognito: true, origin: 'https://private.example' });
    await world.call('status', {}, incognito);
    expect(await codeOf(seal(1, incognito))).to.equal('UNSUPPORTED');
    expect(JSON.stringify(await usage())).to.not.include('private.example');
  });

  it('writes nothing by itself: a site that only asks how things stand costs no commit', async () => {
    const before = world.stored();
    for (let i = 0; i < 50; i++) await world.call('status', {});
    world.timers.goOff();
    await settled();
    await usage();
    expect(world.stored()).to.equal(before);
  });

  it('is out of reach while locked, and stands nowhere in clear', async () => {
    await seal(1);
    await saved();
    await seal(2);
    const disk = world.stored() + JSON.stringify([...world.session.values]);
    for (const form of [origin, Buffer.from(origin).toString('hex')]) {
      expect(disk).to.not.include(form);
    }
    await world.surface('ui.lock', {});
    expect(await codeOf(usage())).to.equal('LOCKED');
  });

  it('is cleared with the log', async () => {
    await seal(1);
    await saved();
    await seal(2);
    await world.surface('ui.clearActivity', {});
    expect(await usage()).to.deep.equal([]);
  });
});
