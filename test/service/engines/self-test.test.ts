import { expect } from 'chai';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

/** All that is stored, durably and until the browser ends. */
const stored = ({ primary, copy, session, notes, pageValues }: World) =>
  structuredClone([primary, copy, session, notes, pageValues].map(({ values }) => values));

describe('the self-test in the background', () => {
  it('measures the random generator, and a round trip through the vault', async () => {
    const world = await World.unlocked();
    const times = await world.surface('ui.selfTest', {});
    expect(times).to.include({ randomBytes: 65_536, vaultBytes: 1024 });
    expect(times.randomMicroseconds).to.be.within(1, 1e7);
    expect(times.vaultMicroseconds).to.be.within(1, 1e7);
  });

  it('leaves no trace: nothing stored, nothing logged, and the lock comes when it would have come', async () => {
    const world = await World.unlocked();
    world.now += 60_000;
    // The log is written some time after an entry; its export writes what is missing.
    const log = await world.surface('ui.exportActivity', {});
    const { lockAt } = await world.surface('ui.state', {});
    const before = stored(world);
    await world.surface('ui.selfTest', {});
    expect(stored(world)).to.deep.equal(before);
    expect(await world.surface('ui.exportActivity', {})).to.deep.equal(log);
    expect((await world.surface('ui.state', {})).lockAt).to.equal(lockAt);
  });

  it('says that a locked vault, or none, was not measured', async () => {
    const world = await World.unlocked();
    await world.surface('ui.lock', {});
    for (const one of [world, World.fresh()]) {
      const times = await one.surface('ui.selfTest', {});
      expect(times).to.include({ vaultMicroseconds: null });
      expect(times.randomMicroseconds).to.be.at.least(1);
    }
  });

  it('fails where the generator repeats itself, or the vault gives back something else', async () => {
    const world = await World.unlocked();
    world.vault.sealAndOpen = () => Promise.resolve('something else');
    expect(await codeOf(world.surface('ui.selfTest', {}))).to.equal('INTERNAL');
    world.restart();
    world.random.bytes = (length) => new Uint8Array(length).fill(7);
    expect(await codeOf(world.surface('ui.selfTest', {}))).to.equal('INTERNAL');
  });
});
