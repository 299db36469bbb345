import { expect } from 'chai';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

describe('movements on sites', () => {
  const digest = new Uint8Array(32).fill(7);
  let world: World;
  let stirred: [number, Uint8Array][];
  let credited: number;

  beforeEach(() => {
    world = World.fresh();
    stirred = [];
    credited = 0;
    Object.assign(world.random, {
      addUncredited: (source: number, data: Uint8Array) => stirred.push([source, data]),
      addEvent: () => (credited += 1),
    });
    world.restart();
  });

  it('are collected on no site until the user says so', async () => {
    expect(await world.surface('ui.siteMovements', {})).to.deep.equal({ on: false });
    expect(await world.call('stirMovements', { digest })).to.deep.equal({ wanted: false });
    expect(stirred).to.deep.equal([]);
  });

  it('are stirred in under a number of their own, and never credited', async () => {
    await world.surface('ui.setSiteMovements', { on: true });
    expect(await world.surface('ui.siteMovements', {})).to.deep.equal({ on: true });
    expect(await world.call('stirMovements', { digest })).to.deep.equal({ wanted: true });
    expect(stirred).to.deep.equal([[3, digest]]);
    expect(credited).to.equal(0);
    expect(await world.surface('ui.entropy', {})).to.include({ events: 32 });
  });

  it('are ignored, and no longer wanted, once it is switched off', async () => {
    await world.surface('ui.setSiteMovements', { on: true });
    await world.surface('ui.setSiteMovements', { on: false });
    expect(await world.call('stirMovements', { digest })).to.deep.equal({ wanted: false });
    expect(stirred).to.deep.equal([]);
  });

  it('come from enabled sites alone, and from no private window', async () => {
    await world.surface('ui.setSiteMovements', { on: true });
    const elsewhere = pageCaller({ origin: 'http://insecure.example' });
    const fromElsewhere = world.call('stirMovements', { digest }, elsewhere);
    expect(await codeOf(fromElsewhere)).to.equal('UNSUPPORTED');
    world.sites.patterns = new Set(['https://b.example/*']);
    const notEnabled = world.call('stirMovements', { digest });
    expect(await codeOf(notEnabled)).to.equal('UNSUPPORTED');
    const hidden = pageCaller({ origin: 'https://b.example', incognito: true });
    expect(await codeOf(world.call('stirMovements', { digest }, hidden))).to.equal('UNSUPPORTED');
    expect(stirred).to.deep.equal([]);
  });

  it('are digests and nothing else', async () => {
    await world.surface('ui.setSiteMovements', { on: true });
    for (const length of [0, 31]) {
      const short = world.call('stirMovements', { digest: digest.subarray(0, length) });
      expect(await codeOf(short)).to.equal('INVALID_ARGUMENT');
    }
    const long = world.call('stirMovements', { digest: new Uint8Array(33) });
    expect(await codeOf(long)).to.equal('TOO_LARGE');
    expect(stirred).to.deep.equal([]);
  });

  it('are none of the calls that a site is said to have made', async () => {
    world = await World.unlocked();
    await world.surface('ui.setSiteMovements', { on: true });
    await world.call('stirMovements', { digest });
    expect(await world.surface('ui.activityUsage', { days: 1 })).to.deep.equal([]);
    await world.call('random', { length: 1 });
    expect(await world.surface('ui.activityUsage', { days: 1 })).to.have.length(1);
  });
});
