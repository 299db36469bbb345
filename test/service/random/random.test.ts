import { expect } from 'chai';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { streamSource } from '../../random/fixed-source.ts';
import { codeOf } from '../../support/outcomes.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('random values for pages', () => {
  it('need no key and no grant, locked or not, in private windows too', async () => {
    const world = World.fresh();
    for (const caller of [pageCaller(), pageCaller({ incognito: true })]) {
      expect(await world.call('randomUUID', {}, caller)).to.match(UUID);
      expect(await world.call('randomInt', { max: 6 }, caller)).to.be.within(0, 5);
      expect(await world.call('random', { length: 3 }, caller)).to.have.length(3);
    }
  });

  it('never repeat a UUID, and draw bytes for many at a time', async () => {
    const world = World.fresh();
    const source = streamSource('uuids');
    world.random.bytes = (length) => source.bytes(length);
    world.platformRandom = streamSource('platform');
    world.restart();
    source.drawn.length = 0;
    const calls = Array.from({ length: 300 }, () => world.call('randomUUID', {}));
    expect(new Set(await Promise.all(calls)).size).to.equal(300);
    // 300 UUIDs are 4,800 bytes, in draws of 2 KiB.
    expect(source.drawn).to.deep.equal([2048, 2048, 2048]);
  });

  it('give every integer below the limit', async () => {
    const world = World.fresh();
    const source = streamSource('dice');
    world.random.bytes = (length) => source.bytes(length);
    world.restart();
    const calls = Array.from({ length: 120 }, () => world.call('randomInt', { max: 6 }));
    const seen = new Set(await Promise.all(calls));
    expect([...seen].sort()).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(await world.call('randomInt', { max: 1 })).to.equal(0);
    expect(await world.call('randomInt', { max: 2 ** 48 })).to.be.within(0, 2 ** 48 - 1);
  });

  it('refuse other limits', async () => {
    const world = World.fresh();
    for (const max of [0, -1, 2 ** 48 + 1, 1.5, Number.NaN]) {
      expect(await codeOf(world.call('randomInt', { max }))).to.equal('INVALID_ARGUMENT');
    }
  });
});
